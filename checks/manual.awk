# The manual page that comes behind checks.txt, with the checks of its program in
# place of its line `.\" CHECKS`; before read.awk, which sees checks.txt alone.

function mdoc(line) {
	gsub(/\\/, "\\e", line)
	while (match(line, /`[^`]*`/))
		line = substr(line, 1, RSTART - 1) "\\(oq" substr(line, RSTART + 1, RLENGTH - 2) "\\(cq" \
		    substr(line, RSTART + RLENGTH)
	gsub(/\. /, ".\n", line) # the habit of manuals: a new sentence on a new line
	if (line ~ /^[.']/)
		line = "\\&" line
	return line
}

function print_text(all,    lines, count, j) {
	count = split(all, lines, "\n")
	for (j = 1; j < count; j++)
		print lines[j] == "" ? ".Pp" : mdoc(lines[j])
}

# Without a word for it, a check is one of policy-compile, whose manual has those
# of module-compile, too.
function is_of(check, page) {
	return index(page, program[check] ~ /^mls-validate/ ? "mls-validate." : "policy-compile.") > 0
}

function print_checks(page,    i) {
	print ".Bl -tag -width Ds"
	for (i = 1; i <= n; i++) {
		if (!is_of(i, page))
			continue
		printf ".It Cm %s Pq %s\n%s.\n", name[i], level[i], mdoc(summary[i])
		print_text(text[i])
	}
	print ".El"
}

FNR == 1 && NR > 1 {
	finish()
	page = 1
}
page && $0 == ".\\\" CHECKS" { print_checks(FILENAME); next }
page { print; next }

END {
	if (failed || !page)
		exit 1
}
