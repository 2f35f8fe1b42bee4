diff --summary old.conf new.conf
