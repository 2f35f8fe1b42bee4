module-compile -m -c 12 -o %/mod.mod module-roles.te
module-compile -m -c 13 -o %/mod.mod module-roles.te
module-compile -m --report=version module-roles.te
