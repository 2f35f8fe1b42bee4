rules --count -A old.conf
