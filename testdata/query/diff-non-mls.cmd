diff --summary old.conf plain.conf
