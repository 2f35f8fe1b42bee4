access --kernel ../golden/cases/140.profile %/unknown-allowed.policy sys_u:sys_r:app_t sys_u:object_r:data_t file watch_mountns reed
