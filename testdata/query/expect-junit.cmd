expect --format junit ../decisions/every.conf expect-bad.txt
