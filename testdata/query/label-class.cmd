label ../decisions/every.conf genfs proc /x filee
