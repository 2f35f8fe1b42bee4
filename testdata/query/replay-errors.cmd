replay ../decisions/every.conf errors.log
