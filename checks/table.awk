# checks.txt as the table of checks.c; before read.awk.

function c_string(text) {
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

# One text of a check, unless there is none; and what the row says of it.
function put_text(field, text) {
	if (text != "")
		printf "TEXT(%s_%d, %s)\n", field, i, c_string(text)
}

function place_of(field, text) {
	return text == "" ? "NO_TEXT" : "AT(" field "_" i ")"
}

END {
	if (failed)
		exit 1
	finish()
	print "/* Made from checks.txt. */"
	for (i = 1; i <= n; i++) {
		put_text("name", name[i])
		put_text("summary", summary[i])
		put_text("text", text[i])
		put_text("bad", bad[i])
		put_text("good", good[i])
		put_text("program", program[i])
		put_text("flags", flags[i])
		printf "CHECK(%s, %s, ", c_level(level[i]), level[i] ~ /demotable/ ? "true" : "false"
		printf "%s, %s, %s, ", place_of("name", name[i]), place_of("summary", summary[i]), place_of("text", text[i])
		printf "%s, %s, ", place_of("bad", bad[i]), place_of("good", good[i])
		printf "%s, %s)\n", place_of("program", program[i]), place_of("flags", flags[i])
	}
}
