expect --kernel ../golden/cases/140.profile case-140.conf kernel.txt
