#!/bin/sh
# refpolicy-files.sh DIRECTORY [TYPE]...
#
# Installs the reference policy from Debian's selinux-policy-src with our
# compiler, in the types standard, mcs and mls or those that are named, and
# checks all label files that it installs, and those of the build, against it.
# What is found has to be in refpolicy-files.known.  The programs are in the
# directory.
#
#   SOURCES      default: /usr/src/selinux-policy-src.tar.zst
#   WORK         a directory to keep the expanded policy in (default: a
#                temporary one); a second run is faster
#
# Exit status: 0 as known, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 1 ]; then
	echo 'usage: refpolicy-files.sh DIRECTORY [TYPE]...' >&2
	exit 2
fi
programs=$(cd -- "$1" && pwd)
shift
[ $# -gt 0 ] || set -- standard mcs mls
here=$(cd -- "$(dirname -- "$0")" && pwd)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=${WORK:-$tmp/policy}
mkdir -p "$work"
work=$(cd -- "$work" && pwd)
passed=0 failed=0

# Shows what a command said only when it fails.
quiet() {
	if ! "$@" >"$tmp/log" 2>&1 </dev/null; then
		tail -n 20 "$tmp/log" >&2
		echo "failed: $*" >&2
		return 1
	fi
}

# The findings without their lines, which depend on the users of the machine.
findings() {
	sed -n 's/^\([^ ]*\):[0-9]*:[0-9]*: \(error\|warning\): \(.*\)$/\1: \2: \3/p' | sort
}

# setfiles refuses what make builds (see the list): true takes its place.
for type; do
	REFERENCE=$programs/policy-compile "$here/refpolicy-source" "$work" "$type"
	quiet make -C "$work/$type" install DESTDIR="$tmp/$type" NAME=refpolicy MONOLITHIC=y TYPE="$type" \
		CHECKPOLICY="$programs/policy-compile" SETFILES=true || exit 2
	status=0
	(cd "$tmp/$type/etc/selinux" && "$programs/mls-validate" -p refpolicy/policy/policy.* files refpolicy 2>"$tmp/err") || status=$?
	findings <"$tmp/err" >"$tmp/got"
	grep -v '^#' "$here/refpolicy-files.known" | sed -n "s/^\(all\|$type\) //p" | sort >"$tmp/wanted"
	if [ "$status" -le 1 ] && diff -u "$tmp/wanted" "$tmp/got"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $type: status $status"
		tail -n 5 "$tmp/err"
	fi
done

echo "refpolicy-files: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
