expect case-140.conf kernel.txt
