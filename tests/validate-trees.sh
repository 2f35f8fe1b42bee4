#!/bin/sh
# validate-trees.sh PROGRAM: label files where they are found: trees with links
# that lead in circles, pipes, files that cannot be, lists, standard input.
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

# A crash is never a finding: sanitizers would exit with 1.
ASAN_OPTIONS="exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
LSAN_OPTIONS="exitcode=99${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
	echo 'usage: validate-trees.sh PROGRAM' >&2
	exit 2
fi
program=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
policy=$(cd -- "$(dirname -- "$0")/../testdata/validate/files" && pwd)/policy.conf

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$tmp"
passed=0 failed=0

good='/srv/app	sys_u:object_r:data_t:s0'
bad='/srv/bad	sys_u:object_r:nope_t:s0'

# expect NAME STATUS TEXT ARGUMENT...: the findings are the lines of TEXT, as
# `PLACE [CHECK]`; no pipe may be opened, so there is a limit of time.
expect() {
	name=$1 wanted=$2
	printf '%s' "$3" >wanted
	shift 3
	status=0
	timeout 60 "$program" -p "$policy" files "$@" >out 2>err <input || status=$?
	sed -n 's/^\([^ ]*\): \(error\|warning\): .*\(\[[a-z-]*\]\)$/\1 \3/p' err >got
	if [ "$status" = "$wanted" ] && cmp -s wanted got; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name: status $status"
		diff -u wanted got || :
		cat err
	fi
}

: >input
mkdir -p tree/a/b tree/c empty
printf '%s\n' "$good" >tree/a/file_contexts
printf '%s\n' "$bad" >tree/c/file_contexts
printf '%s\n' "$bad" >tree/a/README
ln -s .. tree/a/b/up
ln -s ../../c tree/a/b/c
mkfifo tree/a/file_contexts.subs
mkdir tree/a/file_contexts.homedirs
expect 'links, pipes and directories in a tree' 1 'tree/c/file_contexts:1:25 [unknown-type]
' tree
expect 'a tree twice' 1 'tree/c/file_contexts:1:25 [unknown-type]
' tree tree/c tree/c/file_contexts
expect 'a tree with a slash' 1 'tree/c/file_contexts:1:25 [unknown-type]
' tree/
expect 'a link to a directory, named' 1 'tree/a/b/c/file_contexts:1:25 [unknown-type]
' tree/a/b/c

ln -s nowhere tree/c/file_contexts.local
expect 'a link to nowhere' 1 'mls-validate [file-open]
tree/c/file_contexts:1:25 [unknown-type]
' tree
rm tree/c/file_contexts.local
expect 'a directory without label files' 1 'mls-validate [label-files-none]
' empty

deep=deep
i=0
while [ "$i" -lt 70 ]; do
	deep=$deep/d
	i=$((i + 1))
done
mkdir -p "$deep"
printf '%s\n' "$bad" >"$deep/file_contexts"
expect 'a tree that is too deep' 1 'mls-validate [file-open]
' deep

printf '%s\n' tree/c/file_contexts tree/a tree/a/README '' tree/a/file_contexts >list
expect 'a list' 1 'tree/c/file_contexts:1:25 [unknown-type]
' --list list
printf 'tree/a/file_contexts\r\ntree/gone/file_contexts\r\n' >list
expect 'a list with a file that is gone' 1 'list:2:1 [file-open]
' --list list

printf '%s\n' "$bad" >input
expect 'standard input' 1 '<stdin>:1:25 [unknown-type]
' --as file_contexts -
: >input
expect 'no file' 0 '' --as file_contexts -

printf '%s\r\n' "$good" >crlf_file_contexts
expect 'carriage returns' 0 '' crlf_file_contexts
printf '%s' "$bad" >end_file_contexts
expect 'no newline at the end' 1 'end_file_contexts:1:25 [unknown-type]
' end_file_contexts
printf '/srv/\303\244\t%s\n# \303\244\n' "sys_u:object_r:data_t:s0" >utf8_file_contexts
expect 'bytes outside of ASCII' 1 'utf8_file_contexts:1:6 [label-not-ascii]
' utf8_file_contexts
printf '%s\n/a\0b\n' "$good" >nul_file_contexts
expect 'a NUL' 1 'mls-validate [nul-byte]
' nul_file_contexts
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "/x"; print "\tsys_u:object_r:data_t:s0" }' >long_file_contexts
expect 'a long word' 1 'long_file_contexts:1:1 [label-too-long]
' long_file_contexts
awk 'BEGIN { for (i = 0; i < 4095; i++) printf "("; print "\tsys_u:object_r:data_t:s0" }' >nest_file_contexts
expect 'many parentheses' 1 'nest_file_contexts:1:251 [label-regex]
' nest_file_contexts

# Each file includes the next one twice: 8191 readings, if nobody counts them.
mkdir includes
i=0
while [ "$i" -lt 12 ]; do
	printf 'Include=%s/includes/%s.conf\n' "$tmp" "$((i + 1))" "$tmp" "$((i + 1))" >"includes/$i.conf"
	i=$((i + 1))
done
printf 's0=Low\n' >includes/12.conf
expect 'includes without number' 1 "$tmp/includes/10.conf:2:1 [setrans-include]
" --as setrans.conf includes/0.conf
i=0
while [ "$i" -lt 40 ]; do
	printf 'Include=%s/includes/deep%s\n' "$tmp" $((i + 1)) >"includes/deep$i"
	i=$((i + 1))
done
: >includes/deep40
expect 'includes too deep' 1 "$tmp/includes/deep31:1:1 [setrans-include]
" --as setrans.conf includes/deep0

# One of many findings at the same place of the same files, and no more time
# than for as many others.
awk 'BEGIN { for (i = 0; i < 60000; i++) print "/srv/app\tsys_u:object_r:data_t:s0" }' >same_file_contexts
status=0
timeout 60 "$program" -p "$policy" --max-errors 1 files same_file_contexts >out 2>err || status=$?
if [ "$status" = 1 ] && grep -q '^mls-validate: 59999 errors$' err; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "FAIL one line many times: status $status"
	tail -n 3 err
fi

echo "validate-trees: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
