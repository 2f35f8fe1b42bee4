diff --format json old.conf new.conf
