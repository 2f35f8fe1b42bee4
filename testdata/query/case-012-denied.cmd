validatetrans case-012-denied.conf sys_u:object_r:data_t sys_u:object_r:data_t file staff_u:staff_r:app_t
