# What both generators share: reads checks.txt into fields by number of the
# check, and stops with a message where the form is not that of its first lines.

function wrong(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
	failed = 1
	exit 1
}

# Paragraphs without the blank lines around them.
function trimmed(text) {
	sub(/^\n+/, "", text)
	sub(/\n+$/, "\n", text)
	return text
}

function finish() {
	if (!n)
		return
	text[n] = trimmed(text[n])
	bad[n] = trimmed(bad[n])
	good[n] = trimmed(good[n])
	if (summary[n] == "")
		wrong(name[n] " has no summary")
	if (program[n] != "" && program[n] !~ /^(mls-validate|module-compile|policy-compile)( |$)/)
		wrong(name[n] " is of no program")
	if ((bad[n] == "") != (good[n] == ""))
		wrong(name[n] " has one example only")
}

/^#/ && !n && !/^# [a-z0-9-]+: / { next }

/^# / {
	finish()
	if (!match($0, /^# [a-z0-9-]+: /))
		wrong("not the head of a check")
	n++
	name[n] = substr($0, 3, RLENGTH - 4)
	level[n] = substr($0, RLENGTH + 1)
	if (level[n] !~ /^(error|error, demotable|error or warning|warning|note)$/)
		wrong("no such level: " level[n])
	if (n > 1 && name[n] <= name[n - 1])
		wrong(name[n] " stands behind " name[n - 1])
	part = "summary"
	next
}

!n { next }

part == "summary" { summary[n] = $0; part = "text"; next }
/^Program: / { program[n] = substr($0, 10); next }
/^Flags: / { flags[n] = substr($0, 8); next }
/^Bad:$/ { part = "bad"; next }
/^Good:$/ { part = "good"; next }
part == "text" { text[n] = text[n] $0 "\n"; next }
/^(\t.*)?$/ && part == "bad" { bad[n] = bad[n] substr($0, 2) "\n"; next }
/^(\t.*)?$/ && part == "good" { good[n] = good[n] substr($0, 2) "\n"; next }
{ wrong("not in an example, and behind one") }
