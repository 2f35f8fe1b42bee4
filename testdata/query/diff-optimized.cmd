diff old.conf %/optimized.policy
