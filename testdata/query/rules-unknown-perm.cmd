rules -A -p nope old.conf
