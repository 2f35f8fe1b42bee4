diff old.conf %/old.policy
