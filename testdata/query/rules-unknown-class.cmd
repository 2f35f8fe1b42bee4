rules -A -c nope old.conf
