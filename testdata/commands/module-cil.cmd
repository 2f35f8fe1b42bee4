module-compile -M -m -C -o - module-cil.te
module-compile -M -m -o %/cil.app.mod module-cil.te
module-compile -M -b -C -o %/other.cil %/cil.app.mod
module-compile -m -C module-roles.te
module-compile -b -F -C -o - newer.mod
