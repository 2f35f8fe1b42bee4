validatetrans case-116.conf sys_u:object_r:log_t:s1:c0.c3 sys_u:object_r:log_t:s0 file sys_u:sys_r:app_t:s0-s1:c0.c3
