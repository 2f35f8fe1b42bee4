rules -A -T --auditallow --dontaudit --dontauditxperm --auditallowxperm --type_change --type_member --range_trans old.conf
