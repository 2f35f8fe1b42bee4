batch ../decisions/every.conf batch.txt
