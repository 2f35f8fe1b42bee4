#!/bin/sh
# arrows.sh [SOURCE-DIRECTORY]
#
# Holds the #include lines against the table of rooms in HACKING.md.  A row is
#
#   | `room/` | job | `room/header.h`... | `room`... |
#
# A room includes its own files, and of the rooms that it sees (last column;
# `all` of them above) only the public headers (third column, a * stands for any
# name).  It sees only rooms of rows above its own, so that arrows do not go
# round.  Rows with three columns are no rooms of the programs.  What a header
# makes known of other rooms is not looked at.
#
# Exit status: 0 all as the table says, 1 not, 2 the table or a room is missing.
set -eu
LC_ALL=C
export LC_ALL

cd -- "${1:-$(dirname -- "$0")/..}"

# `ROOM public PATTERN` and `ROOM sees ROOM`, in the order of the table.
rows=$(awk -F '|' '
	function words(text, kind,    list, n, i) {
		n = split(text, list, "`")
		for (i = 2; i <= n; i += 2)
			print room, kind, list[i]
	}
	NF == 6 && $2 ~ /^ `[a-z]+\/` $/ {
		room = $2
		gsub(/[ `\/]/, "", room)
		print room, "room", room
		words($4, "public")
		words($5, "sees")
	}' HACKING.md)
rooms=$(printf '%s\n' "$rows" | sed -n 's/ room .*//p')
if [ -z "$rooms" ]; then
	echo 'arrows.sh: HACKING.md has no table of rooms' >&2
	exit 2
fi

for room in $rooms; do
	if [ ! -d "$room" ]; then
		echo "arrows.sh: HACKING.md has the room $room/, the tree has not" >&2
		exit 2
	fi
done

# Each line that includes by quotes, as `FILE:LINE HEADER`.
lines=$(printf '%s\n' "$rooms" | while IFS= read -r room; do
	find "$room" -name '*.[chly]' -o -name '*.inc' -o -name '*.def'
done | sort | xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' /dev/null |
	sed 's/:[^:]*"\([^"]*\)".*/ \1/')

printf '%s\n-\n%s\n' "$rows" "$lines" | awk '
	function fail(text) { print text; bad = 1 }
	function is_public(header, to,    i, pattern) {
		for (i = 1; i <= npublic[to]; i++) {
			pattern = public[to, i]
			gsub(/[.]/, "[.]", pattern)
			gsub(/[*]/, "[^/]*", pattern)
			if (header ~ "^" pattern "$")
				return used[to, i] = 1
		}
		return 0
	}
	/^-$/ { rest = 1; next }
	!rest && $2 == "room" { order[++nrooms] = $1; known[$1] = 1; next }
	!rest && $2 == "public" { public[$1, ++npublic[$1]] = $3; next }
	!rest && $3 == "all" {
		for (i = 1; i < nrooms; i++)
			sees[$1, order[i]] = 1
		next
	}
	!rest && (!known[$3] || $3 == $1) {
		fail("HACKING.md: " $1 "/ sees " $3 "/, which is no room above it")
		next
	}
	!rest { sees[$1, $3] = "named"; next }
	{
		from = to = $1
		sub(/\/.*/, "", from)
		to = $2
		sub(/\/.*/, "", to)
		n++
		if ($2 !~ /\//)
			fail($1 ": \"" $2 "\" does not name its room")
		else if (to == from)
			next
		else if (!known[to])
			fail($1 ": " to "/ is no room of the table in HACKING.md")
		else if (!sees[from, to])
			fail($1 ": " from "/ does not see " to "/")
		else if (!is_public($2, to))
			fail($1 ": " $2 " is private to " to "/")
		if (to != from && sees[from, to] == "named")
			arrow[from, to] = 1
	}
	END {
		for (r = 1; r <= nrooms; r++) {
			from = order[r]
			for (i = 1; i < r; i++)
				if (sees[from, order[i]] == "named" && !arrow[from, order[i]])
					fail("HACKING.md: " from "/ sees " order[i] "/, and nothing there includes it")
			for (i = 1; i <= npublic[from]; i++)
				if (!used[from, i] && !is_library(public[from, i]))
					fail("HACKING.md: " public[from, i] " is public, and no other room includes it")
		}
		if (!bad)
			printf "%d includes among %d rooms, all as HACKING.md says\n", n, nrooms
		exit bad
	}
	# What other projects include.
	function is_library(header) { return header == "avc/policy-avc.h" }'
