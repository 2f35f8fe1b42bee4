/* What libsepol read from an image, as lines of text that two compilers can be
 * compared by: names in place of values, and order only where it is meaning. */
#ifndef TESTS_SEPOL_DUMP_H
#define TESTS_SEPOL_DUMP_H

#include <stdio.h>

#include <sepol/policydb/policydb.h>

/* Everything but the rules. */
void dump_symbols(FILE *out, const policydb_t *p);
void dump_labels(FILE *out, const policydb_t *p);

/* The rules with attributes expanded, so that images in which attributes have
 * no names (versions below 24) can be compared.  False when there are more than
 * LIMIT of them: then nothing is written. */
int dump_rules(FILE *out, const policydb_t *p, unsigned long limit);

/* "" when the policy has no such context. */
void write_context(FILE *out, const policydb_t *p, const context_struct_t *context);
void write_level(FILE *out, const policydb_t *p, const mls_level_t *level);

int has_bit(const ebitmap_t *set, unsigned int bit);

/* The types that a value of a rule stands for: attributes are expanded. */
const ebitmap_t *types_of(const policydb_t *p, unsigned int value);
int is_attribute(const policydb_t *p, unsigned int value);

#endif
