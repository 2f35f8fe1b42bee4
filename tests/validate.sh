#!/bin/sh
# validate.sh [--update] PROGRAM [TEXT]...
#
# Runs the cases of testdata/validate (see README.md there), or those with one of
# the TEXTs in their path.  The policy-compile beside the program makes binary
# policies for those that want them.
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

# A crash is never an answer: sanitizers would exit with 1.
ASAN_OPTIONS="exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
LSAN_OPTIONS="exitcode=99${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

update=''
if [ "${1-}" = --update ]; then
	update=yes
	shift
fi
if [ $# -lt 1 ]; then
	echo 'usage: validate.sh [--update] PROGRAM [TEXT]...' >&2
	exit 2
fi
case $1 in
/*) program=$1 ;;
*) program=$(pwd)/$1 ;;
esac
shift
if [ ! -x "$program" ]; then
	echo "validate: no program $program" >&2
	exit 2
fi
cd -- "$(dirname -- "$0")/../testdata/validate"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
top=$(pwd)
passed=0 failed=0

chosen() {
	[ $# -gt 1 ] || return 0
	path=$1
	shift
	for text; do
		case $path in
		*"$text"*) return 0 ;;
		esac
	done
	return 1
}

# binaries DIRECTORY: makes its sources, those that compile, binary in a directory
# of $tmp, whose name is left in $binaries.
binaries() {
	binaries=$tmp/$1
	[ ! -d "$binaries" ] || return 0
	mkdir -p "$binaries"
	for conf in "$1"/*.conf; do
		mls=''
		! grep -q '^sensitivity' "$conf" || mls=-M
		"${program%/*}/policy-compile" ${mls:+"$mls"} -c 33 -o "$binaries/$(basename "$conf" .conf).policy" "$conf" 2>/dev/null || :
	done
}

find . -name '*.cmd' | sort >"$tmp/cases"
while IFS= read -r cmd; do
	chosen "$cmd" "$@" || continue
	name=${cmd##*/}
	name=${name%.cmd}
	cd "$top"
	IFS= read -r line <"$cmd"
	binaries=''
	case $line in
	*%*)
		binaries "${cmd%/*}"
		line=$(printf '%s\n' "$line" | sed "s|%|$binaries|g")
		;;
	esac
	cd "${cmd%/*}"
	input=/dev/null
	[ ! -f "$name.in" ] || input=$name.in
	status=0
	set -f
	# shellcheck disable=SC2086 # the arguments are words
	timeout 120 "$program" $line >"$tmp/raw" 2>&1 <"$input" || status=$?
	set +f
	if [ -n "$binaries" ]; then sed "s|$binaries|%|g" "$tmp/raw" >"$tmp/out"; else mv "$tmp/raw" "$tmp/out"; fi
	printf 'exit status %s\n' "$status" >>"$tmp/out"
	if [ "$status" -gt 2 ] || grep -Eq 'Sanitizer|runtime error:' "$tmp/out"; then
		failed=$((failed + 1))
		echo "FAIL $cmd: status $status"
		cat "$tmp/out"
	elif [ -n "$update" ]; then
		cmp -s "$tmp/out" "$name.out" || { cp "$tmp/out" "$name.out" && echo "changed: ${cmd%.cmd}.out"; }
	elif diff -u "$name.out" "$tmp/out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $cmd"
	fi
done <"$tmp/cases"
cd "$top"
if [ -n "$update" ]; then
	git diff --stat -- . || :
	exit 0
fi

# A file of no case would check nothing.
for out in $(find . -name '*.out' -o -name '*.in' | sort); do
	if [ ! -f "${out%.*}.cmd" ]; then
		failed=$((failed + 1))
		echo "FAIL $out belongs to no case"
	fi
done

echo "validate: $passed passed, $failed failed"
if [ $((passed + failed)) -eq 0 ]; then
	echo 'validate: no cases' >&2
	exit 1
fi
[ "$failed" -eq 0 ]
