rules --role_allow --role_trans -t exec_t old.conf
