rules --role_allow --role_trans old.conf
