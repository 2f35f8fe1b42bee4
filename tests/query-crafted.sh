#!/bin/sh
# query-crafted.sh BUILD
#
# Policies whose rules differ in more pairs of types than can be compared: `diff`
# of two ends all the same, in seconds and some 200 MiB, says that it compared the
# rules as they are written, and finds the difference.  The limit is far above
# that: without a bound on its steps the comparison takes hours, or 10 GiB.
#
# Exit status: 0 all as expected, 1 not, 2 wrong use.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -ne 1 ]; then
	echo 'usage: query-crafted.sh BUILD' >&2
	exit 2
fi
build=$(cd -- "$1" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
failed=0

# policy KIND SIDE: a policy of a kind, as the old or the new one.
# attributes: hundreds that hold most types, and rules of each with each.
# pairs: one rule about each type with each.
# xperms: as many sets of extended permissions as rules.
policy() {
	awk -v kind="$1" -v side="$2" '
	function at(n) { return "ty" n }
	BEGIN {
		print "class file\nclass process\nsid kernel"
		printf "class file {"
		for (i = 0; i < 32; i++) printf " %s", i == 31 ? "ioctl" : "p" i
		print " }\nclass process { fork transition }"
		types = kind == "attributes" ? 600 : kind == "pairs" ? 20000 : 2000
		attributes = kind == "attributes" ? 150 : 1
		for (a = 0; a < attributes; a++) print "attribute a" a ";"
		seed = 1
		for (t = 0; t < types; t++) {
			printf "type %s", at(t)
			for (a = 0; a < attributes; a++) {
				seed = (seed * 1103515245 + 12345) % 2147483648
				if (kind != "attributes" || seed > 200000000) printf ", a%d", a
			}
			print ";"
		}
		print "allow ty0 ty0:process fork;"
		if (kind == "pairs") print "allow a0 a0:file p" side ";"
		seed = side + 7
		for (a = 0; kind == "attributes" && a < attributes; a++)
			for (b = 0; b < attributes; b++) {
				seed = (seed * 1103515245 + 12345) % 2147483648
				print "allow a" a " a" b ":file p" int(seed / 65536) % 31 ";"
			}
		for (t = 2; kind == "xperms" && t < types; t++)
			printf "allowxperm ty%d ty1:file ioctl { %d %d-65535 };\n", t, (t * 7 + side) % 256, 256 + (t * 256) % 60000
		print "role r;\nrole r types { a0 ty0 };\nuser u roles r;\nsid kernel u:r:ty0"
	}'
}

for kind in attributes pairs xperms; do
	for side in 1 2; do
		policy $kind $side >"$tmp/$side.conf"
		"$build/policy-compile" -c 33 -o "$tmp/$kind.$side" "$tmp/$side.conf"
	done
	status=0
	timeout 300 "$build/policy-query" diff --summary "$tmp/$kind.1" "$tmp/$kind.2" >"$tmp/out" 2>"$tmp/err" || status=$?
	if [ $status -ne 1 ] || ! grep -q 'as they are written' "$tmp/err" || ! grep -q '^Allow' "$tmp/out"; then
		echo "query-crafted: $kind: exit status $status" >&2
		cat "$tmp/err" >&2
		failed=1
	fi
done
[ $failed -eq 0 ] && echo 'query-crafted: 3 differences'
exit $failed
