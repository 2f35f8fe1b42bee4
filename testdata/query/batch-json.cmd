batch --format json ../decisions/every.conf batch.txt
