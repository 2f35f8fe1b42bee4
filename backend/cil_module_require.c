/* What a branch requires, in CIL: there a block is off only when a name in it is
 * not there, so each is named in a statement that changes nothing.
 *
 * The global block is never off; what it requires in vain is an error.  Of
 * classes, sensitivities and categories, which bases have alike and modules of the
 * reference policy require by the hundred, it names only what it uses. */
#include "backend/cil_module.h"

enum { OBJECT_R_BIT = 0 };

/* Of a table what is required here and is not there anyway; free() it. */
static struct ebitmap required(const struct cil_module *c, enum module_table table)
{
	struct ebitmap set = {0};

	ebitmap_copy(&set, &c->decl->required.tables[table]);
	ebitmap_andnot(&set, &c->decl->declared.tables[table]);
	if (!is_global(c))
		ebitmap_andnot(&set, &c->m.visible[table]);
	if (table == MODULE_ROLES)
		ebitmap_clear(&set, OBJECT_R_BIT);
	return set;
}

static void require_in_attribute(struct cil_module *c, enum module_table table, const struct text_table *names)
{
	struct ebitmap set = required(c, table);

	if (!ebitmap_empty(&set)) {
		cil_line(c, "(%sattributeset cil_gen_require (", names->what);
		say_set(&c->m.t, names, &set);
		say(&c->m.t, "))\n");
	}
	ebitmap_free(&set);
}

static void require_users(struct cil_module *c)
{
	struct ebitmap set = required(c, MODULE_USERS);

	ebitmap_for_each(&set, bit)
		cil_line(c, "(userrole %s object_r)\n", name_of(&c->m.t, &c->m.t.users, bit + 1));
	ebitmap_free(&set);
}

static void require_bools(struct cil_module *c)
{
	struct ebitmap set = required(c, MODULE_BOOLS);

	ebitmap_andnot(&set, &c->used_bools);
	ebitmap_for_each(&set, bit) {
		cil_line(c, "(%sif %s (true (call %s_nothing)))\n", c->m.module->tunables.at[bit + 1] ? "tunable" : "boolean",
			 name_of(&c->m.t, &c->m.t.bools, bit + 1), c->name);
		c->has_macro = true;
	}
	ebitmap_free(&set);
}

static void require_classes(struct cil_module *c)
{
	bool first = true;

	ebitmap_for_each(&c->decl->required.tables[MODULE_CLASSES], bit) {
		uint32_t mask = module_required_perms(c->m.module, c->decl, bit + 1);

		if (!mask)
			continue;
		if (first)
			cil_line(c, "(classpermission %s_optional_%u)\n", c->name, c->decl->id);
		first = false;
		cil_line(c, "(classpermissionset %s_optional_%u (%s (", c->name, c->decl->id,
			 name_of(&c->m.t, &c->m.t.classes, bit + 1));
		say_perms(&c->m.t, bit + 1, mask);
		say(&c->m.t, ")))\n");
	}
}

static void require_levels(struct cil_module *c)
{
	struct ebitmap sens = required(c, MODULE_SENS), cats = required(c, MODULE_CATS);

	ebitmap_for_each(&sens, bit) {
		const char *name = name_of(&c->m.t, &c->m.t.sens, bit + 1);

		cil_line(c, "(level %s_optional_%u_%s (%s))\n", c->name, c->decl->id, name, name);
	}
	if (!ebitmap_empty(&cats)) {
		cil_line(c, "(categoryset %s_optional_%u (", c->name, c->decl->id);
		say_set(&c->m.t, &c->m.t.cats, &cats);
		say(&c->m.t, "))\n");
	}
	ebitmap_free(&sens);
	ebitmap_free(&cats);
}

void cil_put_requirements(struct cil_module *c)
{
	require_in_attribute(c, MODULE_TYPES, &c->m.t.types);
	require_in_attribute(c, MODULE_ROLES, &c->m.t.roles);
	require_users(c);
	require_bools(c);
	if (is_global(c))
		return;
	require_classes(c);
	require_levels(c);
}
