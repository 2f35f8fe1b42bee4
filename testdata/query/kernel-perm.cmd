access --explain --kernel ../golden/cases/140.profile case-140.conf sys_u:sys_r:app_t sys_u:object_r:data_t file { read watch_mountns reed }
