module-compile --package -o %/tiny.pp -m ../fuzz/module/tiny-21 -f small.conf
policy-query info %/tiny.pp
policy-query info --format json ../fuzz/module/package-base
policy-query info newer.mod
policy-query rules --allow %/tiny.pp
module-compile -b -M -F -o - %/tiny.pp
module-compile --package -m ../fuzz/module/tiny-21
module-compile --package -o %/a -o %/b -m ../fuzz/module/tiny-21
module-compile --package -o %/tiny.pp -m ../fuzz/module/tiny-21 -s small.conf
module-compile --package -o %/tiny.pp -m small.conf
module-compile --package -o %/tiny.pp -m none
