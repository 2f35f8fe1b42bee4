replay --format json ../decisions/every.conf errors.log
