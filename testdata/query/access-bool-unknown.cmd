access --bool b_on=1 ../decisions/every.conf a b c
