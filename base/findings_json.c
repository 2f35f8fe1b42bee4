/* Findings for programs: one JSON object a line (policy-compile(1)). */
#include <string.h>

#include "base/findings.h"
#include "base/json_out.h"

enum { LINE_MAX_BYTES = 1000 }; /* a longer source line is left out */

static void put_place(json_t *object, const struct place *place, struct loc loc)
{
	if (!place->source)
		return;
	json_put(object, "file", json_new_text(place->file, place->file_len));
	json_put_number(object, "line", place->line);
	json_put_number(object, "column", place->col);
	json_put_number(object, "endColumn", place->col + place_len(place, loc));
	if (place->text_len <= LINE_MAX_BYTES)
		json_put(object, "source", json_new_lines(place->text, place->text_len));
	if (place_is_marked(place)) {
		json_t *generated = json_new_object();

		json_put_string(generated, "file", place->source->path);
		json_put_number(generated, "line", place->row);
		json_put(object, "generated", generated);
	}
}

static json_t *note_of(const struct diag *d, const struct place *place)
{
	json_t *note = json_new_object();

	json_put(note, "message", json_new_text(d->text, strlen(d->text)));
	put_place(note, place, d->loc);
	return note;
}

static json_t *finding_of(const struct diags *diags, const struct findings *findings, const struct diag *d)
{
	uint32_t index = (uint32_t)(d - diags->list.at);
	json_t *finding = json_new_object(), *notes = json_new_array(), *hints = json_new_array();

	json_put_string(finding, "level", finding_level(d));
	json_put_string(finding, "check", d->check);
	json_put(finding, "message", json_new_text(d->text, strlen(d->text)));
	put_place(finding, &findings->places[index], d->loc);
	for (uint32_t i = index + 1; i <= index + d->nnotes; i++) {
		const struct diag *note = &diags->list.at[i];

		if (note->severity == SEV_HINT)
			json_add(hints, json_new_text(note->text, strlen(note->text)));
		else
			json_add(notes, note_of(note, &findings->places[i]));
	}
	json_put(finding, "notes", notes);
	json_put(finding, "hints", hints);
	json_put_number(finding, "moreUses", d->again);
	return finding;
}

static json_t *summary_of(const struct findings *findings)
{
	json_t *summary = json_new_object(), *counts = json_new_object();

	json_put_number(counts, "errors", findings->errors);
	json_put_number(counts, "warnings", findings->warnings);
	json_put_number(counts, "errorsNotShown", findings->more_errors);
	json_put_number(counts, "warningsNotShown", findings->more_warnings);
	json_put(summary, "summary", counts);
	return summary;
}

void findings_print_json(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			 FILE *out)
{
	(void)style;
	for (uint32_t i = 0; i < findings->n; i++)
		json_print(finding_of(diags, findings, findings->at[i]), out);
	json_print(summary_of(findings), out);
}
