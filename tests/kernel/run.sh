#!/bin/sh
# run.sh PROGRAMS POLICY QUERIES DIR
#
# Boots a Linux kernel as a process (Debian: user-mode-linux), loads the binary
# policy POLICY and asks it the lines of QUERIES; see init.c.  PROGRAMS is where
# init and xstate.so are, compiled.  DIR, which must not exist, gets:
#
#   answers   one line for each query
#   readback  the policy as the kernel writes it
#   report    what happened
#   console   what the kernel printed
#
#   KERNEL    the kernel (default: linux.uml)
#   LIMIT     seconds until it is given up (default: 120)
#
# Exit status: 0 loaded and asked, 1 the kernel refuses the policy, 2 wrong use,
# 3 the kernel did not come to the end.
set -eu

if [ $# -ne 4 ]; then
	echo 'usage: run.sh PROGRAMS POLICY QUERIES DIR' >&2
	exit 2
fi
programs=$(cd -- "$1" && pwd)
dir=$4
mkdir "$dir"
dir=$(cd -- "$dir" && pwd)
cp "$programs/init" "$dir/init"
cp "$2" "$dir/policy"
cp "$3" "$dir/queries"

# The directory is the kernel's root: nothing to pack.  con and ssl keep it from
# the terminal.  The RAID benchmark would take half of the time.
timeout -k 5 "${LIMIT:-120}" env LD_PRELOAD="$programs/xstate.so" "${KERNEL:-linux.uml}" \
	mem=512M uml_dir="$dir/uml/" \
	con=null con0=null,fd:1 ssl=null \
	rootfstype=hostfs rootflags="$dir" rw init=/init \
	initcall_blacklist=raid6_select_algo quiet panic=-1 log_buf_len=4M \
	lsm=selinux enforcing=0 </dev/null >"$dir/console" 2>&1 || :

rm -rf "$dir/init" "$dir/policy" "$dir/queries" "$dir/selinux" "$dir/uml"
touch "$dir/report"
if grep -q '^done$' "$dir/report"; then
	exit 0
fi
if grep -q '^refused: ' "$dir/report"; then
	grep -v 'not defined in policy' "$dir/report" | tail -n 20 >&2
	exit 1
fi
tail -n 20 "$dir/console" >&2
tail -n 5 "$dir/report" >&2
echo 'run.sh: the kernel did not come to the end' >&2
exit 3
