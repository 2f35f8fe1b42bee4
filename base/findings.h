/* The findings of a run as every format has them: in order, once each, with
 * their places.  Private to base/. */
#ifndef BASE_FINDINGS_H
#define BASE_FINDINGS_H

#include "base/diag.h"

struct findings {
	const struct diag **at; /* what is shown */
	uint32_t n;
	struct place *places;   /* by index in diags->list, notes as well; source NULL: none */
	uint32_t errors, warnings;           /* all but the repeats */
	uint32_t more_errors, more_warnings; /* of them, those not shown */
};

/* Whether a `#line` mark names another place than the one in the file itself. */
bool place_is_marked(const struct place *place);
/* The part of a span that is in the line of its place, in bytes, at least 1. */
uint32_t place_len(const struct place *place, struct loc loc);

/* Of JSON and SARIF: "error", "warning" or "note". */
const char *finding_level(const struct diag *d);

/* What a finding without a place is about, as far as it is known; or NULL. */
const char *finding_input(const struct diag_style *style, const struct diag *d);

/* The formats. */
void findings_print_text(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			 FILE *out);
void findings_print_json(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			 FILE *out);
void findings_print_sarif(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			  FILE *out);
void findings_print_junit(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			  FILE *out);

#endif
