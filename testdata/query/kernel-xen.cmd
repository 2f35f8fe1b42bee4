access --xen --kernel 6.1 ../golden/xen/plain.conf a b c
