rules --allow -s domain -t files --direct old.conf
