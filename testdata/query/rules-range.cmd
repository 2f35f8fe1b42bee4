rules --range_trans -D s0-s1:c0,c1 old.conf
