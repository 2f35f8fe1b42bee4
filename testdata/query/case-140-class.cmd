access --explain case-140.conf sys_u:sys_r:app_t sys_u:sys_r:app_t io_uring cmd allowed
