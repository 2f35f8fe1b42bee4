label ../decisions/every.conf prt tcp 80
