create case-010.conf sys_u:sys_r:kern_t:s0 sys_u:object_r:data_t:s0 process
