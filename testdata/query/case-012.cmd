validatetrans case-012.conf sys_u:object_r:data_t sys_u:object_r:data_t file sys_u:object_r:app_t
