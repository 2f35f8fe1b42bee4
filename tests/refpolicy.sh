#!/bin/sh
# refpolicy.sh COMPILER [TYPE]...
#
# Builds the reference policy from Debian's selinux-policy-src with COMPILER in
# checkpolicy's place and the Makefile as it is, in the types standard, mcs and
# mls or those that are named.  Then, for each type:
#
#   - the image that make left is what COMPILER alone makes of policy.conf;
#   - two runs write the same bytes;
#   - at versions 33, 30, 26 and 24, plain and with the options that make gives
#     (-S -O -E), image and reference are equal as policy.conf and as CIL
#     (text-diff.py) and as libsepol reads them (sepol-compare);
#   - seinfo counts the same.
#
# The reference compiles once for version 33; `checkpolicy -b -c N` makes the
# older images of it (see differential.py for why).
#
#   REFERENCE    the checkpolicy to compare with (default: checkpolicy)
#   SOURCES      default: /usr/src/selinux-policy-src.tar.zst
#   WORK         a directory to keep the expanded policy and the reference's
#                images in (default: a temporary one); a second run is faster
#   JOBS         how much at a time (default: the number of cores)
#
# Exit status: 0 all equal, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

die() {
	printf 'refpolicy: %s\n' "$*" >&2
	exit 2
}

# Shows what a command said only when it fails.
quiet() {
	if ! "$@" >"$dir/log" 2>&1 </dev/null; then
		tail -n 20 "$dir/log" >&2
		printf 'failed: %s\n' "$*" >&2
		return 1
	fi
}

# compile IMAGE OPTION...
compile() {
	image=$1
	shift
	[ "$type" = standard ] || set -- -M "$@"
	[ "$kind" != make ] || set -- -S -O -E "$@"
	quiet "$compiler" -U deny "$@" -o "$image" "$work/$type/policy.conf"
}

# binary OPTION...: the reference reading an image.
binary() {
	[ "$type" = standard ] || set -- -M "$@"
	quiet "$reference" -b "$@"
}

# --- one type: sources, policy.conf, make with the compiler, the reference

build() {
	REFERENCE=$reference SOURCES=$sources "$here/refpolicy-source" "$work" "$type" plain make
	rm -f "$work/$type"/policy.[0-9]*
	quiet make -C "$work/$type" policy MONOLITHIC=y TYPE="$type" CHECKPOLICY="$compiler"
	set -- "$work/$type"/policy.[0-9]*
	if [ ! -s "$1" ]; then
		echo 'make left no image' >&2
		return 1
	fi
	kind="make"
	compile "$dir/default"
	if ! cmp -s "$1" "$dir/default"; then
		echo 'what make left is not what the compiler alone makes' >&2
		return 1
	fi
}

# --- one comparison: $type $kind $version

compare_text() {
	binary "$1" -o "$dir/reference.text" "$dir/reference"
	binary "$1" -o "$dir/ours.text" "$dir/ours"
	set -- "$dir/reference.text" "$dir/ours.text"
	[ "$kind" != make ] || set -- --optimised "$@"
	python3 -B "$here/text-diff.py" -n 12 --known "$known" "$@" >&2
}

# With -O the number of rules depends on which of two equal ones is left.
same_counts() {
	for whose in reference ours; do
		seinfo "$dir/$whose" >"$dir/log"
		case $kind in
		make) grep -v -e 'Statistics for' -e '^ *Allow:' -e '^ *Auditallow:' "$dir/log" ;;
		*) grep -v 'Statistics for' "$dir/log" ;;
		esac >"$dir/$whose.seinfo"
	done
	diff -u "$dir/reference.seinfo" "$dir/ours.seinfo" >&2
}

compare() {
	compile "$dir/ours" -c "$version"
	compile "$dir/again" -c "$version"
	if ! cmp -s "$dir/ours" "$dir/again"; then
		echo 'two runs, two images' >&2
		return 1
	fi
	binary -c "$version" -o "$dir/reference" "$work/$type.$kind.33"
	compare_text -F
	compare_text -C
	quiet "$tmp/sepol-compare" -m -n 1000 -l 12 -x "$known" \
		"$dir/reference" "$dir/ours"
	[ "$version" != 33 ] || same_counts
}

# Worker: TMP NAME; what to do is in the name: TYPE or TYPE-KIND-VERSION.
if [ "${1-}" = --run ]; then
	tmp=$2 name=$3
	IFS=' ' read -r here work compiler reference sources <"$tmp/settings"
	dir=$tmp/work-$name known=$tmp/known
	mkdir "$dir"
	IFS=- read -r type kind version <<-END
		$name
	END
	# Alone on its line, or set -e would not hold within.
	set +e
	( set -e; if [ -n "$version" ]; then compare; else build; fi ) 2>"$tmp/$name.report"
	status=$?
	set -e
	[ "$status" -ne 0 ] || : >"$tmp/$name.passed"
	rm -rf "$dir"
	exit 0
fi

# --- the run

if [ $# -lt 1 ]; then
	echo 'usage: refpolicy.sh COMPILER [TYPE]...' >&2
	exit 2
fi
absolute() {
	path=$(command -v -- "$1") || die "no program $1"
	(cd -- "$(dirname -- "$path")" && printf '%s/%s\n' "$(pwd)" "${path##*/}")
}
compiler=$(absolute "$1")
shift
[ $# -gt 0 ] || set -- standard mcs mls
reference=$(absolute "${REFERENCE:-checkpolicy}")
sources=${SOURCES:-/usr/src/selinux-policy-src.tar.zst}
for program in zstd tar make m4 gawk python3 seinfo; do
	command -v "$program" >/dev/null || die "no program $program"
done
here=$(cd -- "$(dirname -- "$0")" && pwd)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=${WORK:-$tmp/policy}
mkdir -p "$work"
work=$(cd -- "$work" && pwd)
case "$here$work$compiler$reference$sources" in
*[[:space:]]*) die 'blanks in paths are not supported' ;;
esac
printf '%s %s %s %s %s\n' "$here" "$work" "$compiler" "$reference" "$sources" >"$tmp/settings"
"$here/build-sepol-compare" "$tmp/sepol-compare"

# What the reference is known to lack.
case $("$reference" -V) in
33*) cp "$here/refpolicy.known" "$tmp/known" ;;
*) : >"$tmp/known" ;;
esac

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
passed=0 failed=0

# all NAME...: runs the tasks and counts what came of them.
all() {
	printf '%s\n' "$@" | xargs -n 1 -P "$jobs" "$here/refpolicy.sh" --run "$tmp"
	for name; do
		if [ -e "$tmp/$name.passed" ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			printf 'FAIL %s\n' "$name"
			sed 's/^/  /' "$tmp/$name.report"
		fi
	done
}

all "$@"
tasks=''
for type; do
	[ -e "$tmp/$type.passed" ] || continue
	for kind in plain make; do
		for version in 33 30 26 24; do
			tasks="$tasks $type-$kind-$version"
		done
	done
done
# shellcheck disable=SC2086 # the tasks are words
[ -z "$tasks" ] || all $tasks

printf 'refpolicy: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
