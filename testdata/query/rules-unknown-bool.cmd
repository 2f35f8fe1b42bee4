rules -A -b nope old.conf
