#!/bin/sh
# refpolicy-modules.sh PROGRAMS [TYPE]...
#
# Builds the reference policy from Debian's selinux-policy-src as a base and
# modules, with the module-compile in the directory PROGRAMS in checkmodule's
# place and the Makefile as it is, in the types standard, mcs and mls or those
# that are named.  Then, for each type, these are the policy that the monolithic
# build is, as text, but for what refpolicy.known lists of libsepol's:
#
#   sources       policy-compile --link of the expanded sources
#   packages      policy-compile --link of module-compile's packages
#   checkmodule   policy-compile --link of checkmodule's modules
#   libsepol      what semodule_link and semodule_expand make of module-compile's
#                 packages
#   peer          what they make of checkmodule's
#   kernel        a real kernel that has loaded the link of the packages answers
#                 as it does with the monolithic build, and as policy-query batch
#                 (decisions.sh, which also asks libsepol)
#
#   SOURCES       default: /usr/src/selinux-policy-src.tar.zst
#   WORK          a directory to keep the trees in (default: a temporary one); a
#                 second run is faster
#   JOBS          how much at a time (default: the number of cores)
#   SEED, KERNEL, ACCESS, OTHERS, PEER, CC  as for decisions.sh
#
# Exit status: 0 all equal, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

# The newest module version that Debian's tools read.
version=21

die() {
	printf 'refpolicy-modules: %s\n' "$*" >&2
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

# --- one type: the trees, and checkmodule's modules

# systemd.te uses a type of the module init and does not require it: as a module it
# compiles with no compiler, checkmodule 3.4 and 3.11 among them.  The line that
# is missing is nothing in a monolithic build.
mend() {
	sed -i "/^policy_module(systemd/a gen_require(\`type systemd_transient_unit_t;')" \
		"$1/policy/modules/system/systemd.te"
}

make_tree() {
	if [ ! -e "$tree/.ready" ]; then
		rm -rf "$tree"
		mkdir -p "$tree"
		zstd -dqc "$sources" | tar -xf - -C "$tree" --strip-components=1
		quiet make -C "$tree" TYPE="$type" MONOLITHIC=n conf
		mend "$tree"
		: >"$tree/.ready"
	fi
	# What another module-compile made.
	find "$tree" -name '*.mod' ! -newer "$programs/module-compile" -exec rm {} +
	quiet make -j "$jobs" -C "$tree" TYPE="$type" MONOLITHIC=n base modules \
		CHECKMODULE="$programs/module-compile -c $version"
	find "$tree" -maxdepth 1 -name '*.pp' ! -name base.pp | sed 's|.*/||; s|\.pp$||' | sort >"$tree.names"
}

# in_each COMMAND...: for each module, in which % stands for its name.
in_each() {
	quiet xargs -a "$tree.names" -P "$jobs" -I % "$@"
}

# shellcheck disable=SC2086 # options are words
with_checkmodule() {
	[ ! -e "$peer/.ready" ] || return 0
	mkdir -p "$peer"
	quiet checkmodule $mls -o "$peer/base.mod" "$tree/base.conf"
	in_each checkmodule $mls -m -o "$peer/%.mod" "$tree/tmp/%.tmp"
	quiet semodule_package -o "$peer/base.pp" -m "$peer/base.mod"
	in_each semodule_package -o "$peer/%.pp" -m "$peer/%.mod"
	: >"$peer/.ready"
}

build() {
	make_tree
	with_checkmodule
	"$here/refpolicy-source" "$work" "$type"
	# shellcheck disable=SC2086
	quiet "$programs/policy-compile" $mls -c 33 -o "$monolithic" "$work/$type/policy.conf"
	text "$monolithic"
	printf 'refpolicy-modules: %s: a base and %s modules\n' "$type" "$(wc -l <"$tree.names")"
}

# --- one comparison: $type $kind

# files BEFORE AFTER: of each module, what stands before and after its name.
files() {
	sed "s|^|$1|; s|\$|$2|" "$tree.names"
}

# shellcheck disable=SC2046,SC2086 # paths without blanks, options
ours() {
	quiet "$programs/policy-compile" $mls -c 33 -o "$dir/$kind" --link "$@"
}

libsepol() {
	quiet semodule_link -o "$dir/linked" "$@"
	quiet semodule_expand -c 33 "$dir/linked" "$dir/$kind"
}

# shellcheck disable=SC2086
text() {
	quiet checkpolicy -b $mls -F -o "$1.conf" "$1"
}

# equal OPTION...
equal() {
	text "$dir/$kind"
	python3 -B "$here/text-diff.py" -n 12 --conf "$@" "$dir/$kind.conf" "$monolithic.conf"
}

# shellcheck disable=SC2046
compare() {
	case $kind in
	sources)
		ours "$tree/base.conf" $(files "$tree/tmp/" .tmp)
		equal
		;;
	packages)
		ours "$tree/base.pp" $(files "$tree/" .pp)
		equal
		;;
	checkmodule)
		ours "$peer/base.mod" $(files "$peer/" .mod)
		equal
		;;
	libsepol)
		libsepol "$tree/base.pp" $(files "$tree/" .pp)
		equal --known "$here/refpolicy.known"
		;;
	peer)
		libsepol "$peer/base.pp" $(files "$peer/" .pp)
		equal --known "$here/refpolicy.known"
		;;
	kernel)
		ours "$tree/base.pp" $(files "$tree/" .pp)
		cd "$dir"
		AS=$monolithic "$here/decisions.sh" "$programs" "$kind"
		;;
	esac
}

settle() {
	tree=$work/$type.modules
	peer=$work/$type.checkmodule
	monolithic=$work/$type.monolithic.33
	case $type in
	standard) mls='' ;;
	*) mls=-M ;;
	esac
}

# Worker: WORK PROGRAMS TMP TYPE-KIND
if [ "${1-}" = --run ]; then
	here=$(cd -- "$(dirname -- "$0")" && pwd)
	work=$2 programs=$3 tmp=$4 name=$5
	type=${name%-*} kind=${name#*-} dir=$tmp/work-$name
	settle
	mkdir "$dir"
	# Alone on its line, or set -e would not hold within.
	set +e
	(set -e; compare) >"$tmp/$name.report" 2>&1
	status=$?
	set -e
	[ "$status" -ne 0 ] || : >"$tmp/$name.passed"
	rm -rf "$dir"
	exit 0
fi

# --- the run

[ $# -ge 1 ] || die 'usage: refpolicy-modules.sh PROGRAMS [TYPE]...'
here=$(cd -- "$(dirname -- "$0")" && pwd)
programs=$(cd -- "$1" && pwd)
shift
[ $# -gt 0 ] || set -- standard mcs mls
sources=${SOURCES:-/usr/src/selinux-policy-src.tar.zst}
[ -r "$sources" ] || die "cannot read $sources (Debian: selinux-policy-src)"
for program in checkmodule semodule_package semodule_link semodule_expand checkpolicy; do
	command -v "$program" >/dev/null || die "no program $program"
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=${WORK:-$dir/policy}
mkdir -p "$work"
work=$(cd -- "$work" && pwd)
case "$here$work$programs$dir" in
*[[:space:]]*) die 'blanks in paths are not supported' ;;
esac
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}

tasks=''
for type; do
	settle
	build
	for kind in kernel libsepol peer sources packages checkmodule; do
		tasks="$tasks $type-$kind"
	done
done
# shellcheck disable=SC2086 # the tasks are words
printf '%s\n' $tasks | xargs -n 1 -P "$jobs" "$0" --run "$work" "$programs" "$dir"
passed=0 failed=0
for name in $tasks; do
	if [ -e "$dir/$name.passed" ]; then
		passed=$((passed + 1))
		sed "s/^/$name: /" "$dir/$name.report"
	else
		failed=$((failed + 1))
		printf 'FAIL %s\n' "$name"
		sed 's/^/  /' "$dir/$name.report"
	fi
done
printf 'refpolicy-modules: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
