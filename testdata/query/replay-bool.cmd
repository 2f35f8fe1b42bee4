replay --bool b_one=0 ../decisions/every.conf audit.log
