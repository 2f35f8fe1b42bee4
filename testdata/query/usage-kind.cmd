rules old.conf
