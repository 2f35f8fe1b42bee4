replay --format sarif ../decisions/every.conf errors.log
