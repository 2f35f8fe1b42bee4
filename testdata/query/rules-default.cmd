rules -T -D log_t old.conf
