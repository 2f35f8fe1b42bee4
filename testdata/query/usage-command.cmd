nope old.conf
