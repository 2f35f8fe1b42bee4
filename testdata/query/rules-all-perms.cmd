rules --allow -p read,open --all-perms old.conf
