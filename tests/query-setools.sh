#!/bin/sh
# query-setools.sh PROGRAM COMPILER
#
# Compares policy-query with seinfo and sesearch on the reference policy: what
# both count, and some of the queries of query-rules.txt.  All of them, and a
# diff, which takes minutes: `query.sh PROGRAM COMPILER IMAGE OTHER`.
#
#   QUERIES, SEED  how many queries, and which (default: 6, the day of the year)
#   REFERENCE, SOURCES, WORK  as for refpolicy.sh
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -ne 2 ]; then
	echo 'usage: query-setools.sh PROGRAM COMPILER' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
for tool in seinfo sesearch; do
	if ! "$tool" --help >/dev/null 2>&1; then
		echo "query-setools: no program $tool: apt-get install setools" >&2
		exit 2
	fi
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=${WORK:-$tmp/policy}
QUERIES=${QUERIES:-6}
SEED=${SEED:-$(date +%j)}
export QUERIES SEED
echo "query-setools: QUERIES=$QUERIES SEED=$SEED"

"$here/refpolicy-source" "$work" mls
"$2" -M -c 33 -o "$tmp/mls.policy" "$work/mls/policy.conf"
"$here/query.sh" "$1" "$2" "$tmp/mls.policy"
