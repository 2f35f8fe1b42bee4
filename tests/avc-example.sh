#!/bin/sh
# avc-example.sh BUILD: libpolicy-avc as somebody else uses it.  It is installed
# from BUILD into a scratch directory; the header is taken by a C11 and a C++
# compiler on its own, both libraries show what it declares and nothing else, and
# examples/object-manager is built with what pkg-config says, shared and static,
# and gives the same answers.
#
#   CC, LDFLAGS   as the library was built (default: cc, none)
#   CXX           default: g++, if there is one
#   NINJA         default: ninja
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -ne 1 ] || [ ! -x "$1/policy-compile" ]; then
	echo 'usage: avc-example.sh BUILD' >&2
	exit 2
fi
build=$(cd -- "$1" && pwd)
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
example=$top/examples/object-manager
cc=${CC:-cc} cxx=${CXX:-g++} ldflags=${LDFLAGS:-}
for tool in pkg-config nm; do
	command -v "$tool" >/dev/null || {
		echo "avc-example: no $tool" >&2
		exit 2
	}
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
passed=0 failed=0

# expect NAME COMMAND...
expect() {
	name=$1
	shift
	if "$@" >"$tmp/log" 2>&1 </dev/null; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name"
		sed 's/^/    /' "$tmp/log"
	fi
}

# --- installed, with the directories of the build below $tmp/root

root=$tmp/root
# The command is ninja's; another ninja must not run in the same place.
(cd "$build/.." && command=$("${NINJA:-ninja}" -t commands install | tail -n 1) && DESTDIR=$root sh -ec "$command")
PKG_CONFIG_PATH=$(dirname -- "$(find "$root" -name policy-avc.pc)")
PKG_CONFIG_SYSROOT_DIR=$root
# Also when it was built for /usr.
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
header=$(find "$root" -name policy-avc.h)
libdir=$(dirname -- "$PKG_CONFIG_PATH")
version() { pkg-config --modversion policy-avc | grep -q '^[0-9]'; }
expect 'pkg-config' version
expect 'the manual' test -s "$(find "$root" -name policy-avc.3)"

# --- the header

printf '#include <policy-avc.h>\ntypedef int nothing;\n' >"$tmp/alone.c"
cp "$tmp/alone.c" "$tmp/alone.cc"
flags=$(pkg-config --cflags policy-avc)
# shellcheck disable=SC2086 # options
header_in() {
	language=$1
	shift
	"$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only $flags "$tmp/alone.$language"
}
# shellcheck disable=SC2086 # the compiler may have options of its own
expect 'the header alone, C11' header_in c $cc -std=c11
if command -v "$cxx" >/dev/null; then
	expect 'the header alone, C++' header_in cc "$cxx" -std=c++11
else
	echo "avc-example: no $cxx, so the header is not tried with C++ (Debian: g++)"
fi

# Each function's name is followed by a parenthesis somewhere in the header, and
# no other name is.
grep -o '\<avc_[a-z0-9_]*(' "$header" | tr -d '(' | sort -u >"$tmp/declared"
# defined FILE [OPTION]: what it defines for others; sanitizers and gcov define
# names with two underscores.
defined() { nm -g --defined-only -f posix "$@" | awk 'NF >= 3 && $1 !~ /^_/ { print $1 }' | sort -u; }
defined -D "$libdir/libpolicy-avc.so" >"$tmp/shared"
defined "$libdir/libpolicy-avc.a" >"$tmp/static"
expect 'the header declares something' test -s "$tmp/declared"
expect 'the shared library shows what the header declares' diff "$tmp/declared" "$tmp/shared"
expect 'the static library shows what the header declares' diff "$tmp/declared" "$tmp/static"

# --- the example

mkdir "$tmp/session"
cd "$tmp/session"
sed 's/^allow shell_t terminal_t:window { show read };$/allow shell_t terminal_t:window read;/' \
	"$example/policy.conf" >strict.conf
expect 'the other policy is another one' sh -c "! cmp -s '$example/policy.conf' strict.conf"
expect 'its policy' "$build/policy-compile" -o policy.bin "$example/policy.conf"
expect 'the other policy' "$build/policy-compile" -o strict.bin strict.conf

# session NAME: the program gives the answers that are written down.
session() { "./$1" policy.bin <"$example/requests" >"$1.answers" && diff "$example/answers" "$1.answers"; }
refuses() { ! "./$1" missing.bin; }

# make NAME PKG-CONFIG-OPTION [LINK-OPTION]...
make() {
	program=$1 kind=$2
	shift 2
	# shellcheck disable=SC2046,SC2086 # options
	expect "built, $program" $cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o "$program" "$example/manager.c" "$@" \
		$(pkg-config $kind --cflags --libs policy-avc) -pthread $ldflags
	expect "answers, $program" session "$program"
	expect "no policy, $program" refuses "$program"
}

make shared --libs "-Wl,-rpath,$libdir"
needs_library() { readelf -d shared | grep -q 'NEEDED.*libpolicy-avc\.so\.0'; }
expect 'shared is shared' needs_library
case $ldflags in
*-fsanitize=*) echo 'avc-example: no static program with a sanitizer' ;;
*)
	make static --static -static
	needs_nothing() { ! readelf -d static | grep -q NEEDED; }
	expect 'static is static' needs_nothing
	;;
esac

echo "avc-example: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
