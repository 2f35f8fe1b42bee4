label ../decisions/every.conf genfs proc /sys/kernel/x dir
