access --explain ../decisions/every.conf staff_u:user_r:user_t:s0 system_u:object_r:data_t:s0 file read write
