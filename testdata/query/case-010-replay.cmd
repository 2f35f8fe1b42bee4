replay case-010.conf case-010.log
