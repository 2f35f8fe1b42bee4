#!/bin/sh
# text-out.sh COMPILER [CASE]...
#
# Turns each accepted case of testdata/golden, testdata/cases and the example into
# text and back, or those whose path has one of the CASEs in it.  What is checked
# stands at the head of text-out.py.
#
#   REFERENCE  the checkpolicy that must accept the text (default: checkpolicy)
#   SECILC     the CIL compiler (default: secilc)
#   JOBS       cases at a time (default: the number of cores)
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 1 ]; then
	echo 'usage: text-out.sh COMPILER [CASE]...' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
for tool in "${REFERENCE:-checkpolicy}" "${SECILC:-secilc}"; do
	if ! command -v "$tool" >/dev/null 2>&1; then
		echo "text-out: no program $tool: apt-get install checkpolicy secilc" >&2
		exit 2
	fi
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

python3 -B "$here/text-out.py" "$tmp" "$@"
