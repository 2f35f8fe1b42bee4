#!/bin/sh
# corrupt.sh COMPILER CORRUPT [IMAGE]...
#
# Systematic damage to small policies, modules and packages of several versions, and
# to the example policy; then to the IMAGEs, if any, say a reference policy.  At last the images of
# testdata/bogus-images, each of which was a fault once.
#
#   SECONDS_EACH  time for each image (default 8)
#   OPTIONS       for CORRUPT, for example -w
#
# Exit status: 0 all well, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 2 ]; then
	echo 'usage: corrupt.sh COMPILER CORRUPT [IMAGE]...' >&2
	exit 2
fi
# A sanitizer's exit is never a refusal.
ASAN_OPTIONS="exitcode=99:detect_leaks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS UBSAN_OPTIONS
compiler=$1 corrupt=$2
shift 2
testdata=$(cd -- "$(dirname -- "$0")/../testdata" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# compile NAME SOURCE OPTION...
compile() {
	name=$1 source=$2
	shift 2
	"$compiler" "$@" -o "$tmp/$name" "$source" 2>"$tmp/err" || {
		cat "$tmp/err" >&2
		exit 2
	}
}

# The smallest policy that a kernel takes.
cat >"$tmp/small.conf" <<END
class file
class process
sid kernel
class file { read write }
class process { transition dyntransition }
type ta;
role ra;
role ra types ta;
allow ta ta:file read;
user ua roles ra;
sid kernel ua:ra:ta
END

compile small-33 "$tmp/small.conf" -c 33
compile small-19 "$tmp/small.conf" -c 19
compile example-33 "$testdata/example/policy.conf" -M -c 33

for image; do
	shift
	set -- "$@" "large:$image"
done
set -- "small:$tmp/small-33" "small:$tmp/small-19" "large:$tmp/example-33" "$@"
for image in "$testdata"/fuzz/reader/conditional-35 "$testdata"/fuzz/reader/filename-25 "$testdata"/fuzz/reader/mls-23; do
	set -- "$@" "small:$image"
done
for image in module-8 module-24 base-24 package-module package-linked; do
	set -- "$@" "small:$testdata/fuzz/module/$image"
done
for image in "$testdata"/bogus-images/*; do
	[ ! -f "$image" ] || set -- "$@" "bogus:$image"
done
# shellcheck disable=SC2086 # options are words
"$corrupt" -t "${SECONDS_EACH:-8}" ${OPTIONS:-} "$@"
