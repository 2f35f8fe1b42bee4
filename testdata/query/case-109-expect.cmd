expect case-109.conf case-109.txt
