access --explain case-013.conf sys_u:sys_r:app_t:s0 sys_u:object_r:data_t:s1 file read
