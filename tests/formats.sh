#!/bin/sh
# formats.sh PROGRAM: the options about findings, then formats.py with the
# schema of SARIF (tests/sarif-schema brings it).
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR

[ $# -eq 1 ] || {
	echo 'usage: formats.sh PROGRAM' >&2
	exit 2
}
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tests=$(cd "$(dirname "$0")" && pwd)
schemas=$(dirname "$program")/sarif-schema
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cd "$work" || exit 2
passed=0
failed=0

# expect NAME STATUS PATTERN OPTION...: the status, and a line of stderr that
# matches; an empty pattern wants no line at all.
expect() {
	name=$1 status=$2 pattern=$3
	shift 3
	"$program" "$@" policy.conf >out 2>err </dev/null
	got=$?
	if [ "$got" -ne "$status" ]; then
		bad "exit status $got"
	elif [ -z "$pattern" ] && [ -s err ]; then
		bad 'messages'
	elif ! grep -q -e "$pattern" err && [ -n "$pattern" ]; then
		bad "no line that matches '$pattern'"
	else
		passed=$((passed + 1))
	fi
}

bad() {
	failed=$((failed + 1))
	printf 'formats: %s: %s\n' "$name" "$1"
	cat err
}

# policy RULE...
policy() {
	cat >policy.conf <<END
class file
sid kernel
class file { read ioctl }
attribute a1;
type ta;
type tb;
role ra;
role ra types { ta tb };
allow ta tb:file { read ioctl };
$1
user ua roles ra;
sid kernel ua:ra:ta
$2
END
}

ports='portcon tcp 1-100 ua:ra:ta
portcon tcp 50-150 ua:ra:tb'

policy 'dontaudit ta tb:file ~read;' "$ports"
expect 'warnings' 0 'warning: .*\[port-overlap\]'
expect 'a silent check' 0 'warning: .*\[dontaudit-complement\]' -W no-port-overlap
expect 'all silent' 0 '' -W no-port-overlap -W no-dontaudit-complement
expect 'silent and given again' 0 'warning: .*\[port-overlap\]' -W no-port-overlap -W port-overlap
expect 'a warning as an error' 1 'error: .*\[port-overlap\]' -W error=port-overlap -o policy
[ ! -e policy ] || bad 'an output in spite of the error'
expect '-E' 1 'error: .*\[dontaudit-complement\]' -E
expect '-E but for one' 0 'warning: .*\[dontaudit-complement\]' -E -W no-error=dontaudit-complement
expect 'an unknown check' 1 'no such check.*: nope' -W nope
expect 'an error that cannot be silenced' 1 'silences warnings.*: unknown-type' -W no-unknown-type
expect 'an error that stays one' 1 'stay errors: unknown-type' -W no-error=unknown-type

policy 'allowxperm ta tb:file ioctl { 0xc0306201 0x5401 };' ''
expect 'a value that is too high' 1 'error: 0xc0306201 .*\[xperm-value\]'
expect 'the same, masked' 0 'warning: 0xc0306201 .*\[xperm-value\]' -W no-error=xperm-value -o masked
policy 'allowxperm ta tb:file ioctl { 0x6201 0x5401 };' ''
expect 'its low bits' 0 '' -o low
cmp -s masked low || bad 'the masked value gives another policy'

policy 'type_transition ta tb:file tb "x"; type_transition ta tb:file tb "x";' ''
expect 'a repeat' 1 'error: .*\[duplicate-filename-transition\]'
expect 'the same, once' 0 'warning: .*\[duplicate-filename-transition\]' -W no-error=duplicate-filename-transition -o twice
policy 'type_transition ta tb:file tb "x";' ''
expect 'only one rule' 0 '' -o once
cmp -s twice once || bad 'a repeat gives another policy'
policy 'type_transition ta tb:file tb "x"; type_transition ta tb:file ta "x";' ''
expect 'no repeat' 1 'error: .*\[filename-transition-conflict\]' -W no-error=duplicate-filename-transition

policy 'allow zz tb:file read; allow { ta zz } tb:file ioctl; allow ta zz:file ioctl;
allow ta tb:{ file yy } read; allow tb tb:{ file yy } read;' ''
expect 'further uses' 1 'note: and 2 more uses'
expect 'one further use' 1 'note: and 1 more use$'
expect 'no colours in a file' 1 '^policy.conf:10:7: error: '
expect 'colours' 1 "$(printf '\033')\[1;31merror:$(printf '\033')\[0m unknown" --color=always
expect 'no such colours' 1 'auto, always or never' --color=red
expect 'no such format' 1 'text, json, sarif or junit' --format=xml
expect 'findings in a file' 1 '^policy.conf:10:7: error: ' --format=json --diagnostics=found
grep -q '"moreUses":2' found || bad 'not in the file'
expect 'a file that cannot be' 1 'error: .*none/found' --diagnostics=none/found

"$program" --list-checks | grep -q '^unknown-type  *error  ' || bad '--list-checks'
"$program" --explain xperm-value | grep -q '^    allowxperm ' || bad '--explain'
if "$program" --explain nope 2>/dev/null; then bad '--explain of nothing'; fi

# Debian's Python has Debian's modules; there may be another one before it.
python=python3
"$python" -c 'import jsonschema' 2>/dev/null || python=/usr/bin/python3

printf 'formats: %d passed, %d failed\n' "$passed" "$failed"
"$tests/sarif-schema" "$schemas" && "$python" "$tests/formats.py" "$program" "$schemas/sarif-2.1.0.json" &&
	[ "$failed" -eq 0 ]
