#!/bin/sh
# bad-input.sh PROGRAM
#
# Inputs and outputs that go wrong in ways no file under testdata can: what is
# not a file, what is huge, what is killed.  Each must end with status 1 and a
# message, soon, and leave the old output as it was.  Then the large inputs that
# are no error.
set -u
LC_ALL=C
export LC_ALL

[ $# -eq 1 ] || {
	echo 'usage: bad-input.sh PROGRAM' >&2
	exit 2
}
program=$1
case $program in
*/*) program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
esac
time_limit=100 # generous: sanitizers, a busy machine
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cd "$work" || exit 2
passed=0
failed=0

good() {
	passed=$((passed + 1))
}

bad() {
	failed=$((failed + 1))
	printf 'bad-input: %s: %s\n' "$name" "$1"
	head -c 2000 err
}

# run OPTION...: leaves the status in $status, the output in out and err.
run() {
	timeout "$time_limit" "$program" "$@" >out 2>err </dev/null
	status=$?
}

# rejects NAME TEXT OPTION...: status 1, an error whose message has TEXT in it,
# the old output untouched and nothing beside it.
rejects() {
	name=$1
	text=$2
	shift 2
	rm -rf target
	mkdir target
	echo old >target/policy
	run "$@" -o target/policy
	if [ "$status" -ne 1 ]; then
		bad "exit status $status"
	elif ! grep -q "error: .*$text" err; then
		bad "no error that says \`$text\`"
	elif [ "$(cat target/policy)" != old ] || [ "$(ls -A target)" != policy ]; then
		bad 'the old output was touched'
	elif [ "$(wc -c <err)" -gt 100000 ]; then
		bad 'messages without end'
	else
		good
	fi
}

accepts() {
	name=$1
	shift
	run "$@"
	if [ "$status" -ne 0 ]; then
		bad "exit status $status"
	elif [ -s err ]; then
		bad 'messages'
	else
		good
	fi
}

# policy TEXT: a small policy with TEXT among its rules.
head_text='class c1
sid kernel
class c1 { p1 p2 }
type ta;
role ra;
role ra types ta;
allow ta ta:c1 p1;'
tail_text='user ua roles ra;
sid kernel ua:ra:ta'

policy() {
	printf '%s\n%s\n%s\n' "$head_text" "$1" "$tail_text"
}

# around COMMAND...: the same with what the command prints.
around() {
	printf '%s\n' "$head_text"
	"$@"
	printf '\n%s\n' "$tail_text"
}

# repeat N TEXT
repeat() {
	# shellcheck disable=SC2016 # an awk program
	awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}

nested_sets() {
	printf 'allow ta ta:c1 '
	repeat 1000000 '{ '
	printf p1
	repeat 1000000 ' }'
	printf ';\n'
}

nested_parentheses() {
	printf 'bool b1 true;\nif '
	repeat 1000000 '('
	printf b1
	repeat 1000000 ')'
	printf ' { allow ta ta:c1 p2; }\n'
}

nested_optionals() {
	repeat 1000000 'optional { require { type ta; } '
	repeat 1000000 '}'
	printf '\n'
}

unknown_types() {
	awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "allow n%d ta:c1 p1;\n", i }'
}

unknown_set() {
	printf 'allow {'
	awk 'BEGIN { for (i = 0; i < 300000; i++) printf " n%d", i }'
	printf ' } ta:c1 p1;\n'
}

# 100 MB on one line, of separate statements.
long_line() {
	repeat 5000000 'allow ta ta:c1 p2; '
}

many_attributes() {
	awk 'BEGIN { for (i = 0; i < 3000; i++) printf "attribute n%d_a;\n", i }'
}

long_token() {
	printf 'type '
	repeat 1000000 'a_long_name_'
	printf ';\n'
}

long_comment() {
	printf '# '
	repeat 4000000 'a comment '
	printf '\n'
}

policy '' >small.conf

# --- what is not a source

rejects 'missing file' 'nothing.conf' nothing.conf
rejects 'directory' 'directory' .
rejects 'empty file' 'no class declarations' /dev/null
if [ "$(id -u)" -ne 0 ]; then
	cp small.conf secret.conf
	chmod 000 secret.conf
	rejects 'unreadable file' 'secret.conf' secret.conf
fi
policy 'type a\000b;' >pattern
# shellcheck disable=SC2059 # the pattern has the byte in it
printf "$(cat pattern)" >nul.conf
rejects 'NUL byte' 'NUL' nul.conf
sed 's/$/\r/' small.conf >crlf.conf
rejects 'CR LF line ends' 'CRLF' crlf.conf
policy 'type caf\303\251;' >pattern
# shellcheck disable=SC2059
printf "$(cat pattern)" >utf8.conf
rejects 'non-ASCII name' 'U+00E9' utf8.conf

# --- hostile sources

around nested_sets >big.conf
rejects 'a million nested braces' 'nest' big.conf
around nested_parentheses >big.conf
rejects 'a million nested parentheses' 'nest' big.conf
around nested_optionals >big.conf
rejects 'a million nested optionals' 'nest' big.conf
around unknown_types >big.conf
rejects 'a million errors' 'unknown type' big.conf
around unknown_set >big.conf
rejects 'an error for each item of a set' 'unknown type' big.conf
repeat 1000000 ') } ; ' >big.conf
rejects 'a million stray tokens' '' big.conf
repeat 1000000 "@'" >big.conf
rejects 'a million stray bytes' 'unrecognized' big.conf
repeat 300000 '"' >big.conf
rejects 'quotes only' '' big.conf

# --- outputs

name='full disk'
run small.conf -o /dev/full
if [ "$status" -eq 1 ] && grep -q 'error: .*/dev/full' err; then good; else bad "exit status $status"; fi
name='standard output is full'
timeout "$time_limit" "$program" small.conf -o - >/dev/full 2>err
status=$?
if [ "$status" -eq 1 ] && grep -q 'error: ' err; then good; else bad "exit status $status"; fi
name='directory that is none'
run small.conf -o small.conf/policy
if [ "$status" -eq 1 ] && grep -q 'error: .*small.conf/policy' err; then good; else bad "exit status $status"; fi
name='directory that is missing'
run small.conf -o missing/policy
if [ "$status" -eq 1 ] && grep -q 'error: .*missing/policy' err; then good; else bad "exit status $status"; fi
name='output is a directory'
run small.conf -o .
if [ "$status" -eq 1 ] && grep -q 'error: ' err; then good; else bad "exit status $status"; fi

# Killed while it waits for the second half of its source.
name='killed half way'
rm -rf target
mkdir target
echo old >target/policy
mkfifo source
"$program" source -o target/policy >out 2>err &
pid=$!
exec 3>source
head -c 50 small.conf >&3
kill -9 $pid
wait $pid 2>/dev/null
exec 3>&-
if [ "$(cat target/policy)" = old ]; then good; else bad 'the old output was touched'; fi

# --- large is no error

around long_line >big.conf
accepts 'a line of 100 MB' big.conf
# In the old versions attributes are gaps among the types.
around many_attributes >big.conf
name='three thousand attributes at version 19'
run big.conf -c 19 -o image
run -b image
if [ "$status" -eq 0 ]; then good; else bad "exit status $status"; fi
around long_token >big.conf
accepts 'a name of 12 MB' big.conf
around long_comment >big.conf
accepts 'a comment of 40 MB' big.conf
name='pipe and standard input'
# shellcheck disable=SC2002 # a pipe is the point
if cat small.conf | "$program" - -o one 2>err && cat small.conf | "$program" /dev/stdin -o two 2>err &&
	"$program" small.conf -o - >three 2>err && cmp one two && cmp one three; then good; else bad 'differs from a file'; fi

# The heap starts with more than that, where it may.
name='a limit of memory'
case $(ldd "$program") in
*libasan* | *libtsan*) ;; # want terabytes
*)
	if prlimit --as=50000000 "$program" small.conf -o one 2>err && [ ! -s err ]; then good; else bad 'does not compile'; fi
	;;
esac

printf 'bad-input: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
