access --explain ../decisions/every.conf system_u:system_r:app_t:s0 system_u:object_r:port_t:s0 file { read getattr }
