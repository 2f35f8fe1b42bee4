diff old.conf
