label wildcard.conf genfs sysfs /devices/cpu/power
