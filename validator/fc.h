/* The file_contexts family: what its files share.  Private to validator/.
 *
 * Facts: selabel_file(5), file_contexts(5), file_contexts.subs_dist(5) and the
 * code of libselinux (label_file.c, regex.c) and genhomedircon. */
#ifndef VALIDATOR_FC_H
#define VALIDATOR_FC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/vec.h"
#include "validator/label_kind.h"
#include "validator/lines.h"

/* In the order in which libselinux looks at them: a later one wins. */
enum fc_role { FC_BASE, FC_TEMPLATE, FC_HOMEDIRS, FC_LOCAL, FC_SUBS_DIST, FC_SUBS };

enum fc_type { FC_ANY, FC_REG, FC_DIR, FC_LNK, FC_CHR, FC_BLK, FC_SOCK, FC_FIFO };
enum { FC_TYPES = FC_FIFO + 1 };

/* What a context is that is no number of one. */
#define FC_WRONG 0u
#define FC_NO_CONTEXT UINT32_MAX /* <<none>>; more than an enumerator of ISO C may be */

struct fc_entry {
	struct span regex, context_text;
	uint32_t context;    /* of label_context(), or FC_WRONG, FC_NO_CONTEXT */
	uint8_t role, type;  /* enum fc_role, enum fc_type */
	bool broken;         /* the expression does not compile */
	bool shadowed;       /* a later entry matches all that it matches */
	bool literal;        /* it is the path `fixed`, as libselinux sees it */
	/* Every path that matches begins with these bytes; in the arena. */
	const char *fixed;
	uint32_t fixed_len;
	uint32_t fixed_end;  /* what of the expression is not fixed begins here */
};

/* A line of a file of substitutions. */
struct fc_sub {
	struct span from, to;
	uint8_t role;
};

/* The files of one set, in the order of their roles. */
struct fc_set {
	struct label_run *run;
	bool android;
	struct arena arena;
	VEC(struct fc_entry) entries;
	VEC(struct fc_sub) subs;
};

/* `--` and so on; empty for FC_ANY. */
const char *fc_type_flag(enum fc_type type);
/* `regular file`, `file of any type`. */
const char *fc_type_name(enum fc_type type);
/* Whether a file can be of both types. */
bool fc_types_meet(uint8_t a, uint8_t b);

/* Reading; what is wrong with a single line is reported here. */
void fc_read(struct fc_set *set, const struct source *source, enum fc_role role);
void fc_read_subs(struct fc_set *set, const struct source *source, enum fc_role role);

/* ---- expressions ---- */

/* Fills literal and fixed, fixed_len, fixed_end. */
void fc_regex_fixed(struct arena *arena, struct fc_entry *entry);
/* Offset of a `|` that stands in no group, or len. */
uint32_t fc_regex_alternation(const char *text, uint32_t len);
/* ---- checks of a set, one each ---- */

void fc_check_duplicates(struct fc_set *set);
void fc_check_shadowed(struct fc_set *set);    /* an earlier entry that never wins */
void fc_check_order(struct fc_set *set);       /* a more specific entry that is before a less specific one */
void fc_check_substituted(struct fc_set *set); /* an entry whose paths are looked up elsewhere */
/* The path that lookups of a path come to; it is changed in place. */
void fc_substitute(const struct fc_set *set, struct buffer *path);
void fc_check_homedirs(struct fc_set *set);
void fc_check_genfs(struct fc_set *set);
void fc_check_levels(struct fc_set *set);
void fc_explain_path(struct fc_set *set, const char *path);

#endif
