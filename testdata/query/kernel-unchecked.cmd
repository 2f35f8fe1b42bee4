access --kernel 6.1 ../decisions/every.conf system_u:system_r:lone_t:s0 system_u:object_r:etc_t:s0 service start
