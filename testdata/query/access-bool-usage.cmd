access --bool b_one ../decisions/every.conf a b c
