info --format xml old.conf
