access --explain --format json twice.conf sys_u:sys_r:app_t sys_u:object_r:data_t file read write
