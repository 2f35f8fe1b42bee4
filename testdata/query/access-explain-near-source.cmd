access --explain ../decisions/every.conf system_u:system_r:app_t:s0 system_u:object_r:etc_t:s0 service stop
