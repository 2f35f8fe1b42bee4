access --explain ../decisions/every.conf system_u:system_r:app_t:s0 system_u:object_r:dev_t:s0 chr_file ioctl:0x5400-0x5405 ioctl:0x89f0-0x8a00
