diff --full many.conf fewer.conf
