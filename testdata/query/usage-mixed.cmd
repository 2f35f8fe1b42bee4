rules -A --role_allow old.conf
