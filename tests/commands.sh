#!/bin/sh
# commands.sh [--update] PROGRAM [TEXT]...
#
# Runs policy-compile as the lines of testdata/commands/*.cmd say, or of those
# with one of the TEXTs in their name, and compares what it prints and how it
# ends with NAME.out.  See the README there.
#
# Exit status: 0 all as expected, 1 not, 2 wrong use.
set -eu
LC_ALL=C
export LC_ALL

# A crash is never an answer: sanitizers would exit with 1.
ASAN_OPTIONS="exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS UBSAN_OPTIONS

update=''
if [ "${1-}" = --update ]; then
	update=yes
	shift
fi
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo 'usage: commands.sh [--update] PROGRAM [TEXT]...' >&2
	exit 2
fi
case $1 in
/*) program=$1 ;;
*) program=$(pwd)/$1 ;;
esac
shift
cd -- "$(dirname -- "$0")/../testdata/commands"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

chosen() {
	name=$1
	shift
	[ $# -gt 0 ] || return 0
	for text; do
		case $name in
		*"$text"*) return 0 ;;
		esac
	done
	return 1
}

# run_lines FILE: what the user would see; % is a directory that is empty in the
# beginning, and the usage is one line.
run_lines() {
	mkdir "$tmp/files"
	while IFS= read -r line; do
		called=policy-compile
		case $line in
		'module-compile '* | 'policy-query '*)
			called=${line%% *}
			line=${line#* }
			;;
		esac
		printf '$ %s %s\n' "$called" "$line"
		status=0
		# shellcheck disable=SC2046 # the arguments are words
		"${program%/*}/$called" $(printf '%s\n' "$line" | sed "s|%|$tmp/files|g") </dev/null >"$tmp/raw" 2>&1 || status=$?
		sed "s|$tmp/files|%|g; s|^${program%/*}/$called:|$called:|" "$tmp/raw" |
			sed '/^usage: policy-compile/,/-h, --help/c\
(usage)'
		printf 'exit status %s\n' "$status"
	done <"$1"
	rm -r "$tmp/files"
}

passed=0 failed=0
for cmd in *.cmd; do
	name=${cmd%.cmd}
	chosen "$name" "$@" || continue
	run_lines "$cmd" >"$tmp/out"
	if [ -n "$update" ]; then
		cmp -s "$tmp/out" "$name.out" || { cp "$tmp/out" "$name.out" && echo "changed: $name.out"; }
	elif diff -u "$name.out" "$tmp/out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name"
	fi
done
[ -z "$update" ] || exit 0
echo "commands: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
