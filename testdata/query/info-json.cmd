info --format json old.conf
