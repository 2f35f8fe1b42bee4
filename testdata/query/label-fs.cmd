label --format json ../decisions/every.conf fs proc
