diff old.conf broken.conf
