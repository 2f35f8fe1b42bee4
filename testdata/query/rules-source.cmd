rules -A -s web_t old.conf
