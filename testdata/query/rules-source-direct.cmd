rules -A -s domain -ds old.conf
