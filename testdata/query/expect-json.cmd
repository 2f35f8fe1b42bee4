expect --format json ../decisions/every.conf expect-bad.txt
