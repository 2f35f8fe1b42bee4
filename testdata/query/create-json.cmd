create --format json ../decisions/every.conf user_u:user_r:user_t:s0 system_u:object_r:exec_t:s0 process
