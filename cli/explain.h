/* What the programs say of the checks themselves. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <stdio.h>

#include "base/check.h"

/* One line for each: name, level, summary. */
void checks_list(struct check_table checks, FILE *out);
/* The explanation and the examples of one that is there. */
void check_explain(struct check_table checks, const char *name, FILE *out);

#endif
