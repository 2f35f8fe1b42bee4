rules -A -T -b debug old.conf
