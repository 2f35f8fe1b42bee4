#!/bin/sh
# refpolicy-modules.sh PROGRAMS [TYPE]...
#
# Builds the reference policy from Debian's selinux-policy-src as a base and
# modules, with the module-compile in the directory PROGRAMS in checkmodule's
# place and the Makefile as it is, in the types standard and mcs or those that are
# named.  Then, for each type, these are one and the same policy, but for what
# refpolicy.known lists:
#
#   - what semodule_link and semodule_expand make of module-compile's packages,
#   - what they make of checkmodule's,
#   - policy-compile --link of the expanded sources,
#   - policy-compile --link of the packages,
#   - the monolithic build.
#
#   SOURCES    default: /usr/src/selinux-policy-src.tar.zst
#   WORK       a directory to keep the trees in (default: a temporary one); a
#              second run is faster
#
# Exit status: 0 all equal, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

# The newest module version that Debian's tools read.
version=21

# The module systemd does not compile as a module: it uses a type that it does
# not require.  The others require it.
off='systemd cockpit hypervkvp'

die() {
	printf 'refpolicy-modules: %s\n' "$*" >&2
	exit 2
}

# Shows what a command said only when it fails.
quiet() {
	if ! "$@" >"$work/log" 2>&1 </dev/null; then
		tail -n 20 "$work/log" >&2
		printf 'failed: %s\n' "$*" >&2
		return 1
	fi
}

# tree DIR MONOLITHIC: the sources, set up.
tree() {
	[ ! -e "$1/.ready" ] || return 0
	rm -rf "$1"
	mkdir -p "$1"
	tar -C "$1" --strip-components=1 -xf "$sources"
	quiet make -C "$1" TYPE="$type" MONOLITHIC="$2" conf
	for module in $off; do
		sed -i "s/^$module = .*/$module = off/" "$1/policy/modules.conf"
	done
	: >"$1/.ready"
}

# reference IMAGE PACKAGE...
reference() {
	image=$1
	shift
	quiet semodule_link -o "$work/linked" "$@"
	quiet semodule_expand -c 33 "$work/linked" "$image"
}

with_checkmodule() {
	mkdir -p "$work/$type.checkmodule"
	for source in $(sources_of "$dir"); do
		name=${source##*/}
		name=${name%.*}
		kind=-m
		[ "$name" != base ] || kind=''
		# shellcheck disable=SC2086 # options are words
		quiet checkmodule $mls $kind -o "$work/$type.checkmodule/$name.mod" "$source"
		quiet semodule_package -o "$work/$type.checkmodule/$name.pp" -m "$work/$type.checkmodule/$name.mod"
	done
}

# The expanded sources that make leaves: the base first.
sources_of() {
	printf '%s\n' "$1/base.conf"
	find "$1/tmp" -name '*.tmp' ! -name '*.fc.tmp' ! -name 'all_*' ! -name 'seusers*' | sort
}

packages_of() {
	printf '%s\n' "$1/base.pp"
	find "$1" -maxdepth 1 -name '*.pp' ! -name base.pp | sort
}

link() {
	image=$1
	shift
	# shellcheck disable=SC2086 # options are words
	quiet "$programs/policy-compile" $mls -c 33 -o "$image" --link "$@"
}

# As text, less what 3.4 is known to lose.
equal() {
	for image in "$work/a" "$work/b"; do
		# shellcheck disable=SC2086 # options are words
		quiet checkpolicy -b $mls -F -o "$image.conf" "$image"
	done
	python3 "$here/text-diff.py" --conf --known "$here/refpolicy.known" "$work/a.conf" "$work/b.conf" || {
		printf '%s: not equal: %s\n' "$type" "$1" >&2
		failed=1
	}
}

# compare IMAGE WHAT: with the link of the sources.
compare() {
	cp "$1" "$work/a"
	cp "$work/$type.linked" "$work/b"
	equal "$2"
}

run() {
	dir=$work/$type
	mls=''
	[ "$type" = standard ] || mls=-M
	tree "$dir" n
	quiet make -C "$dir" TYPE="$type" MONOLITHIC=n base modules CHECKMODULE="$programs/module-compile -c $version"
	# shellcheck disable=SC2046 # paths without blanks
	link "$work/$type.linked" $(sources_of "$dir")
	# shellcheck disable=SC2046
	link "$work/$type.packages" $(packages_of "$dir")
	compare "$work/$type.packages" 'link of packages'
	# shellcheck disable=SC2046
	reference "$work/$type.ours" $(packages_of "$dir")
	compare "$work/$type.ours" "module-compile's modules, linked by libsepol"
	[ -e "$work/$type.reference" ] || {
		with_checkmodule
		# shellcheck disable=SC2046
		reference "$work/$type.reference" $(packages_of "$work/$type.checkmodule")
	}
	compare "$work/$type.reference" "checkmodule's modules, linked by libsepol"
	tree "$dir.monolithic" y
	quiet make -C "$dir.monolithic" TYPE="$type" MONOLITHIC=y policy.conf
	# shellcheck disable=SC2086
	quiet "$programs/policy-compile" $mls -c 33 -o "$work/$type.monolithic.33" "$dir.monolithic/policy.conf"
	compare "$work/$type.monolithic.33" 'monolithic build'
	printf 'refpolicy-modules: %s: %s modules\n' "$type" "$(packages_of "$dir" | wc -l)"
}

[ $# -ge 1 ] || die 'usage: refpolicy-modules.sh PROGRAMS [TYPE]...'
here=$(cd -- "$(dirname -- "$0")" && pwd)
programs=$(cd -- "$1" && pwd)
shift
sources=${SOURCES:-/usr/src/selinux-policy-src.tar.zst}
[ -r "$sources" ] || die "cannot read $sources (Debian: selinux-policy-src)"
for program in checkmodule semodule_package semodule_link semodule_expand checkpolicy; do
	command -v "$program" >/dev/null || die "no program $program"
done
work=${WORK:-}
if [ -z "$work" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
fi
mkdir -p "$work"
work=$(cd -- "$work" && pwd)
[ $# -gt 0 ] || set -- standard mcs
failed=0
for type; do
	run
done
exit "$failed"
