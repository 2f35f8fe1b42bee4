label ../decisions/every.conf sid kernel
