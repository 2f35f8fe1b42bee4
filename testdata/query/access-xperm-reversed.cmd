access ../decisions/every.conf system_u:system_r:app_t:s0 system_u:object_r:dev_t:s0 chr_file ioctl:5-4
