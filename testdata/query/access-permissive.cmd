access ../decisions/every.conf staff_u:user_r:soft_t:s0 system_u:object_r:log_t:s0 file append
