info nope.conf
