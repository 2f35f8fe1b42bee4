access --explain ../decisions/every.conf system_u:system_r:admin_t:s0 system_u:object_r:log_t:s0 service { start stop }
