label ../decisions/every.conf node 10.20.30.40
