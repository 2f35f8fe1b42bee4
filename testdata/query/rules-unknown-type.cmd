rules -A -s nope old.conf
