create ../decisions/every.conf system_u:system_r:app_t:s0-s1 system_u:object_r:tmp_t:s2-s3 udp_socket
