info old.conf
