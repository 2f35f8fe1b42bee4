access --format json --explain ../decisions/every.conf system_u:system_r:app_t:s0 system_u:object_r:data_t:s1 file read execute
