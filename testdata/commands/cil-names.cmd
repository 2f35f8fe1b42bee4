-C -o - cil-names.conf
module-compile -C -o - cil-names.conf
