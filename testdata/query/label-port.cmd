label ../decisions/every.conf port tcp 80
