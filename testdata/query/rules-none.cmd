rules --allow -t exec_t -p write old.conf
