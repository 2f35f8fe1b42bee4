#!/bin/sh
# kernel-profile.sh DIRECTORY [PROFILE]
#
# Asks a real kernel what it knows, with policy-compile and policy-query of
# DIRECTORY, and prints its profile; or compares that with PROFILE, a file.
#
#   KERNEL  default: linux.uml (Debian: user-mode-linux)
#   CC      compiles what runs in the kernel
#
# A kernel names its classes and permissions only where the policy that it loads
# lacks them.  So it gets the least policy first, which makes it name its
# classes, then one that has all of these and none of their permissions.
#
# Exit status: 0 equal or printed, 1 different, 2 wrong use or failed.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo 'usage: kernel-profile.sh DIRECTORY [PROFILE]' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
compiler=$1/policy-compile
query=$1/policy-query
for program in "$compiler" "$query" "${KERNEL:-linux.uml}"; do
	if ! command -v "$program" >/dev/null; then
		echo "kernel-profile: no program $program" >&2
		exit 2
	fi
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir "$tmp/programs"
: >"$tmp/queries"
"${CC:-cc}" -std=gnu11 -O1 -static -o "$tmp/programs/init" "$here/kernel/profile_init.c"
"${CC:-cc}" -std=gnu11 -O1 -shared -fPIC -o "$tmp/programs/xstate.so" "$here/kernel/xstate.c"

# boot NAME: with $tmp/NAME.conf; leaves $tmp/NAME/fs and $tmp/NAME/log.
boot() {
	"$compiler" -c 30 -o "$tmp/$1.policy" "$tmp/$1.conf" || exit 2
	"$here/kernel/run.sh" "$tmp/programs" "$tmp/$1.policy" "$tmp/queries" "$tmp/$1" || exit 2
}

# write_policy [CLASS]...: the kernel wants process with these permissions, and
# the first three initial SIDs.
write_policy() {
	printf 'class %s\n' process "$@"
	printf 'sid %s\n' kernel security unlabeled
	echo 'class process { transition dyntransition }'
	for class; do
		echo "class $class { kernel_profile_probe }"
	done
	printf '%s\n' 'type t;' 'role r;' 'role r types t;' 'allow t t:process transition;' 'user u roles r;'
	printf 'sid %s u:r:t\n' kernel security unlabeled
}

write_policy >"$tmp/least.conf"
boot least

classes=$(sed -n 's/.*SELinux:  Class \([^ ]*\) not defined in policy.*/\1/p' "$tmp/least/log")
# shellcheck disable=SC2086 # into words
write_policy $classes >"$tmp/probe.conf"
boot probe

"$query" kernel-profile --log "$tmp/probe/log" "$tmp/probe/fs" >"$tmp/profile" || exit 2
if [ $# -eq 1 ]; then
	cat "$tmp/profile"
	exit 0
fi

# Names and orders differ; words of a line are sorted as well.
normal() {
	sed 's/#.*//; /^name /d; /^ *$/d' "$1" | while read -r words; do
		# shellcheck disable=SC2086 # into words
		printf '%s\n' $words | sort | tr '\n' ' '
		echo
	done | sort
}
normal "$tmp/profile" >"$tmp/asked"
normal "$2" >"$tmp/written"
if ! diff -u "$tmp/written" "$tmp/asked"; then
	echo "kernel-profile: $2 is not what the kernel says" >&2
	exit 1
fi
echo "kernel-profile: $2: $(grep -c '^class ' "$tmp/profile") classes, as the kernel says"
