#!/bin/sh
# module-images.sh PROGRAMS [MODULE]...
#
# Binary modules of checkmodule, read and written again by the module-compile in the
# directory PROGRAMS: a small base and modules, or the MODULEs, of which the
# first is the base.  For each
#
#   - what is written again has the size of what was read, and libsepol reads it;
#   - what is written as source, checkmodule compiles;
#   - --package makes what semodule_package makes, which writes the module anew:
#     tables of 16 or 32 symbols, say, may be in another order then, and the
#     categories of a level that has several spans of them.
#
# And the policy that semodule_link and semodule_expand make of what was written
# again, and of what was compiled from source again, has the bytes of the one that
# they make of the modules as they were.
#
# Exit status: 0 all well, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

die() {
	printf 'module-images: %s\n' "$*" >&2
	exit 2
}

[ $# -ge 1 ] || die 'usage: module-images.sh PROGRAMS [MODULE]...'
programs=$(cd -- "$1" && pwd)
shift
for program in checkmodule semodule_package semodule_link semodule_expand; do
	command -v "$program" >/dev/null || die "no program $program"
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
failed=0

fail() {
	printf 'module-images: %s\n' "$*" >&2
	[ ! -s "$tmp/log" ] || tail -n 5 "$tmp/log" >&2
	failed=1
}

# ---- a small policy ----

cat >"$tmp/base.conf" <<END
class file
class dir
class process
sid kernel
common cm { read write ioctl }
class file inherits cm { execute }
class dir inherits cm { search }
class process { transition dyntransition }
default_range { dir } target low-high;
sensitivity s0;
sensitivity s1 alias sx;
dominance { s0 s1 }
category c0 alias cx;
category c1;
level s0:c0.c1;
level s1:c0;
mlsconstrain file read ( l1 dom l2 or t1 == aa );
policycap open_perms;
attribute aa;
attribute ab;
type ta, aa;
type tb;
typealias ta alias tx;
bool ba true;
role ra;
role ra types { aa tb };
role rb;
allow ta tb:file { read execute };
neverallow tb ta:dir search;
range_transition ta tb:process s0 - s1:c0;
optional {
	require { type tc; }
	allow ta tc:file read;
} else {
	allow tb self:dir search;
}
optional {
	require { type nope; }
	allow ta nope:file read;
} else {
	allow tb self:dir write;
}
if (ba) { allow tb self:file write; }
user ua roles { ra rb } level s0 range s0 - s1:c0;
constrain file { write } ( u1 == u2 or t1 == { ta aa } );
sid kernel ua:ra:ta:s0 - s1:c0
fs_use_xattr ext4 ua:object_r:ta:s0;
genfscon proc / ua:object_r:tb:s0
portcon tcp 80 ua:object_r:ta:s0
netifcon lo ua:object_r:ta:s0 ua:object_r:ta:s0
nodecon 127.0.0.1 255.255.255.255 ua:object_r:ta:s0
END

cat >"$tmp/one.te" <<END
module one 1.2;
require {
	type ta, tb;
	attribute aa;
	role ra, rb;
	bool ba;
	class file { read write ioctl };
	class dir search;
	class process transition;
	sensitivity s0, s1;
	category c0, c1;
}
type tc, aa;
type td;
typealias tc alias tca;
attribute ac;
typeattribute ta ac;
typebounds tc td;
permissive td;
bool bc true;
tunable tu false;
role ra types { tc td };
attribute_role qa;
roleattribute rb qa;
role qa types td;
allow { ta aa -tb } { tb self }:file { read ioctl };
neverallow { ac -tc } ~{ ta tb }:file ioctl;
dontaudit tc tb:dir search;
allowxperm tc tb:file ioctl { 0x8900-0x8910 0x9000-0x91ff };
type_transition ta tb:process tc;
type_transition ta tb:file tc "name";
type_change ta tb:file td;
role_transition ra tc rb;
role_transition rb tb:file ra;
allow ra rb;
range_transition ta tb:file s0 - s1:c0;
if (ba && !bc) { allow ta tc:file read; } else { dontaudit ta tc:file write; }
if (tu) { type_member ta tc:file td; }
optional {
	require { type te; }
	type tf, ac;
	role rb types tf;
	allow te tf:dir search;
	optional { require { type nope; } allow nope tf:dir search; }
}
optional {
	require { type nope; }
	allow ta nope:file read;
} else {
	allow ta tb:dir search;
}
user ub roles { ra } level s0 range s0 - s1:c0;
END

cat >"$tmp/two.te" <<END
module two 3;
require {
	type tca, tb;
	attribute ac;
	class dir search;
}
type te;
typeattribute te ac;
allow te tca:dir search;
END

# compile NAME SOURCE: with checkmodule.
compile() {
	kind=-m
	[ "$1" != base ] || kind=''
	# shellcheck disable=SC2086 # options are words
	checkmodule $mls $kind -o "$3/$1.mod" "$2" >"$tmp/log" 2>&1
}

mls=-M
mkdir "$tmp/is" "$tmp/again" "$tmp/source"
if [ $# -eq 0 ]; then
	compile base "$tmp/base.conf" "$tmp/is" || die "checkmodule: $(cat "$tmp/log")"
	for module in one two; do
		compile "$module" "$tmp/$module.te" "$tmp/is" || die "checkmodule: $(cat "$tmp/log")"
	done
	set -- "$tmp/is/base.mod" "$tmp/is/one.mod" "$tmp/is/two.mod"
fi
"$programs/policy-query" info "$1" | grep -q '^MLS: *enabled' || mls=''

# ---- each module ----

# version_of MODULE: in which it was written.
version_of() {
	"$programs/policy-query" info "$1" | sed -n 's/^Version: *//p'
}

# same_package SIZE: but for the module of that size, behind five words.
same_package() {
	cmp -s "$tmp/ours" "$tmp/theirs" && return 0
	[ "$(wc -c <"$tmp/ours")" -eq "$(wc -c <"$tmp/theirs")" ] || return 1
	for package in ours theirs; do
		head -c 20 "$tmp/$package" >"$tmp/$package.rest"
		tail -c "+$((21 + $1))" "$tmp/$package" >>"$tmp/$package.rest"
	done
	cmp -s "$tmp/ours.rest" "$tmp/theirs.rest"
}

check_module() {
	module=$1 name=$2
	# shellcheck disable=SC2086
	"$programs/module-compile" -b $mls -c "$(version_of "$module")" -o "$tmp/again/$name.mod" "$module" >"$tmp/log" 2>&1 || {
		fail "$name: not read, or not written"
		return
	}
	[ "$(wc -c <"$module")" -eq "$(wc -c <"$tmp/again/$name.mod")" ] || fail "$name: another size"
	# shellcheck disable=SC2086
	"$programs/module-compile" -b -F $mls -o "$tmp/source/$name.te" "$module" >"$tmp/log" 2>&1 ||
		fail "$name: no source"
	compile "$name" "$tmp/source/$name.te" "$tmp/source" || fail "$name: checkmodule refuses its source"
	"$programs/module-compile" --package -o "$tmp/ours" -m "$module" -f "$module" 2>"$tmp/log" || fail "$name: no package"
	semodule_package -o "$tmp/theirs" -m "$module" -f "$module"
	same_package "$(wc -c <"$module")" || fail "$name: another package than semodule_package makes"
}

# link DIRECTORY IMAGE: the modules there, in the order of names.
link() {
	packages=''
	for name in $names; do
		semodule_package -o "$1/$name.pp" -m "$1/$name.mod" >"$tmp/log" 2>&1 || fail "libsepol does not read $1/$name.mod"
		packages="$packages $1/$name.pp"
	done
	# shellcheck disable=SC2086
	if ! semodule_link -o "$tmp/linked" $packages >"$tmp/log" 2>&1 ||
		! semodule_expand -c 33 "$tmp/linked" "$2" >"$tmp/log" 2>&1; then
		fail "libsepol does not link $1"
	fi
}

names=''
for module; do
	name=$(basename "$module" .mod)
	names="$names $name"
	check_module "$module" "$name"
	[ "$module" = "$tmp/is/$name.mod" ] || ln -sf "$(realpath "$module")" "$tmp/is/$name.mod"
done
for form in is again source; do
	link "$tmp/$form" "$tmp/$form.33"
done
cmp -s "$tmp/is.33" "$tmp/again.33" || fail 'what was written again links to another policy'
"$programs/policy-query" diff "$tmp/is.33" "$tmp/source.33" >"$tmp/log" ||
	fail 'what was compiled from source again links to another policy'
printf 'module-images: %s modules\n' "$#"
exit "$failed"
