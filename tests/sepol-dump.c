#include "sepol-dump.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sepol/policydb/conditional.h>
#include <sepol/policydb/polcaps.h>

#define EACH_NODE(table, slot, node) \
	for (slot = 0; (table) && slot < (table)->size; slot++) \
		for (node = (table)->htable[slot]; node; node = node->next)

int has_bit(const ebitmap_t *set, unsigned int bit)
{
	const ebitmap_node_t *node;

	for (node = set->node; node && node->startbit <= bit; node = node->next) {
		if (bit - node->startbit < MAPSIZE)
			return ebitmap_node_get_bit(node, bit);
	}
	return 0;
}

int is_attribute(const policydb_t *p, unsigned int value)
{
	const type_datum_t *type = p->type_val_to_struct[value - 1];

	return !type || type->flavor == TYPE_ATTRIB;
}

const ebitmap_t *types_of(const policydb_t *p, unsigned int value)
{
	return &p->attr_type_map[value - 1];
}

static const char *name_of(const policydb_t *p, int kind, unsigned int value)
{
	const char *name = NULL;

	if (value && value <= p->symtab[kind].nprim)
		name = p->sym_val_to_name[kind][value - 1];
	return name ? name : "?";
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of a set, sorted, each with a blank in front. */
static void write_names(FILE *out, const policydb_t *p, int kind, const ebitmap_t *set)
{
	const char **names = calloc(set->highbit + 1, sizeof *names);
	ebitmap_node_t *node;
	unsigned int bit;
	size_t n = 0, i;

	if (!names)
		abort();
	ebitmap_for_each_positive_bit(set, node, bit)
		names[n++] = name_of(p, kind, bit + 1);
	if (n)
		qsort(names, n, sizeof *names, compare_names);
	for (i = 0; i < n; i++)
		fprintf(out, " %s", names[i]);
	free(names);
}

/* ---- contexts ---- */

void write_level(FILE *out, const policydb_t *p, const mls_level_t *level)
{
	ebitmap_node_t *node;
	unsigned int bit, last = 0, run = 0, any = 0;

	fputs(name_of(p, SYM_LEVELS, level->sens), out);
	ebitmap_for_each_positive_bit(&level->cat, node, bit) {
		if (any && bit == last + 1) {
			run = 1;
		} else {
			if (run)
				fprintf(out, ".%s", name_of(p, SYM_CATS, last + 1));
			run = 0;
			fprintf(out, "%c%s", any ? ',' : ':', name_of(p, SYM_CATS, bit + 1));
		}
		last = bit;
		any = 1;
	}
	if (run)
		fprintf(out, ".%s", name_of(p, SYM_CATS, last + 1));
}

static void write_range(FILE *out, const policydb_t *p, const mls_range_t *range)
{
	write_level(out, p, &range->level[0]);
	fputc('-', out);
	write_level(out, p, &range->level[1]);
}

void write_context(FILE *out, const policydb_t *p, const context_struct_t *context)
{
	fprintf(out, "%s:%s:%s", name_of(p, SYM_USERS, context->user),
		name_of(p, SYM_ROLES, context->role), name_of(p, SYM_TYPES, context->type));
	if (p->mls) {
		fputc(':', out);
		write_range(out, p, &context->range);
	}
}

/* ---- classes and constraints ---- */

static void dump_permissions(FILE *out, const char *kind, const char *name, const symtab_t *perms)
{
	const hashtab_node_t *node;
	unsigned int slot;

	EACH_NODE(perms->table, slot, node)
		fprintf(out, "%s %s permission %" PRIu32 " %s\n", kind, name,
			((const perm_datum_t *)node->datum)->s.value, node->key);
}

static void write_expression(FILE *out, const policydb_t *p, const constraint_expr_t *e)
{
	for (; e; e = e->next) {
		fprintf(out, " (%" PRIu32 " %" PRIu32 " %" PRIu32, e->expr_type, e->attr, e->op);
		if (e->expr_type == CEXPR_NAMES)
			write_names(out, p, e->attr & CEXPR_USER ? SYM_USERS :
				    e->attr & CEXPR_ROLE ? SYM_ROLES : SYM_TYPES, &e->names);
		fputc(')', out);
	}
}

static void dump_constraints(FILE *out, const policydb_t *p, const char *class,
			     const char *kind, const constraint_node_t *c)
{
	for (; c; c = c->next) {
		fprintf(out, "%s %s %08" PRIx32, kind, class, c->permissions);
		write_expression(out, p, c->expr);
		fputc('\n', out);
	}
}

static void dump_class(FILE *out, const policydb_t *p, const char *name, const class_datum_t *class)
{
	fprintf(out, "class %s value %" PRIu32 " common %s permissions %" PRIu32 "\n", name,
		class->s.value, class->comkey ? class->comkey : "-", class->permissions.nprim);
	fprintf(out, "class %s defaults %d %d %d %d\n", name, class->default_user,
		class->default_role, class->default_type, class->default_range);
	dump_permissions(out, "class", name, &class->permissions);
	dump_constraints(out, p, name, "constrain", class->constraints);
	dump_constraints(out, p, name, "validatetrans", class->validatetrans);
}

/* ---- roles, types, users ---- */

static void dump_role(FILE *out, const policydb_t *p, const char *name, const role_datum_t *role)
{
	ebitmap_node_t *node;
	unsigned int bit;

	fprintf(out, "role %s bounds %s dominates", name,
		role->bounds ? name_of(p, SYM_ROLES, role->bounds) : "-");
	write_names(out, p, SYM_ROLES, &role->dominates);
	fputc('\n', out);
	ebitmap_for_each_positive_bit(&role->types.types, node, bit)
		fprintf(out, "role %s type %s\n", name, name_of(p, SYM_TYPES, bit + 1));
}

static void dump_type(FILE *out, const policydb_t *p, const char *name, const type_datum_t *type)
{
	unsigned int value = type->s.value;

	if (type->flavor == TYPE_ATTRIB) {
		fprintf(out, "attribute %s", name);
		if (p->attr_type_map)
			write_names(out, p, SYM_TYPES, types_of(p, value));
		fputc('\n', out);
	} else if (!type->primary) {
		fprintf(out, "alias %s of %s\n", name, name_of(p, SYM_TYPES, value));
	} else {
		fprintf(out, "type %s bounds %s permissive %d\n", name,
			type->bounds ? name_of(p, SYM_TYPES, type->bounds) : "-",
			has_bit(&p->permissive_map, value));
	}
}

static void dump_user(FILE *out, const policydb_t *p, const char *name, const user_datum_t *user)
{
	fprintf(out, "user %s bounds %s roles", name,
		user->bounds ? name_of(p, SYM_USERS, user->bounds) : "-");
	write_names(out, p, SYM_ROLES, &user->roles.roles);
	if (p->mls) {
		fputs(" level ", out);
		write_level(out, p, &user->exp_dfltlevel);
		fputs(" range ", out);
		write_range(out, p, &user->exp_range);
	}
	fputc('\n', out);
}

static void dump_levels(FILE *out, const policydb_t *p)
{
	const hashtab_node_t *node;
	unsigned int slot;

	EACH_NODE(p->p_levels.table, slot, node) {
		const level_datum_t *level = node->datum;

		fprintf(out, "sensitivity %s alias %d value %" PRIu32 " ", node->key,
			level->isalias, level->level->sens);
		write_level(out, p, level->level);
		fputc('\n', out);
	}
	EACH_NODE(p->p_cats.table, slot, node) {
		const cat_datum_t *cat = node->datum;

		fprintf(out, "category %s alias %d value %" PRIu32 "\n", node->key,
			cat->isalias, cat->s.value);
	}
}

/* ---- transitions that are not in the access vector table ---- */

static void dump_role_rules(FILE *out, const policydb_t *p)
{
	const role_trans_t *rt;
	const role_allow_t *ra;

	for (rt = p->role_tr; rt; rt = rt->next)
		fprintf(out, "role_transition %s %s:%s %s\n", name_of(p, SYM_ROLES, rt->role),
			name_of(p, SYM_TYPES, rt->type), name_of(p, SYM_CLASSES, rt->tclass),
			name_of(p, SYM_ROLES, rt->new_role));
	for (ra = p->role_allow; ra; ra = ra->next)
		fprintf(out, "role_allow %s %s\n", name_of(p, SYM_ROLES, ra->role),
			name_of(p, SYM_ROLES, ra->new_role));
}

static void dump_range_transitions(FILE *out, const policydb_t *p)
{
	const hashtab_node_t *node;
	unsigned int slot;

	EACH_NODE(p->range_tr, slot, node) {
		const range_trans_t *key = (const range_trans_t *)(const void *)node->key;

		fprintf(out, "range_transition %s %s:%s ", name_of(p, SYM_TYPES, key->source_type),
			name_of(p, SYM_TYPES, key->target_type),
			name_of(p, SYM_CLASSES, key->target_class));
		write_range(out, p, node->datum);
		fputc('\n', out);
	}
}

static void dump_filename_transitions(FILE *out, const policydb_t *p)
{
	const hashtab_node_t *node;
	ebitmap_node_t *bits;
	unsigned int slot, bit;

	EACH_NODE(p->filename_trans, slot, node) {
		const filename_trans_key_t *key =
			(const filename_trans_key_t *)(const void *)node->key;
		const filename_trans_datum_t *datum = node->datum;

		for (; datum; datum = datum->next) {
			ebitmap_for_each_positive_bit(&datum->stypes, bits, bit)
				fprintf(out, "type_transition %s %s:%s %s \"%s\"\n",
					name_of(p, SYM_TYPES, bit + 1),
					name_of(p, SYM_TYPES, key->ttype),
					name_of(p, SYM_CLASSES, key->tclass),
					name_of(p, SYM_TYPES, datum->otype), key->name);
		}
	}
}

static void dump_header(FILE *out, const policydb_t *p)
{
	ebitmap_node_t *node;
	unsigned int bit;

	fprintf(out, "policy version %u mls %d target %d handle_unknown %u\n", p->policyvers,
		p->mls, p->target_platform, p->handle_unknown);
	ebitmap_for_each_positive_bit(&p->policycaps, node, bit)
		fprintf(out, "policycap %u\n", bit);
}

void dump_symbols(FILE *out, const policydb_t *p)
{
	const hashtab_node_t *node;
	unsigned int slot;

	dump_header(out, p);
	EACH_NODE(p->p_commons.table, slot, node)
		dump_permissions(out, "common", node->key,
				 &((const common_datum_t *)node->datum)->permissions);
	EACH_NODE(p->p_classes.table, slot, node)
		dump_class(out, p, node->key, node->datum);
	EACH_NODE(p->p_roles.table, slot, node)
		dump_role(out, p, node->key, node->datum);
	EACH_NODE(p->p_types.table, slot, node)
		dump_type(out, p, node->key, node->datum);
	EACH_NODE(p->p_users.table, slot, node)
		dump_user(out, p, node->key, node->datum);
	EACH_NODE(p->p_bools.table, slot, node)
		fprintf(out, "bool %s %d\n", node->key,
			((const cond_bool_datum_t *)node->datum)->state);
	dump_levels(out, p);
	dump_role_rules(out, p);
	dump_range_transitions(out, p);
	dump_filename_transitions(out, p);
}

/* ---- labelling ---- */

static void write_address(FILE *out, int family, const void *address, const void *mask)
{
	char text[2][INET6_ADDRSTRLEN] = { "?", "?" };

	inet_ntop(family, address, text[0], sizeof text[0]);
	inet_ntop(family, mask, text[1], sizeof text[1]);
	fprintf(out, "%s %s", text[0], text[1]);
}

static void write_selinux_key(FILE *out, int kind, const ocontext_t *o)
{
	switch (kind) {
	case OCON_PORT:
		fprintf(out, "%u %u-%u", o->u.port.protocol, o->u.port.low_port, o->u.port.high_port);
		break;
	case OCON_NODE:
		write_address(out, AF_INET, &o->u.node.addr, &o->u.node.mask);
		break;
	case OCON_NODE6:
		write_address(out, AF_INET6, o->u.node6.addr, o->u.node6.mask);
		break;
	case OCON_FSUSE:
		fprintf(out, "%" PRIu32 " %s", o->v.behavior, o->u.name);
		break;
	case OCON_IBPKEY:
		fprintf(out, "%016" PRIx64 " %u-%u", o->u.ibpkey.subnet_prefix,
			o->u.ibpkey.low_pkey, o->u.ibpkey.high_pkey);
		break;
	case OCON_IBENDPORT:
		fprintf(out, "%s %u", o->u.ibendport.dev_name, o->u.ibendport.port);
		break;
	default:
		fputs(o->u.name, out);
	}
}

static void write_xen_key(FILE *out, int kind, const ocontext_t *o)
{
	switch (kind) {
	case OCON_XEN_PIRQ:
		fprintf(out, "%u", o->u.pirq);
		break;
	case OCON_XEN_IOPORT:
		fprintf(out, "%" PRIu32 "-%" PRIu32, o->u.ioport.low_ioport, o->u.ioport.high_ioport);
		break;
	case OCON_XEN_IOMEM:
		fprintf(out, "%" PRIu64 "-%" PRIu64, o->u.iomem.low_iomem, o->u.iomem.high_iomem);
		break;
	case OCON_XEN_PCIDEVICE:
		fprintf(out, "%" PRIu32, o->u.device);
		break;
	default:
		fputs(o->u.name, out);
	}
}

/* First match wins among ports and nodes: their position is written too. */
static int is_ordered(const policydb_t *p, int kind)
{
	return p->target_platform == SEPOL_TARGET_SELINUX &&
	       (kind == OCON_PORT || kind == OCON_NODE || kind == OCON_NODE6);
}

static void dump_label_kind(FILE *out, const policydb_t *p, int kind)
{
	unsigned int position = 0;
	const ocontext_t *o;

	for (o = p->ocontexts[kind]; o; o = o->next) {
		fprintf(out, "label %d ", kind);
		if (is_ordered(p, kind))
			fprintf(out, "%u: ", position++);
		if (kind == OCON_ISID)
			fprintf(out, "sid %" PRIu32, o->sid[0]);
		else if (p->target_platform == SEPOL_TARGET_XEN)
			write_xen_key(out, kind, o);
		else
			write_selinux_key(out, kind, o);
		fputc(' ', out);
		write_context(out, p, &o->context[0]);
		if (o->context[1].type) {
			fputc(' ', out);
			write_context(out, p, &o->context[1]);
		}
		fputc('\n', out);
	}
}

void dump_labels(FILE *out, const policydb_t *p)
{
	const genfs_t *fs;
	const ocontext_t *o;
	int kind;

	for (kind = 0; kind < OCON_NUM; kind++)
		dump_label_kind(out, p, kind);
	for (fs = p->genfs; fs; fs = fs->next) {
		unsigned int position = 0;

		for (o = fs->head; o; o = o->next) {
			fprintf(out, "genfscon %s %u: %s class %s ", fs->fstype, position++, o->u.name,
				o->v.sclass ? name_of(p, SYM_CLASSES, o->v.sclass) : "-");
			write_context(out, p, &o->context[0]);
			fputc('\n', out);
		}
	}
}
