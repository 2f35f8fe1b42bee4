module-compile -M -m -o %/app.mod module-cil-labels.te
module-compile --package -o %/app.pp -m %/app.mod -f labels.fc -n labels.fc
module-compile -M -b -C -o - %/app.pp
module-compile -o %/base.mod small.conf
module-compile --package -o %/base.pp -m %/base.mod -f labels.fc -s labels.seusers -u labels.user_extra
module-compile -b -C -o - %/base.pp
module-compile --package -o %/bad.pp -m %/app.mod -f bad-labels.fc
module-compile -M -b -C -o %/bad.cil %/bad.pp
module-compile --package -o %/bad.pp -m %/base.mod -s labels.user_extra -u labels.seusers
module-compile -b -C -o %/bad.cil %/bad.pp
