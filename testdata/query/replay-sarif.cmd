replay --format sarif ../decisions/every.conf audit.log
