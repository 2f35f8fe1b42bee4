expect ../decisions/every.conf
