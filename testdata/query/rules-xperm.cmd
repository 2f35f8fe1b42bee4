rules --allowxperm -p ioctl old.conf
