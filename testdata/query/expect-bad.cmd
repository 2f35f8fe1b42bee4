expect ../decisions/every.conf expect-bad.txt
