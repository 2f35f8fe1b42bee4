#!/bin/sh
# ebitmap.sh EBITMAP-SETS COMPILER
#
# The loops over words of each level that this machine has, on the sets of real
# policies: the example, and the reference policy in the types that
# refpolicy.sh left in WORK.
#
# Exit status: 0 all equal, 1 not.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
sets=$1 compiler=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT

"$compiler" -M -o "$tmp/example" "$here/../testdata/example/policy.conf"
set -- "$tmp/example"
for source in "${WORK:-/nowhere}"/*/policy.conf; do
	[ -f "$source" ] || continue
	type=$(basename -- "$(dirname -- "$source")")
	if [ "$type" = standard ]; then
		"$compiler" -o "$tmp/$type" "$source"
	else
		"$compiler" -M -o "$tmp/$type" "$source"
	fi
	set -- "$@" "$tmp/$type"
done
"$sets" "$@"
