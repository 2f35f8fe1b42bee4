diff old.conf same.conf
