access ../decisions/every.conf system_u:system_r:appt:s0 system_u:object_r:dev_t:s9 file read
