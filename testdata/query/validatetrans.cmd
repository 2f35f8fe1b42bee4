validatetrans ../decisions/every.conf system_u:object_r:etc_t:s1 system_u:object_r:etc_t:s0 file user_u:user_r:user_t:s0
