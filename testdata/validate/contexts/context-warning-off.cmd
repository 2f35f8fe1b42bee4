context -p labels.conf -W no-category-twice sys_u:object_r:data_t:s0:c0,c0
