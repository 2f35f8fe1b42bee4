module-compile -b ../fuzz/module/tiny-21
module-compile -b -M -c 4 -o %/tiny.mod ../fuzz/module/tiny-21
module-compile -b -M -c 10 -o %/tiny.mod ../fuzz/module/tiny-21
policy-query info %/tiny.mod
module-compile -b -M -F -o - %/tiny.mod
module-compile -b -M -o %/other.mod %/tiny.mod
module-compile -b newer.mod
module-compile -b newer.policy
module-compile -F -o - module-roles.te
