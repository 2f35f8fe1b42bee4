expect ../decisions/every.conf nowhere.txt
