small.conf levels.conf
