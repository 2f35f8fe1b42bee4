label --kernel 6.1 wildcard.conf genfs sysfs /devices/cpu/power
