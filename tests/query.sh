#!/bin/sh
# query.sh [--update] PROGRAM COMPILER [IMAGE [OTHER]]
#
# Runs the cases of testdata/query (see README.md there), and asks the model in
# query-model.py.  With IMAGE, a binary policy, info and rules are compared with
# seinfo and sesearch where these are installed; with OTHER, a diff of the two is
# compared with what their expanded rules say.
#
#   QUERIES, SEED  so many of the queries of query-rules.txt, chosen by the seed;
#                  default: all
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
PYTHONDONTWRITEBYTECODE=1
export LC_ALL PYTHONDONTWRITEBYTECODE

# A crash is never an answer: sanitizers would exit with 1.
ASAN_OPTIONS="exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS UBSAN_OPTIONS

update=''
if [ "${1-}" = --update ]; then
	update=yes
	shift
fi
if [ $# -lt 2 ]; then
	echo 'usage: query.sh [--update] PROGRAM COMPILER [IMAGE [OTHER]]' >&2
	exit 2
fi

# absolute FILE
absolute() {
	case $1 in
	/*) printf '%s\n' "$1" ;;
	*) printf '%s/%s\n' "$(pwd)" "$1" ;;
	esac
}

program=$(absolute "$1")
compiler=$(absolute "$2")
image=${3:+$(absolute "$3")}
other=${4:+$(absolute "$4")}
for file in "$program" "$compiler"; do
	if [ ! -x "$file" ]; then
		echo "query: no program $file" >&2
		exit 2
	fi
done
tests=$(cd -- "$(dirname -- "$0")" && pwd)
cd -- "$tests/../testdata/query"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
passed=0 failed=0

verdict() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $2"
	fi
}

# --- the cases

mls_of() {
	if grep -q '^sensitivity' "$1"; then echo -M; fi
}

for conf in *.conf; do
	[ "$conf" != broken.conf ] || continue
	# shellcheck disable=SC2046 # the option, or none
	"$compiler" $(mls_of "$conf") -c 33 -o "$tmp/${conf%.conf}.policy" "$conf"
done
"$compiler" -M -O -c 33 -o "$tmp/optimized.policy" old.conf
"$compiler" -U allow -c 33 -o "$tmp/unknown-allowed.policy" case-140.conf

for cmd in *.cmd; do
	name=${cmd%.cmd}
	IFS= read -r line <"$cmd"
	status=0
	# shellcheck disable=SC2046 # the arguments are words
	"$program" $(printf '%s\n' "$line" | sed "s|%|$tmp|g") >"$tmp/raw" 2>&1 </dev/null || status=$?
	sed "s|$tmp|%|g" "$tmp/raw" >"$tmp/out"
	printf 'exit status %s\n' "$status" >>"$tmp/out"
	if [ -n "$update" ]; then
		cmp -s "$tmp/out" "$name.out" || { cp "$tmp/out" "$name.out" && echo "changed: $name.out"; }
	elif diff -u "$name.out" "$tmp/out"; then
		verdict 0
	else
		verdict 1 "$name"
	fi
done
[ -z "$update" ] || exit 0

status=0
python3 "$tests/query-model.py" "$program" || status=$?
verdict "$status" model

# --- setools

# One that is there and answers.
have() {
	command -v "$1" >/dev/null && "$1" --help >/dev/null 2>&1
}

# `NAME NUMBER` a line, of two columns of `NAME: NUMBER`.
counts() {
	sed -n 's/^  \([A-Z][^:]*\): *\([0-9]*\)$/\1 \2/p
		s/^  \([A-Z][^:]*\): *\([0-9]*\)    \([A-Z][^:]*\): *\([0-9]*\)$/\1 \2\
\3 \4/p'
}

compare_info() {
	seinfo "$image" | counts | grep -v '^Neverallow' | sort >"$tmp/right"
	"$program" info "$image" | counts |
		sed 's/^Conditionals /Cond. Expr. /; s/^MLS constrain /MLS Constrain /; s/^MLS val. trans /MLS Val. Tran /' |
		grep -v '^Neveraudits ' | sort >"$tmp/left"
	diff -u "$tmp/right" "$tmp/left"
}

# Expressions are checked by the golden cases: sesearch swaps operands and drops
# parentheses.  It also drops the quotes of file names.
normal() {
	sed -e 's/ \[ .* \]:/ [ ]:/' -e 's/ "\([^"]*\)";/ \1;/' | sort
}

compare_rules() {
	# shellcheck disable=SC2086 # the arguments are words
	sesearch $1 "$image" | normal >"$tmp/right"
	answer=0
	# shellcheck disable=SC2086
	"$program" rules $1 "$image" >"$tmp/raw" || answer=$?
	normal <"$tmp/raw" >"$tmp/left"
	if ! cmp -s "$tmp/left" "$tmp/right"; then
		diff "$tmp/right" "$tmp/left" | head -n 5
		return 1
	fi
	if [ -s "$tmp/left" ]; then [ "$answer" = 0 ]; else [ "$answer" = 1 ]; fi
}

# Lines of query-rules.txt: all, or QUERIES of them.
queries() {
	awk -v n="${QUERIES:-0}" -v seed="${SEED:-1}" '
		{ line[NR] = $0 }
		END {
			srand(seed)
			for (i = 1; i <= NR && (!n || i <= n); i++) {
				k = n ? i + int(rand() * (NR - i + 1)) : i
				print line[k]
				line[k] = line[i]
			}
		}' "$tests/query-rules.txt"
}

if [ -n "$image" ] && have seinfo && have sesearch; then
	status=0
	queries >"$tmp/queries"
	compare_info || status=$?
	verdict "$status" "info: not what seinfo says"
	while IFS= read -r query; do
		status=0
		compare_rules "$query" || status=$?
		verdict "$status" "rules $query: not what sesearch says"
	done <"$tmp/queries"
fi
if [ -n "$other" ] && have sesearch; then
	status=0
	/usr/bin/python3 "$tests/query-expand.py" "$program" "$image" "$other" || status=$?
	verdict "$status" "diff: not what the expanded rules say"
fi

echo "query: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
