rules -A -t logs_t -c dir old.conf
