rules --allow -t files -c file -p read,write old.conf
