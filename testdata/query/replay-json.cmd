replay --format json ../decisions/every.conf audit.log
