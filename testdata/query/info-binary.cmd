info %/old.policy
