diff old.conf new.conf
