#!/bin/sh
# fuzz-seeds.sh DIRECTORY
#
# Lays out what the fuzzers start from: DIRECTORY/policy, DIRECTORY/reader,
# DIRECTORY/module, DIRECTORY/context and DIRECTORY/files, a file each input, and
# the words in policy.dict, policydb.dict and context.dict.  The sources are those
# of the golden cases and the hostile ones, with the byte in front that
# tests/fuzz_policy.c wants; the words are the scanner's keywords.  The label
# files are those of the cases of mls-validate, with the kind that
# tests/fuzz_files.c wants.
set -eu
LC_ALL=C
export LC_ALL

[ $# -eq 1 ] || {
	echo 'usage: fuzz-seeds.sh DIRECTORY' >&2
	exit 2
}
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
large=8000 # bytes: what is larger only slows the search

mkdir -p "$1/policy" "$1/reader" "$1/module" "$1/context" "$1/files"
cp "$root"/testdata/fuzz/reader/* "$1/reader"
cp "$root"/testdata/fuzz/module/* "$1/module"
cp "$root"/testdata/fuzz/context/* "$1/context"
cp "$root/testdata/fuzz/context.dict" "$1/context.dict"
cp "$root/testdata/fuzz/policydb.dict" "$1/policydb.dict"
sed -n 's/^KEYWORD([^,]*, *\("[^"]*"\)).*/\1/p' "$root/lexer/tokens.def" >"$1/policy.dict"

# mls_of FILE: 1 when it is compiled with levels, else 0.
mls_of() {
	if grep -q -e '^-M' -e ' -M' "${1%.conf}.flags" 2>/dev/null; then echo 1; else echo 0; fi
}

n=0
find "$root/testdata" -name '*.conf' ! -path '*/setrans*' ! -path '*/app/1*' ! -name secolor.conf -size -"${large}c" | sort >"$1/list"
while IFS= read -r file; do
	n=$((n + 1))
	{
		mls_of "$file" | tr -d '\n'
		cat "$file"
	} >"$1/policy/$n"
done <"$1/list"
rm "$1/list"
# The name of a kind is the end of the name of the file.
files=0
find "$root/testdata/validate" -type f \( ! -name '*.conf' -o -path '*/setrans*' -o -path '*/app/1*' -o -name secolor.conf \) ! -name '*.cmd' ! -name '*.out' ! -name '*.in' -size -"${large}c" | sort >"$1/list"
while IFS= read -r file; do
	files=$((files + 1))
	{
		printf '%s\n' "$(basename "$file" | sed 's/^plat_//; s/^.*\.fc$/file_contexts/; s/^.*_u$/user_contexts/; s/^.*\.users$/users/; s/^.*\.xml$/dbus_contexts/; s/^.*\.secolor$/secolor.conf/; /^secolor/!s/^.*\.conf$/setrans.conf/')"
		cat "$file"
	} >"$1/files/$files"
done <"$1/list"
rm "$1/list"
echo "fuzz-seeds: $n sources, $files label files, $(find "$1/reader" -type f | wc -l) images, $(find "$1/module" -type f | wc -l) modules, $(find "$1/context" -type f | wc -l) contexts"
