#!/bin/sh
# differential.sh COMPILER [CASE]...
#
# Compares COMPILER with checkpolicy on each case of testdata/golden and on the
# example, or on those cases that are named: a path, or a part of a case's name.
# What is compared, and how, stands at the head of differential.py.
#
#   REFERENCE  the checkpolicy to compare with (default: checkpolicy; the list
#              testdata/DIFFERENCES.md is for 3.4)
#   CC         compiles the program that reads images with libsepol
#   JOBS       cases at a time (default: the number of cores)
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 1 ]; then
	echo 'usage: differential.sh COMPILER [CASE]...' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

"$here/build-sepol-compare" "$tmp/sepol-compare"
python3 -B "$here/differential.py" "$tmp" "$@"
