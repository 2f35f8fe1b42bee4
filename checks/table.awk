# checks.txt as the table of checks.c; before read.awk.

function c_string(text) {
	if (text == "")
		return "NULL"
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/\t/, "\\t", text)
	gsub(/\n/, "\\n\"\n\t\t\"", text)
	sub(/\n\t\t""$/, "", text)
	return "\"" text "\""
}

function c_level(words) {
	return words == "note" ? "CHECK_NOTE" : words == "warning" ? "CHECK_WARNING" : words == "error or warning" ? "CHECK_MIXED" : "CHECK_ERROR"
}

END {
	if (failed)
		exit 1
	finish()
	print "/* Made from checks.txt. */"
	for (i = 1; i <= n; i++) {
		printf "{\n\t.name = \"%s\",\n\t.level = %s,\n", name[i], c_level(level[i])
		printf "\t.demotable = %s,\n", level[i] ~ /demotable/ ? "true" : "false"
		printf "\t.summary = %s,\n", c_string(summary[i])
		printf "\t.text = %s,\n", text[i] == "" ? "\"\"" : c_string(text[i])
		printf "\t.bad = %s,\n\t.good = %s,\n", c_string(bad[i]), c_string(good[i])
		printf "\t.program = %s,\n", c_string(program[i])
		printf "\t.flags = %s,\n},\n", c_string(flags[i])
	}
}
