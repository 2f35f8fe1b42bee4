label ../decisions/every.conf port sctp 80
