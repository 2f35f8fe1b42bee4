/* Where the things of a policy stand in its source, for findings about the
 * finished policy: it carries no places itself.
 *
 * All of these functions take NULL, of a policy without source: then no place
 * is known. */
#ifndef IR_PLACES_H
#define IR_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "ir/policy.h"

/* Statements of which the first one in force is kept. */
enum place_kind {
	PLACE_BOOL, PLACE_MLS, PLACE_VALIDATETRANS, PLACE_RANGE_TRANS_CLASS, PLACE_CAPABILITY, PLACE_PERMISSIVE,
	PLACE_NEVERAUDIT, PLACE_BOUNDS, PLACE_FILENAME_TRANS, PLACE_ROLE_TRANS_CLASS, PLACE_DEFAULT, PLACE_DEFAULT_TYPE,
	PLACE_GLBLUB, PLACE_XPERMS, PLACE_COND_XPERMS, PLACE_NLMSG, PLACE_NODE6, PLACE_INFINIBAND, PLACE_WIDE_IOMEM,
	PLACE_DEVICETREE, PLACE_RANGE_TRANS, PLACE_TYPE_RULE_SELF, PLACE_ROLE_ATTRIBUTE, PLACE_NESTED_ATTRIBUTE, PLACE_PORT_ZERO, PLACE_GENFS_PATTERN, PLACE_NETIF_PATTERN,
	PLACE_KINDS
};

struct place_name { const char *name; struct loc loc; }; /* name NULL: there is none */

/* By value, from 1; at[0] is unused. */
typedef POLICY_LIST(struct loc) place_list;

struct policy_places {
	struct arena arena;
	struct loc first[PLACE_KINDS];
	place_list classes;              /* of the names in their access vectors, else in their declarations */
	place_list types, roles, users;  /* of the names in their declarations */
	place_list sens, cats;           /* the same */
	place_list levels;               /* of `level` statements, by sensitivity */
	place_list capabilities;         /* by bit + 1 */
	place_list range_trans;          /* of the first statement, by index in policy->range_trans + 1 */
	/* By class, then by index in its list + 1; none when --canonical moved them. */
	POLICY_LIST(place_list) constraints, validatetrans;
	POLICY_LIST(struct place_name) sids; /* by number, with the names that the source gives them */
};

void policy_places_free(struct policy_places *places);

struct loc place_first(const struct policy_places *places, enum place_kind kind);
struct loc place_class(const struct policy_places *places, uint32_t class);
struct loc place_type(const struct policy_places *places, uint32_t type);
struct loc place_role(const struct policy_places *places, uint32_t role);
struct loc place_user(const struct policy_places *places, uint32_t user);
struct loc place_sens(const struct policy_places *places, uint32_t sens);
struct loc place_cat(const struct policy_places *places, uint32_t cat);
struct loc place_level(const struct policy_places *places, uint32_t sens);
struct loc place_range_trans(const struct policy_places *places, uint32_t index);
struct loc place_constraint(const struct policy_places *places, uint32_t class, bool transition, uint32_t index);
struct loc place_capability(const struct policy_places *places, uint32_t bit);
struct place_name place_sid(const struct policy_places *places, uint32_t sid);

#endif
