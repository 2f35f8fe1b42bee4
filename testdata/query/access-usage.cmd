access ../decisions/every.conf system_u:system_r:app_t:s0
