validatetrans ../decisions/every.conf system_u:object_r:etc_t:s1 system_u:object_r:etc_t:s1 file system_u:system_r:init_t:s0
