#!/bin/sh
# decisions.sh BUILD [POLICY]...
#
# Decisions of policy-query batch against those of a real kernel and of libsepol,
# on random questions.  BUILD is where policy-compile, policy-query, questions
# and decide-peer are.  A POLICY is source, a binary policy, or the name of one of
# the reference policy's types: standard, mcs, mls.  Default is
# testdata/decisions/every.conf, which uses every feature.
#
#   ACCESS    questions about access for the kernel (default: 5000)
#   OTHERS    of each other kind (default: 500)
#   PEER      questions for libsepol (default: 20000)
#   KERNEL    default: linux.uml (Debian: user-mode-linux)
#   SEED      of the questions (default: 1)
#   AS        a binary policy: the questions for the kernel are about this one, and
#             it answers them alike with it and with POLICY
#   CC        compiles what runs in the kernel
#   SOURCES, WORK  as for refpolicy.sh
#
# Without that kernel only libsepol is asked.
#
# Exit status: 0 all equal, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 1 ]; then
	echo 'usage: decisions.sh BUILD [POLICY]...' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
build=$(cd -- "$1" && pwd)
shift
[ $# -gt 0 ] || set -- "$here/../testdata/decisions/every.conf"
seed=${SEED:-1}
for program in policy-compile policy-query questions decide-peer; do
	if [ ! -x "$build/$program" ]; then
		echo "decisions: no program $build/$program" >&2
		exit 2
	fi
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

kernel=''
if command -v "${KERNEL:-linux.uml}" >/dev/null; then
	kernel=yes
	"${CC:-cc}" -std=gnu11 -O1 -static -o "$tmp/init" "$here/kernel/init.c"
	"${CC:-cc}" -std=gnu11 -O1 -shared -fPIC -o "$tmp/xstate.so" "$here/kernel/xstate.c"
fi

mls_of() {
	if grep -q '^sensitivity' "$1"; then echo -M; fi
}

# The image of a policy.  every.conf has children that may more than their
# parents, which a kernel is to mask: no check of bounds.
make_image() {
	case $(od -An -tx4 -N4 "$1") in
	*f97cff8c) cp "$1" "$tmp/image" ;;
	*)
		# shellcheck disable=SC2046 # the option, or none
		"$build/policy-compile" $(mls_of "$1") -N -c 33 -o "$tmp/image" "$1"
		;;
	esac
}

# alike WHO ANSWERS: if they differ from the kernel's, the questions, with both.
alike() {
	if cmp -s "$2" "$tmp/kernel/answers"; then
		echo "  as $1 answers"
		return
	fi
	echo "  not as $1 answers:"
	paste -d '\n' "$tmp/questions" "$tmp/kernel/answers" "$2" |
		awk '{ line[NR % 3] = $0 }
			NR % 3 == 0 && line[2] != line[0] && n++ < 5 {
				print line[1]; print "  the kernel " line[2]; print "  the other  " line[0] }'
	return 1
}

# kernel_answers IMAGE DIR
kernel_answers() {
	rm -rf "$2"
	"$here/kernel/run.sh" "$tmp" "$1" "$tmp/questions" "$2"
}

ask_kernel() {
	"$build/questions" -s "$seed" -a "${ACCESS:-5000}" -n "${OTHERS:-500}" "${AS:-$tmp/image}" >"$tmp/questions"
	"$build/policy-query" batch "$tmp/image" "$tmp/questions" >"$tmp/ours"
	kernel_answers "$tmp/image" "$tmp/kernel"
	awk -v "policy=$1" -v "seed=$seed" '{ n[$1]++ }
		END { printf "%s: seed %s: %d access, %d create, %d member, %d relabel, %d validatetrans, %d setbool\n", policy, seed,
			n["access"], n["create"], n["member"], n["relabel"], n["validatetrans"], n["setbool"] }' "$tmp/questions"
	alike policy-query "$tmp/ours" || return
	[ -n "${AS:-}" ] || return 0
	kernel_answers "$AS" "$tmp/as"
	alike "the kernel with $(basename "$AS")" "$tmp/as/answers"
}

work=${WORK:-$tmp/policy}
mkdir -p "$work" "$tmp/named"
failed=0
for policy; do
	case $policy in
	standard | mcs | mls)
		"$here/refpolicy-source" "$work" "$policy"
		policy=$work/$policy/policy.conf
		;;
	esac
	make_image "$policy"
	if [ -n "$kernel" ]; then
		ask_kernel "$policy" || failed=1
	fi
	cp "$tmp/image" "$tmp/named/$(basename "$policy")"
	(cd "$tmp/named" && "$build/decide-peer" -n "${PEER:-20000}" -s "$seed" "$(basename "$policy")") || failed=1
done
[ -n "$kernel" ] || echo 'decisions: no kernel to ask (Debian: user-mode-linux)'
exit "$failed"
