#!/bin/sh
# cases.sh COMPILER [TEXT]...
#
# Runs the cases of testdata/cases, reduced from reports about real policies, or
# those with one of the TEXTs in their name.  The file `expect` of a case has one
# expectation a line; PATTERN is an extended regular expression for grep:
#
#   accept FILE [OPTION]...            exit status 0, an image, no error
#   package FILE [OPTION]...           accept, and semodule_package takes the module
#   silent FILE [OPTION]...            accept, and nothing is printed
#   reject FILE [OPTION]...            exit status 1, an error is printed; no
#                                      image is left, an older one is as it was
#   error FILE [OPTION]...: PATTERN    reject, and an error matches
#   warning FILE [OPTION]...: PATTERN  accept, and a warning matches
#   says FILE [OPTION]...: PATTERN     any line on standard error matches
#   text FILE [OPTION]...: PATTERN     accept; written as text by checkpolicy
#                                      (version 33 or that of -c), a line matches
#   notext FILE [OPTION]...: PATTERN   accept; no line matches
#   bytes FILE [OPTION]...: PATTERN    accept; the image matches
#   accept-or-error FILE [OPTION]...: PATTERN    accept or error
#
# A FILE that ends in .te is the source of module mod, for the module-compile in
# the directory of COMPILER.  Whatever is expected, standard error has no carriage return and no sanitizer's
# report.
#
#   REFERENCE  the checkpolicy that writes images as text (default: checkpolicy)
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

# A crash is never a refusal: sanitizers would exit with 1.
ASAN_OPTIONS="exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS UBSAN_OPTIONS

if [ $# -lt 1 ]; then
	echo 'usage: cases.sh COMPILER [TEXT]...' >&2
	exit 2
fi
reference=${REFERENCE:-checkpolicy}
for program in "$1" "$reference"; do
	if ! command -v "$program" >/dev/null; then
		echo "cases: no program $program" >&2
		exit 2
	fi
done
compiler=$(command -v "$1")
compiler=$(cd -- "$(dirname -- "$compiler")" && pwd)/${compiler##*/}
modules=${compiler%/*}/module-compile
shift
cd -- "$(dirname -- "$0")/../testdata/cases"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
image=$tmp/mod.image # the modules of the cases are called mod

# compile FILE OPTION...: leaves $status and $tmp/err.
compile() {
	file=$1
	shift
	program=$compiler
	case $file in
	*.te)
		program=$modules
		set -- -m "$@"
		;;
	esac
	status=0
	timeout 120 "$program" "$@" -o "$image" "$file" >"$tmp/out" 2>"$tmp/err" </dev/null ||
		status=$?
}

# Each expectation prints what is wrong.

common() {
	if [ "$status" -gt 1 ]; then
		echo "exit status $status"
	fi
	if grep -q "$(printf '\r')" "$tmp/err"; then
		echo 'a carriage return on standard error'
	fi
	if grep -Eq 'Sanitizer|runtime error:' "$tmp/err"; then
		echo 'a sanitizer speaks'
	fi
}

accepted() {
	rm -f "$image"
	compile "$@"
	[ "$status" -eq 0 ] || echo "exit status $status, expected 0"
	[ -s "$image" ] || echo 'no image'
	if grep -q 'error: ' "$tmp/err"; then
		echo 'an error is printed'
	fi
}

rejected() {
	echo old >"$image"
	compile "$@"
	[ "$(cat "$image")" = old ] || echo 'the old image is touched'
	rm -f "$image"*
	compile "$@"
	[ "$status" -eq 1 ] || echo "exit status $status, expected 1"
	set -- "$image"*
	[ ! -e "$1" ] || echo 'a file is left'
	grep -q 'error: ' "$tmp/err" || echo 'no error is printed'
}

# semodule_package reads what was written.
packaged() {
	accepted "$@"
	semodule_package -o "$tmp/package" -m "$image" >"$tmp/log" 2>&1 || cat "$tmp/log"
}

printed() {
	grep -Eq -e "$2" "$1" || echo "nothing matches $2"
}

printed_of_kind() {
	grep "$1: " "$tmp/err" >"$tmp/lines" || :
	printed "$tmp/lines" "$2"
}

as_text() {
	accepted "$@"
	mls=''
	case " $* " in
	*' -M '*) mls=-M ;;
	esac
	rm -f "$tmp/text"
	if ! "$reference" -b ${mls:+"$mls"} -F -o "$tmp/text" "$image" >"$tmp/log" 2>&1; then
		echo 'checkpolicy cannot read the image:'
		cat "$tmp/log"
		: >"$tmp/text"
	fi
}

with_version() {
	case " $* " in
	*' -c '* | *' -t '*) as_text "$@" ;;
	*) as_text "$@" -c 33 ;;
	esac
}

# check KIND PATTERN FILE OPTION...
check() {
	kind=$1 pattern=$2
	shift 2
	case $kind in
	accept) accepted "$@" ;;
	package) packaged "$@" ;;
	silent)
		accepted "$@"
		[ ! -s "$tmp/err" ] || echo 'something is printed'
		;;
	reject) rejected "$@" ;;
	error)
		rejected "$@"
		printed_of_kind error "$pattern"
		;;
	warning)
		accepted "$@"
		printed_of_kind warning "$pattern"
		;;
	says)
		rm -f "$image"
		compile "$@"
		printed "$tmp/err" "$pattern"
		;;
	text)
		with_version "$@"
		printed "$tmp/text" "$pattern"
		;;
	notext)
		with_version "$@"
		! grep -E -e "$pattern" "$tmp/text" || echo "that matches $pattern"
		;;
	bytes)
		accepted "$@"
		grep -aEq -e "$pattern" "$image" || echo "nothing in the image matches $pattern"
		;;
	accept-or-error)
		rm -f "$image"
		compile "$@"
		if [ "$status" -eq 0 ]; then
			accepted "$@"
		else
			rejected "$@"
			printed_of_kind error "$pattern"
			[ "$(grep -c 'error: ' "$tmp/err")" -le 1 ] || echo 'more than one error'
		fi
		;;
	*) echo "unknown expectation $kind" ;;
	esac
	common
}

chosen() {
	[ $# -gt 1 ] || return 0
	name=$1
	shift
	for text; do
		case $name in
		*"$text"*) return 0 ;;
		esac
	done
	return 1
}

passed=0 failed=0
top=$(pwd)
for list in */expect; do
	name=${list%/expect}
	chosen "$name" "$@" || continue
	cd -- "$top/$name"
	while IFS= read -r line; do
		case $line in
		'' | '#'*) continue ;;
		*': '*)
			pattern=${line#*: }
			words=${line%%: *}
			;;
		*)
			pattern=''
			words=$line
			;;
		esac
		kind=${words%% *}
		set -f
		# shellcheck disable=SC2086 # file and options are words
		check "$kind" "$pattern" ${words#* } >"$tmp/report" 2>&1
		set +f
		if [ -s "$tmp/report" ]; then
			failed=$((failed + 1))
			printf 'FAIL %s: %s\n' "$name" "$line"
			sed 's/^/  /' "$tmp/report"
			head -n 6 "$tmp/err" | sed 's/^/  | /'
		else
			passed=$((passed + 1))
		fi
	done <expect
done

printf 'cases: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
