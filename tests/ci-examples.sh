#!/bin/sh
# ci-examples.sh PROGRAM: the recipes of examples/ci, on a policy and label files
# that are right, and on some that are not.  Of the hosted ones the commands are
# run that stand in them.
#
# Exit status: 0 all as expected, 1 not, 2 wrong use or something is missing.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
	echo 'usage: ci-examples.sh PROGRAM' >&2
	exit 2
fi
PATH=$(cd -- "$(dirname -- "$1")" && pwd):$PATH
export PATH
for tool in make git python3; do
	command -v $tool >/dev/null || {
		echo "ci-examples: no $tool" >&2
		exit 2
	}
done
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
recipes=$top/examples/ci
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
passed=0 failed=0

# expect STATUS NAME COMMAND...: what the one before printed is in $tmp/before.
: >"$tmp/log"
expect() {
	wanted=$1 name=$2
	shift 2
	got=0
	mv "$tmp/log" "$tmp/before"
	"$@" >"$tmp/log" 2>&1 </dev/null || got=$?
	if [ "$got" = "$wanted" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name: exit status $got, expected $wanted"
		sed 's/^/    /' "$tmp/log"
	fi
}

# tree NAME: a repository with a policy and label files, all right, and in it.
tree() {
	mkdir "$tmp/$1"
	cd "$tmp/$1"
	cp "$top/testdata/validate/policy/clean.conf" policy.conf
	printf '/srv(/.*)?\tsys_u:object_r:data_t:s0\n' >file_contexts
	cp "$recipes/check-labels" .
}

break_files() { printf '/opt\tsys_u:object_r:data_t:s0:c9\n' >>file_contexts; }
break_policy() { sed -i 's/level s0 range s0 - s0:c0;/level s1 range s0 - s0:c0;/' policy.conf; }

# --- make

tree make
printf 'include %s/labels.mk\n' "$recipes" >Makefile
expect 0 'make' make check-labels
expect 0 'make, nothing changed' make -q check-labels
break_files
expect 1 'make, something changed' make -q check-labels
expect 2 'make, a bad label' make check-labels
expect 0 'the message of make' grep -q '^file_contexts:2:.* error: .*\[unknown-category\]' "$tmp/before"
expect 2 'make, again' make check-labels
sed -i 2d file_contexts
expect 0 'make, mended' make check-labels

# --- hosted

# commands FILE KEY: what stands behind `KEY:`, or in the list below it.
commands() {
	awk -v key="$2:" '
		$1 == key && NF > 1 { sub(/^ *[^ ]+ /, ""); print; next }
		$1 == key { inside = 1; next }
		inside && $1 == "-" { sub(/^ *- /, ""); print; next }
		{ inside = 0 }' "$1" | grep check-labels
}

sarif_has() {
	python3 - "$@" <<'END'
import json, sys
log = json.load(open(sys.argv[1]))
found = [r["ruleId"] for r in log["runs"][0]["results"] if r["level"] == "error"]
assert log["version"] == "2.1.0" and found == sys.argv[2:], found
END
}

junit_has() {
	python3 - "$@" <<'END'
import sys, xml.etree.ElementTree as tree
top = tree.parse(sys.argv[1]).getroot()
found = [f.get("type") for f in top.iter("failure")]
assert top.tag == "testsuites" and int(top.get("tests")) > 0 and found == sys.argv[2:], found
END
}

# hosted NAME KEY ENDING READER
hosted() {
	command=$(commands "$recipes/$1.yml" "$2")
	expect 0 "$1: one command" test "$(printf '%s\n' "$command" | wc -l)" -eq 1
	tree "$1"
	expect 0 "$1" sh -c "$command"
	expect 0 "$1: the report of the policy" "$4" "reports/policy.$3"
	expect 0 "$1: the report of the files" "$4" "reports/files.$3"
	break_files
	expect 1 "$1, a bad label" sh -c "$command"
	expect 0 "$1: the report of a bad label" "$4" "reports/files.$3" unknown-category
	break_policy
	expect 2 "$1, a bad policy" sh -c "$command" # for the files, which have nothing to be judged by
	expect 0 "$1: the report of a bad policy" "$4" "reports/policy.$3" level-outside-range
}
hosted github run sarif sarif_has
hosted gitlab script xml junit_has

# Where there is a reader of YAML: they are YAML, and the report is where it is
# looked for.
if python3 -c 'import yaml' 2>/dev/null; then
	expect 0 'YAML' python3 - "$recipes" <<'END'
import sys, yaml
github, gitlab = (yaml.safe_load(open("%s/%s.yml" % (sys.argv[1], name))) for name in ("github", "gitlab"))
assert github["jobs"]["labels"]["steps"][-1]["with"]["sarif_file"] == "reports"
assert gitlab["labels"]["artifacts"]["reports"]["junit"] == "reports/*.xml"
END
fi

# --- git

commit() { git -c user.name=x -c user.email=x@example.org commit -q -m "$1"; }

tree hook
git init -q .
cp "$recipes/pre-commit" .git/hooks/pre-commit
git add policy.conf file_contexts
expect 0 'hook' commit right
break_files
echo text >notes
git add notes
expect 0 'hook, another file' commit notes
git add file_contexts
expect 1 'hook, a bad label' commit wrong
sed -i 2d file_contexts
expect 1 'hook, mended but not staged' commit wrong
git add file_contexts
echo more >>notes
git add notes
expect 0 'hook, staged' commit mended
break_policy
git add policy.conf
expect 1 'hook, a bad policy' commit wrong

echo "ci-examples: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
