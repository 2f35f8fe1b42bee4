access --kernel 0.1 case-140.conf sys_u:sys_r:app_t sys_u:object_r:data_t file
