#!/bin/sh
# validate-runs.sh PROGRAM: what no case of mls-validate can show: large input,
# threads, progress on a terminal, a graph that is drawn, formats that parse.
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
PYTHONDONTWRITEBYTECODE=1
export LC_ALL PYTHONDONTWRITEBYTECODE
unset NO_COLOR

# A crash is never a finding: sanitizers would exit with 1.
ASAN_OPTIONS="exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
UBSAN_OPTIONS="exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export ASAN_OPTIONS UBSAN_OPTIONS

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
	echo 'usage: validate-runs.sh PROGRAM' >&2
	exit 2
fi
validate=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
tests=$(cd -- "$(dirname -- "$0")" && pwd)
cd -- "$tests/../testdata/validate/contexts"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
passed=0 failed=0

# verdict STATUS NAME
verdict() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $2"
	fi
}

# that NAME COMMAND...
that() {
	name=$1
	shift
	status=0
	"$@" || status=$?
	verdict "$status" "$name"
}

# --- the relations of case 108

pairs() {
	while read -r a b relation; do
		case $relation in
		equal) relation=eq ;;
		dominates) relation=dom ;;
		dominated) relation=domby ;;
		incomparable) relation=incomp ;;
		esac
		"$validate" -p labels.conf compare --is "$relation" "$a" "$b" >"$tmp/out" </dev/null || return 1
		grep -q "^[^ ]* $relation [^ ]*\$" "$tmp/out" || return 1
	done
}
that 'case 108' pairs <108.pairs

# --- many lines

# lines N: contexts, good and bad ones, in an order that does not repeat soon.
lines() {
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "%s_u:object_r:data_t:s%d:c%d%s\n", i % 997 ? "sys" : "none", i % 2, i % 3, i % 5 ? "" : ",c" i % 7 % 3
	}'
}

same_for_threads() {
	lines 300000 >"$tmp/lines"
	got=0
	"$validate" -p labels.conf context -f "$tmp/lines" >"$tmp/one" 2>"$tmp/one.err" || got=$?
	[ "$got" = 1 ] || return 1
	[ "$(wc -l <"$tmp/one")" -gt 200000 ] || return 1
	for threads in 2 3 16; do
		got=0
		"$validate" -j "$threads" -p labels.conf context -f "$tmp/lines" >"$tmp/many" 2>"$tmp/many.err" || got=$?
		[ "$got" = 1 ] && cmp "$tmp/one" "$tmp/many" && cmp "$tmp/one.err" "$tmp/many.err" || return 1
	done
}
that 'threads do not change the output' same_for_threads

# A pipe may end anywhere, also within a line.
same_in_pieces() {
	head -n 2000 "$tmp/lines" >"$tmp/head"
	"$validate" -p labels.conf context -f "$tmp/head" >"$tmp/one" 2>/dev/null || :
	dd if="$tmp/head" bs=7 status=none | "$validate" -p labels.conf context >"$tmp/many" 2>/dev/null || :
	cmp "$tmp/one" "$tmp/many"
}
that 'pieces do not change the output' same_in_pieces

# Address space for one run and for one with sixteen times the lines.
flat_memory() {
	lines 2000000 | head -c 64000000 >"$tmp/lines"
	head -n 100000 "$tmp/lines" >"$tmp/head"
	python3 - "$validate" labels.conf "$tmp/head" "$tmp/lines" <<'END'
import resource, subprocess, sys
def peak(path):
    usage = lambda: resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    subprocess.run([sys.argv[1], "-p", sys.argv[2], "-W", "no-category-twice", "context", "-q", "-f", path], stderr=subprocess.DEVNULL)
    return usage()
small, large = peak(sys.argv[3]), peak(sys.argv[4])
sys.exit(0 if large < small + 8192 else "%d KiB for few lines, %d for many" % (small, large))
END
}
case $(ldd "$validate" 2>/dev/null) in
*libasan*) ;; # has a memory of its own
*) that 'memory is flat' flat_memory ;;
esac

long_line() {
	head -c 17000000 /dev/zero | tr '\0' c >"$tmp/long"
	printf '\nsys_u:object_r:data_t:s0\n' >>"$tmp/long"
	got=0
	"$validate" -p labels.conf context -f "$tmp/long" >"$tmp/out" 2>"$tmp/err" || got=$?
	[ "$got" = 1 ] && grep -q 'line 1 of .*line-too-long' "$tmp/err" && grep -q '^sys_u' "$tmp/out"
}
that 'a line that is too long' long_line

full() {
	got=0
	"$validate" -p labels.conf context sys_u:object_r:data_t:s0 >/dev/full 2>"$tmp/err" || got=$?
	[ "$got" = 2 ] && grep -q 'cannot write' "$tmp/err"
}
[ ! -c /dev/full ] || that 'standard output that is full' full

# --- a terminal

on_terminal() {
	python3 - "$validate" <<'END'
import os, pty, subprocess, sys, time
def run(stderr):
    process = subprocess.Popen([sys.argv[1], "-p", "labels.conf", "context"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=stderr)
    line = b"sys_u:object_r:data_t:s0\n"
    for wait in 1.2, 0:
        process.stdin.write(line)
        process.stdin.flush()
        assert process.stdout.readline() == line, "no answer to a line before the end of the input"
        time.sleep(wait)
    process.stdin.close()
    assert process.wait() == 0
    return process
ours, theirs = pty.openpty()
run(theirs)
shown = os.read(ours, 4096)
assert b"2 lines" in shown and shown.endswith(b"\r\x1b[K"), shown
assert run(subprocess.PIPE).stderr.read() == b""
END
}
that 'progress on a terminal only' on_terminal

# --- graphs

drawn() {
	"$validate" -p labels.conf lattice --svg >"$tmp/svg" && python3 -c '
import sys, xml.etree.ElementTree as tree
sys.exit(0 if tree.parse(sys.argv[1]).getroot().tag.endswith("svg") else 1)' "$tmp/svg"
}
if command -v dot >/dev/null; then
	that 'a graph that is drawn' drawn
fi
without_dot() {
	got=0
	PATH=/nonexistent "$validate" -p labels.conf lattice --svg >"$tmp/out" 2>"$tmp/err" || got=$?
	[ "$got" = 2 ] && grep -q 'needs dot' "$tmp/err"
}
that 'no program to draw it' without_dot

# --- formats

that 'formats' python3 "$tests/validate.py" "$validate"

echo "validate-runs: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
