#!/bin/sh
# contexts.sh [-k] CONTEXTS COMPILER [POLICY]...
#
# Made-up contexts, right ones and broken ones, under each policy: CONTEXTS
# (contexts.c) judges them and compares with libsepol, with -k with a real
# kernel.  A POLICY is odd (contexts.conf, whose levels have unusual names and
# categories), plain (the same without MLS), standard, mcs or mls (the reference policy), or a policy image.
#
#   COUNT                     contexts a policy (default: 100000; -k: 5000)
#   SEED                      of the contexts (default: 1)
#   REFERENCE, SOURCES, WORK  as for refpolicy.sh
#   KERNEL, CC                as for kernel.sh
#
# Exit status: 0 all equal, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

ask=''
if [ "${1-}" = -k ]; then
	ask=yes
	shift
fi
if [ $# -lt 2 ]; then
	echo 'usage: contexts.sh [-k] CONTEXTS COMPILER [POLICY]...' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
contexts=$1 compiler=$2
shift 2
[ $# -gt 0 ] || set -- odd plain
seed=${SEED:-1}
if [ -n "$ask" ] && ! command -v "${KERNEL:-linux.uml}" >/dev/null; then
	echo "contexts: no program ${KERNEL:-linux.uml} (Debian: user-mode-linux)" >&2
	exit 2
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=${WORK:-$tmp/policy}
mkdir -p "$work"

# image_of POLICY: sets image.
image_of() {
	image=$tmp/$1.33
	source='' mls=-M
	case $1 in
	odd) source=$here/contexts.conf ;;
	plain)
		source=$tmp/plain.conf mls=''
		sed -e '/^sensitivity /d' -e '/^dominance /d' -e '/^category /d' -e '/^level /d' -e '/^mlsconstrain /d' \
			-e 's/ level .*/;/' -e 's/:s - .*//' "$here/contexts.conf" >"$source"
		;;
	standard | mcs | mls)
		"$here/refpolicy-source" "$work" "$1"
		source=$work/$1/policy.conf
		[ "$1" != standard ] || mls=''
		;;
	*) image=$1 ;;
	esac
	[ -z "$source" ] || "$compiler" $mls -c 33 -o "$image" "$source" 2>"$tmp/log" || {
		tail -n 20 "$tmp/log" >&2
		exit 2
	}
}

# What the kernel says differently: question, its answer, ours.
asked() {
	"$contexts" -s "$seed" -n "${COUNT:-5000}" -k "$tmp/ours" "$image" >"$tmp/queries"
	rm -rf "$tmp/kernel"
	"$here/kernel/run.sh" "$tmp/programs" "$image" "$tmp/queries" "$tmp/kernel"
	if ! cmp -s "$tmp/ours" "$tmp/kernel/answers"; then
		echo "FAIL $policy: question, answer of the kernel, ours:"
		paste -d '\n' "$tmp/queries" "$tmp/kernel/answers" "$tmp/ours" |
			awk '{ line[NR % 3] = $0 }
				NR % 3 == 0 && line[2] != line[0] && n++ < 10 {
					print line[1]; print "  " line[2]; print "  " line[0] }'
		return 1
	fi
	awk -v name="$policy" -v seed="$seed" '/^error / { bad++ }
		END { printf "contexts: %s: seed %s: the kernel says the same of %d contexts, %d valid\n",
			name, seed, NR, NR - bad }' "$tmp/kernel/answers"
}

if [ -n "$ask" ]; then
	mkdir "$tmp/programs"
	"${CC:-cc}" -std=gnu11 -O1 -static -o "$tmp/programs/init" "$here/kernel/init.c"
	"${CC:-cc}" -std=gnu11 -O1 -shared -fPIC -o "$tmp/programs/xstate.so" "$here/kernel/xstate.c"
fi
failed=0
for policy; do
	image_of "$policy"
	if [ -n "$ask" ]; then
		asked || failed=1
	else
		summary=$("$contexts" -s "$seed" -n "${COUNT:-100000}" "$image") || failed=1
		printf 'contexts: %s: %s\n' "$policy" "$summary"
	fi
done
exit "$failed"
