label ../decisions/every.conf port tcp
