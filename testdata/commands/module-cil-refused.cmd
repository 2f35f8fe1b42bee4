module-compile -m -C -o - module-cil-refused.te
