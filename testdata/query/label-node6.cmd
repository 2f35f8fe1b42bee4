label ../decisions/every.conf node fe80::1
