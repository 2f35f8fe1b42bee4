#!/bin/sh
# kernel.sh COMPILER [POLICY]...
#
# A real kernel judges the images of COMPILER: it loads them, answers questions
# as it does with the reference's images, and writes back the same policy.  The
# policies are standard, mcs and mls, which are the reference policy's types, and
# smallest, the least that the kernel takes.
#
#   REFERENCE, SOURCES, WORK  as for refpolicy.sh
#   KERNEL                    default: linux.uml (Debian: user-mode-linux)
#   SEED                      of the questions (default: 1)
#   CC                        compiles what runs in the kernel
#
# Exit status: 0 all equal, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 1 ]; then
	echo 'usage: kernel.sh COMPILER [POLICY]...' >&2
	exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
compiler=$1
shift
[ $# -gt 0 ] || set -- smallest standard mcs mls
reference=${REFERENCE:-checkpolicy}
seed=${SEED:-1}
for program in "$compiler" "$reference" "${KERNEL:-linux.uml}" python3; do
	if ! command -v "$program" >/dev/null; then
		echo "kernel: no program $program" >&2
		exit 2
	fi
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=${WORK:-$tmp/policy}
mkdir -p "$work" "$tmp/programs"

"${CC:-cc}" -std=gnu11 -O1 -static -o "$tmp/programs/init" "$here/kernel/init.c"
"${CC:-cc}" -std=gnu11 -O1 -shared -fPIC -o "$tmp/programs/xstate.so" "$here/kernel/xstate.c"

# Shows what a command said only when it fails.
quiet() {
	if ! "$@" >"$dir/log" 2>&1 </dev/null; then
		tail -n 20 "$dir/log" >&2
		printf 'failed: %s\n' "$*" >&2
		return 1
	fi
}

# decompile OPTION TEXT IMAGE
decompile() {
	set -- "$1" -o "$2" "$3"
	case $policy in
	mcs | mls) set -- -M "$@" ;;
	esac
	quiet "$reference" -b "$@"
}

make_images() {
	case $policy in
	smallest) source=$here/kernel/smallest.conf ;;
	*)
		REFERENCE=$reference "$here/refpolicy-source" "$work" "$policy" make
		source=$work/$policy/policy.conf
		;;
	esac
	set -- -U deny -S -O -E -c 33
	case $policy in
	mcs | mls) set -- -M "$@" ;;
	esac
	quiet "$compiler" "$@" -o "$dir/ours" "$source"
	if [ -e "$work/$policy.make.33" ]; then
		cp "$work/$policy.make.33" "$dir/reference"
	else
		quiet "$reference" "$@" -o "$dir/reference" "$source"
	fi
}

# Both kernels ran the same questions: the first line that differs, with its question.
compare_answers() {
	cmp -s "$dir/kernel-reference/answers" "$dir/kernel-ours/answers" && return
	echo 'question, answer for the reference, answer for ours:' >&2
	paste -d '\n' "$dir/queries" "$dir/kernel-reference/answers" "$dir/kernel-ours/answers" |
		awk '{ line[NR % 3] = $0 }
			NR % 3 == 0 && line[2] != line[0] && n++ < 5 {
				print line[1]; print "  " line[2]; print "  " line[0] }' >&2
	return 1
}

compare_readback() {
	for option in -F -C; do
		decompile "$option" "$dir/reference.text" "$dir/kernel-reference/readback"
		decompile "$option" "$dir/ours.text" "$dir/kernel-ours/readback"
		python3 -B "$here/text-diff.py" -n 12 --optimised --known "$known" \
			"$dir/reference.text" "$dir/ours.text" >&2
		# Nothing gets lost on the way through the kernel.
		decompile "$option" "$dir/before.text" "$dir/ours"
		python3 -B "$here/text-diff.py" -n 12 "$dir/before.text" "$dir/ours.text" >&2
	done
}

judge() {
	make_images
	decompile -F "$dir/reference.text" "$dir/reference"
	python3 -B "$here/kernel/queries.py" -s "$seed" "$dir/reference.text" >"$dir/queries"
	for whose in reference ours; do
		"$here/kernel/run.sh" "$tmp/programs" "$dir/$whose" "$dir/queries" \
			"$dir/kernel-$whose"
	done
	compare_answers
	compare_readback
}

summary() {
	awk '/^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ [0-9]+$/ { asked++; allowed += $1 != "00000000" }
		/^error / { errors++ }
		END { printf "%d answers, %d of %d accesses with something allowed, %d errors\n",
			NR, allowed, asked, errors }' "$dir/kernel-ours/answers"
}

# What the reference is known to lack.
known=$tmp/known
passed=0 failed=0
for policy; do
	dir=$tmp/$policy
	mkdir "$dir"
	case $policy-$("$reference" -V) in
	smallest-* | *-3[!3]*) : >"$known" ;;
	*) cp "$here/refpolicy.known" "$known" ;;
	esac
	# Alone on its line, or set -e would not hold within.
	set +e
	( set -e; judge ) 2>"$tmp/report"
	status=$?
	set -e
	if [ "$status" -eq 0 ]; then
		passed=$((passed + 1))
		printf 'kernel: %s: seed %s: %s\n' "$policy" "$seed" "$(summary)"
	else
		failed=$((failed + 1))
		printf 'FAIL %s (seed %s)\n' "$policy" "$seed"
		sed 's/^/  /' "$tmp/report"
	fi
	rm -rf "$dir"
done
printf 'kernel: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
