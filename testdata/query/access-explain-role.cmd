access --explain ../decisions/every.conf high_u:user_r:app_t:s2:c1 high_u:system_r:user_t:s2:c1 process dyntransition fork
