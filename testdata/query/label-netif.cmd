label ../decisions/every.conf netif lo
