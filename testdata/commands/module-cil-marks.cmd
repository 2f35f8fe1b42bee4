module-compile -m -C -L -o - module-cil-marks.te
module-compile -m -L -o %/module-cil-marks.mod module-cil-marks.te
module-compile -m -o %/module-cil-marks.mod module-cil-marks.te
module-compile -b -C -L -o - %/module-cil-marks.mod
