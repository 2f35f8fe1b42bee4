replay ../decisions/every.conf batch.txt
