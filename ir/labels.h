/* What the files about labelling statements share.  Private to labels*.c.
 *
 * An entry that collides with another, or has a wrong number, is an error, and
 * the compile fails; so entries go into the policy whether or not they do. */
#ifndef IR_LABELS_H
#define IR_LABELS_H

#include "ir/internal.h"
#include "ir/span.h"

/* ---- labels.c ---- */

/* Whether statements of a kind fit the target; else one error, at the first
 * of them (check "wrong-target"). */
bool labels_fit_target(struct compile *c, enum policy_target target, const char *statement, struct loc first);


/* Whether the numbers of a span are at most max and in order. */
bool label_span_fits(struct compile *c, const struct ast_span *span, uint64_t max, const char *what);
struct loc label_number_loc(const struct compile *c, uint32_t begin);

/* A number or range for messages: use as label_span_text(...).at. */
struct span_text { char at[48]; };
struct span_text label_span_text(uint64_t low, uint64_t high);
struct span_text label_span_hex(uint64_t low, uint64_t high);

/* Statements that must not collide. */
struct label_entries {
	VEC(struct span) spans;
	VEC(struct loc) locs;
	struct span_verdict *verdicts;
};

void label_entries_add(struct label_entries *e, struct span span, struct loc loc);
void label_entries_judge(struct label_entries *e); /* once all are added */
void label_entries_free(struct label_entries *e);

/* The second statement about one thing (check "duplicate-label"). */
void label_report_duplicate(struct compile *c, const struct label_entries *e, uint32_t i, const char *what,
			    const char *name);
/* Judges entries that are names (the group of each is its atom), and reports
 * the repeated ones. */
void label_names_judge(struct compile *c, struct label_entries *e, const char *what);

/* ---- the kinds ---- */

void lower_fs_uses(struct compile *c);     /* labels_fs.c */
void lower_genfs(struct compile *c);
void lower_ports(struct compile *c);       /* labels_net.c */
void lower_netifs(struct compile *c);
void lower_ibpkeys(struct compile *c);
void lower_ibendports(struct compile *c);
void lower_nodes(struct compile *c);       /* labels_node.c */
void lower_xen(struct compile *c);         /* labels_xen.c */

/* ---- labels_node.c: addresses ---- */

enum node_fault { NODE_GOOD, NODE_BAD_ADDRESS, NODE_BAD_MASK };

struct node_address {
	unsigned char address[16], mask[16]; /* network order; IPv4 in the first four */
	bool gap;       /* the mask is not contiguous */
	bool host_bits; /* the address had bits outside of the mask */
};

/* An address and a mask, or mask NULL and address/prefix: then bits outside of
 * the prefix are cleared. */
enum node_fault node_parse(const char *address, const char *mask, bool ipv6, struct node_address *ret_node);

/* Below 0 when the first mask is the more specific one, and goes first. */
int node_compare_masks(const unsigned char *a, const unsigned char *b, bool ipv6);

#endif
