replay ../decisions/every.conf audit.log
