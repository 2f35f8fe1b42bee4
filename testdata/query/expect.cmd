expect ../decisions/every.conf expect-good.txt
