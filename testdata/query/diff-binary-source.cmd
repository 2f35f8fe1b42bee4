diff %/old.policy new.conf
