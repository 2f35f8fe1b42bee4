access --explain case-109.conf sys_u:sys_r:app_t:s0 sys_u:object_r:data_t:s0 file create
