#!/bin/sh
# golden.sh [--update] PROGRAM [TEXT]...
#
# Runs the cases under testdata/golden and testdata/bogus, or those with one of
# the TEXTs in their path.  The files of a case select what is checked:
#
#   NAME.conf   the source; its first line, `# accept` or `# reject`, is the
#               verdict; compiled twice, the images must be the same
#   NAME.te     the source of module NAME, in the same way for module-compile,
#               which is in the directory of PROGRAM
#   NAME.*.module
#               modules: NAME.conf is a base, and linked with them
#   NAME.flags  one line of options, default none
#   NAME.err    all of stderr, default nothing; with an error in it the exit
#               status must be 1 and no file may be left, else 0
#   NAME.ir     what --dump-ir prints
#
# Each file in testdata/bogus must be refused with a message; they may have a
# NAME.flags too.  --update writes .err and .ir anew, .err also where there is
# none yet.
set -u
LC_ALL=C
export LC_ALL

# Longer than the largest case under a sanitizer on a busy machine.
time_limit=120

# A crash is never a refusal: sanitizers would exit with 1.
ASAN_OPTIONS="exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
LSAN_OPTIONS="exitcode=99${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

# --- one case; $program, $tmp and $update come from the run, $flags and $file
# --- from the case, the complaints go to $report

complain() {
	printf '%s\n' "$*" >>"$report"
}

complain_with() {
	complain "$1"
	sed 's/^/    /' "$2" >>"$report"
}

read_flags() {
	flags=''
	if [ -f "$1" ]; then
		IFS= read -r flags <"$1" || :
	fi
}

# Sets $command and $inputs, words both.
read_kind() {
	command=$program inputs=$file
	case $file in
	*.te) command="$modules -m" ;;
	*) set -- "${file%.conf}".*.module
		if [ -e "$1" ]; then
			command="$program --link"
			inputs="$file $*"
		fi
		;;
	esac
}

# compile IMAGE [OPTION]...: leaves $status, $work/out and $work/err; false after a
# crash.  A module is written to a file of its name, which IMAGE is then.
compile() {
	image=$1
	shift
	case $file in
	*.te) mkdir -p "$image.d"
		target=$image.d/${file%.te}.mod
		;;
	*) target=$image ;;
	esac
	set -f
	# shellcheck disable=SC2086 # the options are words
	timeout "$time_limit" $command $flags "$@" -o "$target" $inputs >"$work/out" 2>"$work/err" </dev/null
	status=$?
	set +f
	if [ "$target" != "$image" ]; then
		[ ! -e "$target" ] || mv "$target" "$image"
		rmdir "$image.d"
	fi
	if [ "$status" -gt 1 ]; then
		if [ "$status" = 124 ]; then
			complain "no end after $time_limit seconds"
		else
			complain_with "exit status $status" "$work/err"
		fi
		return 1
	fi
	[ -s "$work/err" ] || return 0
	if grep -Eq 'Sanitizer|runtime error:' "$work/err"; then
		complain_with "a sanitizer speaks" "$work/err"
		return 1
	fi
}

no_file_left() {
	set -- "$work"/image*
	[ ! -e "$1" ] || complain "a file is left: ${1##*/}"
}

# same EXPECTED GOT: with --update makes it so.
same() {
	cmp -s "$1" "$2" && return
	if [ -n "$update" ]; then
		cat "$2" >"$1"
		printf '%s\n' "$1" >>"$changed"
	else
		diff -u "$1" "$2" | sed "1 s|.*|--- $1|; 2 s|.*|+++ now|" >>"$report"
	fi
}

check_stderr() {
	cat "$work/err" >"$work/first"
	if [ -f "$name.err" ]; then
		if [ -n "$update" ] && [ ! -s "$work/first" ]; then
			rm "$name.err"
			printf '%s (removed)\n' "$name.err" >>"$changed"
		else
			same "$name.err" "$work/first"
		fi
	elif [ -s "$work/first" ]; then
		if [ -n "$update" ]; then
			same "$name.err" "$work/first"
		else
			complain_with "stderr without $name.err" "$work/first"
		fi
	fi
}

# What the source says of itself holds, also where --update writes the rest.
check_verdict() {
	IFS= read -r line <"$file" || :
	case $line/$first_status in
	'# accept/0' | '# reject/1') ;;
	'# accept/'* | '# reject/'*) complain "exit status $first_status, and the first line is '$line'" ;;
	*) complain "the first line is neither '# accept' nor '# reject'" ;;
	esac
}

# After what is expected, not after what came: a wrong .err shows as such.
expects_error() {
	[ -f "$name.err" ] && grep -q ': error: ' "$name.err"
}

check_images() {
	if [ ! -s "$work/image1" ]; then
		complain "no image"
		return
	fi
	compile "$work/image2" || return
	cmp -s "$work/image1" "$work/image2" || complain "two runs, two images"
}

golden_case() {
	name=${file%.*}
	read_flags "$name.flags"
	read_kind
	compile "$work/image1" || return
	[ ! -s "$work/out" ] || complain_with "stdout is not empty" "$work/out"
	first_status=$status
	check_verdict
	check_stderr
	if expects_error; then
		[ "$first_status" = 1 ] || complain "exit status $first_status, expected 1"
		no_file_left
	elif [ "$first_status" != 0 ]; then
		complain "exit status $first_status, expected 0"
	else
		check_images
	fi
	if [ -f "$name.ir" ]; then
		compile "$work/image3" --dump-ir || return
		same "$name.ir" "$work/out"
	fi
}

bogus_case() {
	read_flags "${file%.*}.flags"
	read_kind
	compile "$work/image1" || return
	[ "$status" = 1 ] || complain "exit status $status, expected 1"
	grep -q 'error: ' "$work/err" || complain "no message"
	no_file_left
}

# Worker: PROGRAM TMP UPDATE PATH..., each path is testdata/KIND/...
if [ "${1-}" = --run ]; then
	program=$2 tmp=$3 update=$4
	modules=${program%/*}/module-compile
	shift 4
	top=$(pwd)
	work=$tmp/work.$$
	mkdir "$work"
	for path; do
		report=$tmp/$path.report changed=$tmp/$path.changed
		: >"$report"
		file=${path##*/}
		cd "${path%/*}" || exit 1
		case $path in
		testdata/bogus/*) bogus_case ;;
		*) golden_case ;;
		esac
		cd "$top" || exit 1
		rm -f "$work/first" "$work/out" "$work/err" "$work"/image*
		: >"$tmp/$path.done"
	done
	rmdir "$work"
	exit 0
fi

# --- the run

update=''
if [ "${1-}" = --update ]; then
	update=yes
	shift
fi
if [ $# -lt 1 ]; then
	printf 'usage: golden.sh [--update] PROGRAM [TEXT]...\n' >&2
	exit 2
fi
program=$1
shift
case $program in
/*) ;;
*) program=$(pwd)/$program ;;
esac
if [ ! -x "$program" ]; then
	printf 'golden: no program %s\n' "$program" >&2
	exit 2
fi
self=$(cd -- "$(dirname -- "$0")" && pwd)/golden.sh
cd -- "${self%/tests/golden.sh}" || exit 2

tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

chosen() {
	[ $# -gt 0 ] || cat
	[ $# -eq 0 ] || while IFS= read -r path; do
		for text; do
			case $path in
			*"$text"*) printf '%s\n' "$path"; break ;;
			esac
		done
	done
}

for dir in testdata/golden testdata/bogus; do
	[ ! -d $dir ] || find $dir -type d
done | while IFS= read -r dir; do
	mkdir -p "$tmp/$dir"
done
{
	[ ! -d testdata/golden ] || find testdata/golden -type f '(' -name '*.conf' -o -name '*.te' ')'
	[ ! -d testdata/bogus ] || find testdata/bogus -type f ! -name '*.flags' ! -name 'README*'
} | sort | chosen "$@" >"$tmp/cases"

cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
tr '\n' '\0' <"$tmp/cases" |
	xargs -0 -r -n 16 -P "$cores" "$self" --run "$program" "$tmp" "$update"

passed=0 failed=0
while IFS= read -r path; do
	[ -e "$tmp/$path.done" ] || printf 'did not run to its end\n' >>"$tmp/$path.report"
	if [ -e "$tmp/$path.changed" ]; then
		while IFS= read -r name; do
			printf 'changed: %s/%s\n' "${path%/*}" "$name"
		done <"$tmp/$path.changed"
	fi
	if [ -s "$tmp/$path.report" ]; then
		failed=$((failed + 1))
		printf 'FAIL %s\n' "$path"
		sed 's/^/  /' "$tmp/$path.report"
	else
		passed=$((passed + 1))
	fi
done <"$tmp/cases"

# A file of no case would check nothing.
find testdata/golden -type f '(' -name '*.err' -o -name '*.flags' -o -name '*.ir' -o -name '*.module' ')' 2>/dev/null |
	sort | chosen "$@" >"$tmp/others"
while IFS= read -r path; do
	name=${path%.*}
	case $path in
	*.module) name=${name%.*} ;;
	esac
	if [ ! -f "$name.conf" ] && [ ! -f "$name.te" ]; then
		failed=$((failed + 1))
		printf 'FAIL %s\n  belongs to no case\n' "$path"
	fi
done <"$tmp/others"

if [ -n "$update" ]; then
	git diff --stat -- testdata/golden || :
fi
printf 'golden: %d passed, %d failed\n' "$passed" "$failed"
if [ $((passed + failed)) -eq 0 ]; then
	printf 'golden: no cases\n' >&2
	exit 1
fi
[ "$failed" -eq 0 ]
