diff many.conf fewer.conf
