#!/bin/sh
# avc-decisions.sh BUILD [TYPE]...
#
# What the access vector cache answers against single decisions, on random
# questions: over one policy, and over two, of which the second lacks every third
# rule and grants what it does not know.  BUILD is where policy-compile and
# avc-decisions are.  A TYPE is that of a reference policy: standard, mcs, mls.
# Default is testdata/decisions/every.conf, which uses every feature.
#
#   COUNT   questions (default: 20000)
#   PAIRS   for which all numbers of ioctl are asked about (default: 3)
#   SEED    of the questions (default: 1)
#   SOURCES, WORK  as for refpolicy.sh
#
# Exit status: 0 all equal, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 1 ] || [ ! -x "$1/avc-decisions" ] || [ ! -x "$1/policy-compile" ]; then
	echo 'usage: avc-decisions.sh BUILD [TYPE]...' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
top=$(cd -- "$here/.." && pwd)
build=$(cd -- "$1" && pwd)
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=${WORK:-$tmp/policy}
mkdir -p "$work"
failed=0

# image NAME SOURCE [OPTION]...
image() {
	name=$1 source=$2
	shift 2
	if grep -q '^sensitivity' "$source"; then set -- -M "$@"; fi
	"$build/policy-compile" -N -c 33 "$@" -o "$tmp/$name" "$source"
}

ask() { "$build/avc-decisions" -s "${SEED:-1}" -n "${COUNT:-20000}" -x "${PAIRS:-3}" "$@" || failed=1; }

compare() {
	echo "$1:"
	awk '/^(allow|allowxperm|auditallow|dontaudit) / && ++n % 3 == 0 { next } { print }' "$1" >"$tmp/fewer.conf"
	image all "$1"
	image fewer "$tmp/fewer.conf" -U allow
	ask "$tmp/all"
	ask "$tmp/all" "$tmp/fewer"
	ask "$tmp/fewer" "$tmp/all"
}

[ $# -gt 0 ] || compare "$top/testdata/decisions/every.conf"
for type; do
	"$here/refpolicy-source" "$work" "$type"
	compare "$work/$type/policy.conf"
done
exit "$failed"
