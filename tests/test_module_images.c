/* Binary modules and packages: modules compiled from source, written, read back
 * whole and with something wrong, and as source again. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/module.h"
#include "backend/package.h"
#include "backend/text.h"
#include "base/buffer.h"
#include "ir/ir.h"
#include "ir/module_require.h"
#include "lexer/lexer.h"
#include "parser/parser.h"
#include "tests/suites.h"

/* ---- modules from source ---- */

struct work {
	struct sources sources;
	struct atoms atoms;
	struct ast ast;
	struct policy_places places;
	struct diags diags;
};

static void work_begin(struct work *w)
{
	*w = (struct work){0};
	atoms_init(&w->atoms);
	lexer_intern_keywords(&w->atoms);
	ast_init(&w->ast);
}

static void work_end(struct work *w)
{
	policy_places_free(&w->places);
	diags_free(&w->diags);
	ast_free(&w->ast);
	atoms_free(&w->atoms);
	sources_free(&w->sources);
}

static void print_errors(const struct diags *diags)
{
	for (uint32_t i = 0; i < diags->list.n; i++)
		if (diags->list.at[i].severity == SEV_ERROR)
			fprintf(stderr, "module: %s\n", diags->list.at[i].text);
}

/* NULL when it does not compile. */
static struct module *compile(struct work *w, const char *text, bool base, bool mls)
{
	struct ir_options options = {.mls = mls, .places = &w->places};
	const struct source *source = sources_add(&w->sources, "source", text, strlen(text), &w->diags);
	struct module *module;

	parse_source(&w->ast, base ? PARSE_POLICY : PARSE_MODULE, &w->sources, source, &w->atoms, &w->diags);
	module = ir_compile_module(&w->ast, &w->sources, &w->atoms, &options, &w->diags);
	if (!module)
		print_errors(&w->diags);
	CU_ASSERT_PTR_NOT_NULL_FATAL(module);
	return module;
}

static const char plain[] =
	"module m 1.2;\n"
	"require { type ta, tb; attribute aa; role ra; bool ba; class file { read write ioctl };\n"
	"  class process transition; }\n"
	"type tc, aa; type td; typealias tc alias tca; attribute ab; typeattribute ta ab;\n"
	"bool bc true; role rc; role rc types { tc td };\n"
	"allow ta self:file { read write }; allow { ta aa -tb } { tb self }:file write;\n"
	"auditallow tc tb:file read; dontaudit tc tb:file write; neverallow * { tb -ta }:file write;\n"
	"type_transition ta tb:process tc; type_change ta tb:file td; type_member ta tb:file td;\n"
	"role_transition ra tc rc; allow ra rc;\n"
	"if (ba && !bc) { allow ta tc:file read; } else { dontaudit ta tc:file write; }\n"
	"optional { require { type te; role rd; class dir search; } type tf, ab; role rd types tf; allow te tf:dir search; }\n"
	"optional { require { type ti; } allow ta ti:file read; } else { allow ta tb:file read; }\n"
	"user uc roles { rc ra };\n";

static const char levels[] =
	"module m 1.2;\n"
	"require { type ta; role ra; class file read; sensitivity s0, s1; category c0, c1, c2; }\n"
	"type tb; allow ta tb:file read;\n"
	"user ua roles ra level s0:c0.c2 range s0 - s1:c0,c2;\n";

static const char base[] =
	"class file\nclass dir\nclass process\nsid kernel\n"
	"common cm { read write }\nclass file inherits cm { execute }\nclass dir inherits cm\n"
	"class process { transition dyntransition }\n"
	"sensitivity s0; sensitivity s1 alias sx; dominance { s0 s1 } category c0 alias cx; category c1;\n"
	"level s0:c0.c1; level s1:c0;\n"
	"mlsconstrain file read ( l1 dom l2 or t1 == aa );\n"
	"attribute aa; type ta, aa; type tb; typealias ta alias tx; bool ba true; role ra; role ra types { aa tb };\n"
	"allow ta tb:file { read execute };\n"
	"optional { require { type tn; } allow ta tn:file read; } else { allow tb self:dir write; }\n"
	"user ua roles ra level s0 range s0 - s1:c0;\n"
	"constrain file write ( t2 == { ta aa } );\n"
	"sid kernel ua:ra:ta:s0 - s1:c0\n"
	"fs_use_xattr ext4 ua:object_r:ta:s0;\n"
	"genfscon proc / ua:object_r:tb:s0\n"
	"portcon tcp 80 ua:object_r:ta:s0\n";

/* ---- what was written comes back ---- */

static void expect_same(const struct module *module, uint32_t version)
{
	struct buffer first = {0}, second = {0};
	struct diags diags = {0};
	uint32_t read = 0;
	struct module *again;

	CU_ASSERT(module_write(module, version, NULL, &first, &diags));
	again = module_read(first.at, first.n, "image", &read, &diags);
	CU_ASSERT(again && read == version && module_validate(again, version, "image", &diags));
	if (again) {
		CU_ASSERT(module_write(again, version, NULL, &second, &diags));
		CU_ASSERT(first.n == second.n && !memcmp(first.at, second.at, first.n));
	}
	print_errors(&diags);
	module_free(again);
	diags_free(&diags);
	buffer_free(&first);
	buffer_free(&second);
}

static void test_round_trip(void)
{
	static const struct { const char *text; bool base, mls; uint32_t oldest; } cases[] = {
		{plain, false, false, 4}, {levels, false, true, 5}, {base, true, true, 5},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct work w;
		struct module *module;

		work_begin(&w);
		module = compile(&w, cases[i].text, cases[i].base, cases[i].mls);
		for (uint32_t version = cases[i].oldest; version <= module_newest(); version++)
			expect_same(module, version);
		module_free(module);
		work_end(&w);
	}
}

/* ---- what an old version cannot hold ---- */

#define HEAD "module m 1;\nrequire { type ta, tb; attribute aa; class file { read ioctl }; class dir search; class process transition; role ra; bool ba; }\n"
#define MLS_HEAD "module m 1;\nrequire { type ta, tb; class process transition; class file read; sensitivity s0; }\n"

static const struct {
	const char *text;
	bool mls;
	uint32_t version; /* the first that has it */
	bool error;       /* at the one before; else a warning */
	const char *what;
	uint32_t line;    /* of the place that is told */
} losses[] = {
	{MLS_HEAD "type tc; allow ta tc:file read;", true, 5, true, "no MLS", 0},
	{HEAD "allowxperm ta tb:file ioctl 0x1234;", false, 18, true, "no extended permissions", 3},
	{HEAD "if (ba) { allowxperm ta tb:file ioctl 0x1234; }", false, 22, true, "no extended permissions in conditionals", 3},
	{HEAD "type_transition ta self:process tb;", false, 21, true, "no type rules with `self`", 3},
	{HEAD "type tc;\nattribute_role qa;", false, 13, true, "no role attributes", 4},
	{HEAD "attribute ab;\ntypeattribute aa ab;", false, 24, true, "no attributes as members of attributes", 4},
	{HEAD "type tc;\npermissive tc;", false, 8, false, "no permissive types: 1 dropped", 4},
	{HEAD "type tc;\nneveraudit tc;", false, 23, false, "no neveraudit types: 1 dropped", 4},
	{HEAD "type_transition ta tb:file tb \"name\";", false, 11, false, "no filename transitions: 1 dropped", 3},
	{HEAD "role_transition ra tb:file ra;", false, 12, false, "no role transitions of other objects than processes: 1", 3},
	{HEAD "type tc; type td;\ntypebounds tc td;", false, 9, false, "no bounds: 1 dropped", 4},
	{MLS_HEAD "range_transition ta tb:process s0;", true, 6, false, "no range transitions: 1 dropped", 3},
};

static uint32_t line_of(const struct work *w, struct loc loc)
{
	struct place_cursor cursor = {0};

	return loc_known(loc) ? place_of(&w->sources, &cursor, loc.begin).line : 0;
}

static bool tells(const struct work *w, enum severity severity, const char *what, uint32_t line)
{
	for (uint32_t i = 0; i < w->diags.list.n; i++) {
		const struct diag *d = &w->diags.list.at[i];

		if (d->severity == severity && strstr(d->text, what)) {
			CU_ASSERT_EQUAL(line_of(w, d->loc), line);
			return true;
		}
	}
	fprintf(stderr, "module: not told: %s\n", what);
	return false;
}

static void test_downgrade(void)
{
	for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
		struct buffer image = {0};
		struct module *module;
		struct work w;
		bool written;

		work_begin(&w);
		module = compile(&w, losses[i].text, false, losses[i].mls);
		written = module_write(module, losses[i].version - 1, &w.places, &image, &w.diags);
		CU_ASSERT_EQUAL(written, !losses[i].error);
		CU_ASSERT(tells(&w, losses[i].error ? SEV_ERROR : SEV_WARNING, losses[i].what, losses[i].line));
		if (!losses[i].error)
			expect_same(module, losses[i].version - 1);
		expect_same(module, losses[i].version);
		module_free(module);
		buffer_free(&image);
		work_end(&w);
	}
}

static void test_needs(void)
{
	struct policydb_need needs[POLICYDB_MAX_NEEDS];
	struct module *module;
	struct work w;

	work_begin(&w);
	module = compile(&w, HEAD "type tc; permissive tc; allowxperm ta tb:file ioctl 0x1234;", false, false);
	CU_ASSERT_EQUAL_FATAL(module_needs(module, needs), 2);
	CU_ASSERT(needs[0].version == 18 && !strcmp(needs[0].what, "extended permissions"));
	CU_ASSERT(needs[1].version == 8 && needs[1].n == 1);
	module_free(module);
	work_end(&w);
}

/* ---- what a reader refuses ---- */

static bool says(const struct diags *diags, const char *text)
{
	for (uint32_t i = 0; i < diags->list.n; i++)
		if (strstr(diags->list.at[i].text, text))
			return true;
	fprintf(stderr, "module: nothing says `%s`\n", text);
	for (uint32_t i = 0; i < diags->list.n; i++)
		fprintf(stderr, "  %s\n", diags->list.at[i].text);
	return false;
}

/* A word of the header set to a value. */
static void test_header(void)
{
	enum { MAGIC = 0, IDENTIFIER = 8, KIND = 23, VERSION = 27, CONFIG = 31, SYMBOLS = 35 };
	static const struct { size_t at; uint32_t value; const char *text; } cases[] = {
		{MAGIC, 0xf97cff8c, "a kernel policy, not a module"},
		{MAGIC, 0xf97cff8f, "a package, not a module"},
		{MAGIC, 0x464c457f, "not a module: the magic number is 0x464c457f"},
		{IDENTIFIER, 0, "not a module: an unknown identifier"},
		{KIND, 3, "a module of the kind 3"},
		{VERSION, 25, "module version 25 is not known: those from 4 to 24 are"},
		{VERSION, 3, "module version 3 is not known"},
		{CONFIG, 8, "unknown configuration bits"},
		{SYMBOLS, 7, "7 symbol and 0 label tables, version 24 has 8 and 0"},
	};
	struct buffer image = {0};
	struct module *module;
	struct work w;

	work_begin(&w);
	module = compile(&w, plain, false, false);
	CU_ASSERT(module_write(module, 24, NULL, &image, &w.diags));
	module_free(module);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned char *copy = malloc(image.n);
		struct diags diags = {0};

		memcpy(copy, image.at, image.n);
		for (int byte = 0; byte < 4; byte++)
			copy[cases[i].at + (size_t)byte] = (unsigned char)(cases[i].value >> 8 * byte);
		CU_ASSERT_PTR_NULL(module_read(copy, image.n, "image", NULL, &diags));
		CU_ASSERT(says(&diags, cases[i].text));
		if (cases[i].at == VERSION && cases[i].value > module_newest())
			CU_ASSERT(says(&diags, "with `-c 24` or less"));
		diags_free(&diags);
		free(copy);
	}
	buffer_free(&image);
	work_end(&w);
}

/* ---- what the validator refuses ---- */

static void bad_set_flags(struct module *m) { m->blocks.at[0].decls.at[0].rules.at[0].sources.flags = 3; }
static void bad_kind(struct module *m) { m->blocks.at[0].decls.at[0].rules.at[1].kind = 0x1000; }
static void bad_flags(struct module *m) { m->blocks.at[0].decls.at[0].rules.at[1].flags = MODULE_RULE_NOTSELF; }
static void bad_perms(struct module *m) { m->blocks.at[0].decls.at[0].rules.at[0].perms.at[0].data = 8; }
static void bad_class(struct module *m) { m->blocks.at[0].decls.at[0].rules.at[0].perms.at[0].class = 99; }
static void bad_id(struct module *m) { m->blocks.at[1].decls.at[0].id = 1; }
static void bad_high_id(struct module *m) { m->blocks.at[1].decls.at[0].id = 99; }
static void bad_scope(struct module *m) { m->scopes[MODULE_TYPES].at[0].kind = 3; }
static void bad_scope_name(struct module *m) { m->scopes[MODULE_TYPES].at[0].name = "nope"; }
static void bad_scope_twice(struct module *m) { m->scopes[MODULE_TYPES].at[0].name = m->scopes[MODULE_TYPES].at[1].name; }
static void bad_expr(struct module *m) { m->blocks.at[0].decls.at[0].conds.at[0].expr[0].boolean = 9; }
static void bad_result(struct module *m) { m->blocks.at[0].decls.at[0].role_trans.at[0].result = 0; }
static void bad_role(struct module *m) { m->roles.at[1].name = "other_r"; }
static void bad_branch(struct module *m) { m->blocks.at[2].decls.at[0].enabled = m->blocks.at[2].decls.at[1].enabled = true; }

static void bad_bounds(struct module *m)
{
	uint32_t attribute = 1, type = 1;

	while (strcmp(m->policy->types.at[attribute].name, "aa"))
		attribute++;
	while (strcmp(m->policy->types.at[type].name, "ta"))
		type++;
	m->policy->types.at[type].bounds = attribute;
}

static void test_validator(void)
{
	static const struct { void (*damage)(struct module *module); const char *text; } cases[] = {
		{bad_set_flags, "branch 1, rule 1: the set of each source type has the flags 0x3"},
		{bad_kind, "branch 1, rule 2: the kind 0x1000"},
		{bad_flags, "branch 1, rule 2: `-self` in a rule that is no neverallow"},
		{bad_perms, "branch 1, rule 1: none of the permissions 0x00000008 is declared"},
		{bad_class, "branch 1, rule 1: class value 99 above 3"},
		{bad_bounds, "type `ta`: bounding type `aa` is an attribute"},
		{bad_id, "branch 1: two have this number"},
		{bad_high_id, "branch 99: its number is not in 1 to 4"},
		{bad_scope, "a scope of the kind 3"},
		{bad_scope_name, "type `nope`: a scope, and no such symbol"},
		{bad_scope_twice, "two scopes"},
		{bad_expr, "branch 1, conditional 1: boolean value 9 above 2"},
		{bad_result, "branch 1, role transition 1: no new role"},
		{bad_role, "role `object_r`: not the role of value 1"},
		{bad_branch, "block 3: 2 of its branches are on"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct diags diags = {0};
		struct module *module;
		struct work w;

		work_begin(&w);
		module = compile(&w, plain, false, false);
		CU_ASSERT(module_validate(module, 24, "image", &diags));
		cases[i].damage(module);
		CU_ASSERT(!module_validate(module, 24, "image", &diags));
		CU_ASSERT(says(&diags, cases[i].text) && says(&diags, "`image`: "));
		module_free(module);
		diags_free(&diags);
		work_end(&w);
	}
}

/* A context of a base goes by the types that the global block gives its role. */
static void test_base_labels(void)
{
	struct diags diags = {0};
	struct module *module;
	struct work w;

	work_begin(&w);
	module = compile(&w, base, true, true);
	CU_ASSERT(module_validate(module, 24, "image", &diags));
	module->policy->sids.at[0].context.range.high.sens = 1;
	ebitmap_set(&module->policy->sids.at[0].context.range.high.cats, 1);
	CU_ASSERT(!module_validate(module, 24, "image", &diags));
	CU_ASSERT(says(&diags, "the range is not within that of user `ua`"));
	module->roles.at[2].types.types.n = 0;
	CU_ASSERT(!module_validate(module, 24, "image", &diags));
	CU_ASSERT(says(&diags, "role `ra` has no type `ta`"));
	module_free(module);
	diags_free(&diags);
	work_end(&w);
}

/* ---- source again ---- */

static void write_conf(const struct module *module, struct buffer *text)
{
	struct diags diags = {0};

	CU_ASSERT(module_write_conf(module, text, &diags));
	print_errors(&diags);
	buffer_put(text, "", 1);
	diags_free(&diags);
}

/* The source of a module compiles to a module of the same source. */
static void expect_source(const char *text, bool is_base, bool mls)
{
	struct buffer first = {0}, second = {0};
	struct module *module;
	struct work w;

	work_begin(&w);
	module = compile(&w, text, is_base, mls);
	write_conf(module, &first);
	module_free(module);
	work_end(&w);
	work_begin(&w);
	module = compile(&w, (const char *)first.at, is_base, mls);
	write_conf(module, &second);
	CU_ASSERT_STRING_EQUAL(first.at, second.at);
	module_free(module);
	work_end(&w);
	buffer_free(&first);
	buffer_free(&second);
}

static void test_source(void)
{
	expect_source(plain, false, false);
	expect_source(levels, false, true);
	expect_source(base, true, true);
	expect_source(HEAD "allowxperm ta tb:file ioctl { 0x8900-0x8910 0x9000-0x91ff }; type tc; permissive tc;\n"
		      "neverallow ta { tb -self }:file read; type_transition ta self:process tb;\n"
		      "attribute_role qa; role rb; roleattribute rb qa; type td; typebounds tc td;\n"
		      "type_transition ta tb:file tb \"name\"; role_transition ra tb:file rb;\n",
		      false, false);
	expect_source(MLS_HEAD "range_transition ta tb:{ process file } s0;", false, true);
}

/* An image may leave out values of commons. */
static void test_gap(void)
{
	struct policy_common commons[3] = {0};
	struct buffer text = {0};
	struct diags diags = {0};
	struct module *module;
	struct work w;

	work_begin(&w);
	module = compile(&w, base, true, true);
	commons[1] = module->policy->commons.at[1];
	module->policy->commons.at = commons;
	module->policy->commons.n = 2;
	CU_ASSERT(module_validate(module, 24, "image", &diags) && module_write_conf(module, &text, &diags));
	module_free(module);
	buffer_free(&text);
	diags_free(&diags);
	work_end(&w);
}

static void parse_conf(struct work *w, const struct buffer *text)
{
	const struct source *source = sources_add(&w->sources, "text", (const char *)text->at, text->n, &w->diags);

	CU_ASSERT(parse_source(&w->ast, PARSE_MODULE, &w->sources, source, &w->atoms, &w->diags));
}

static const char *perms_text(const struct work *w, struct ast_names names, char *text, size_t size)
{
	uint32_t one;
	struct ast_set set = ast_set_of(&w->ast, names, &one);

	*text = '\0';
	for (uint32_t i = 0; i < set.n; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s ", atom_text(&w->atoms, set.items[i]));
	return text;
}

/* Required by one tree and not by the other? */
static bool requires_same(const struct work *whole, const struct work *apart, const struct ast_require *a)
{
	char text[2][256];

	for (uint32_t i = 0; i < apart->ast.requires.n; i++) {
		const struct ast_require *b = &apart->ast.requires.at[i];

		if (a->kind == b->kind && a->block == b->block &&
		    !strcmp(atom_text(&whole->atoms, a->name.atom), atom_text(&apart->atoms, b->name.atom)) &&
		    !strcmp(perms_text(whole, a->perms, text[0], sizeof text[0]),
			    perms_text(apart, b->perms, text[1], sizeof text[1])))
			return true;
	}
	return false;
}

static void test_classes_apart(void)
{
	struct buffer whole_text = {0}, apart_text = {0};
	struct work w, whole, apart;
	struct diags diags = {0};
	struct module *module;

	work_begin(&w);
	work_begin(&whole);
	work_begin(&apart);
	module = compile(&w, plain, false, false);
	CU_ASSERT(module_write_conf(module, &whole_text, &diags) && module_write_conf_apart(module, &apart_text, &diags));
	parse_conf(&whole, &whole_text);
	parse_conf(&apart, &apart_text);
	CU_ASSERT(apart.ast.requires.n < whole.ast.requires.n);
	module_require_classes(module, &apart.sources.files.at[0], &apart.atoms, &apart.ast);
	CU_ASSERT_EQUAL(apart.ast.requires.n, whole.ast.requires.n);
	for (uint32_t i = 0; i < whole.ast.requires.n; i++)
		CU_ASSERT(requires_same(&whole, &apart, &whole.ast.requires.at[i]));
	/* Places are those of the names. */
	for (uint32_t i = 0; i < apart.ast.requires.n; i++) {
		struct ast_name name = apart.ast.requires.at[i].name;

		CU_ASSERT(!strncmp(source_text(&apart.sources, name.begin), atom_text(&apart.atoms, name.atom),
				   atom_len(&apart.atoms, name.atom)));
	}
	module_free(module);
	buffer_free(&whole_text);
	buffer_free(&apart_text);
	diags_free(&diags);
	work_end(&apart);
	work_end(&whole);
	work_end(&w);
}

/* ---- packages ---- */

static const unsigned char module_bytes[] = {0x8d, 0xff, 0x7c, 0xf9, 1, 2, 3};

static struct package full_package(void)
{
	struct package package = {{
		[PACKAGE_MODULE] = {module_bytes, sizeof module_bytes},
		[PACKAGE_FILE_CONTEXTS] = {(const unsigned char *)"/a", 2},
		[PACKAGE_SEUSERS] = {(const unsigned char *)"", 0},
		[PACKAGE_NETFILTER] = {(const unsigned char *)"nf", 2},
	}};

	return package;
}

static void test_package(void)
{
	struct package package = full_package(), again;
	struct buffer image = {0};
	struct diags diags = {0};

	CU_ASSERT(package_write(&package, &image, &diags));
	CU_ASSERT_EQUAL(image_kind(image.at, image.n), IMAGE_PACKAGE);
	CU_ASSERT(package_read(image.at, image.n, "image", &again, &diags));
	for (int i = 0; i < PACKAGE_SECTIONS; i++) {
		CU_ASSERT_EQUAL(package.parts[i].at == NULL, again.parts[i].at == NULL);
		CU_ASSERT_EQUAL(package.parts[i].n, again.parts[i].n);
		CU_ASSERT(!package.parts[i].n || !memcmp(package.parts[i].at, again.parts[i].at, package.parts[i].n));
	}
	/* Cut anywhere in front of the last section, it is refused. */
	for (size_t n = 0; n < image.n - 2; n++) {
		struct diags cut = {0};

		CU_ASSERT(!package_read(image.at, n, "image", &again, &cut) && cut.errors == 1);
		diags_free(&cut);
	}
	buffer_free(&image);
	diags_free(&diags);
}

static void test_bad_packages(void)
{
	enum { VERSION = 4, COUNT = 8, OFFSETS = 12 };
	static const struct { size_t at; uint32_t value; const char *text; } cases[] = {
		{0, 0xf97cff8d, "not a package"},
		{VERSION, 2, "package version 2 is not known"},
		{COUNT, 101, "101 sections, over 100"},
		{COUNT, 0, "a package without a module"},
		{OFFSETS + 4, 0xffff, "section 1 goes from byte"},
		{OFFSETS + 4, 29, "section 1 has 1 bytes, too few"},
		{28, 0xf97cff90, "two sections of file contexts"},
	};
	struct package package = full_package(), again;
	struct buffer image = {0};
	struct diags diags = {0};

	CU_ASSERT(package_write(&package, &image, &diags));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned char *copy = malloc(image.n);
		struct diags found = {0};

		memcpy(copy, image.at, image.n);
		for (int byte = 0; byte < 4; byte++)
			copy[cases[i].at + (size_t)byte] = (unsigned char)(cases[i].value >> 8 * byte);
		CU_ASSERT(!package_read(copy, image.n, "image", &again, &found));
		CU_ASSERT(says(&found, cases[i].text));
		diags_free(&found);
		free(copy);
	}
	/* A section of a kind that is not known is left out. */
	image.at[image.n - 6] = 0x94;
	CU_ASSERT(package_read(image.at, image.n, "image", &again, &diags) && !again.parts[PACKAGE_NETFILTER].at);
	CU_ASSERT(diags.warnings == 1 && says(&diags, "magic number 0x097cff94"));
	buffer_free(&image);
	diags_free(&diags);
}

void suite_module_images(void)
{
	CU_pSuite suite = CU_add_suite("module_images", NULL, NULL);

	CU_add_test(suite, "modules come back", test_round_trip);
	CU_add_test(suite, "old versions", test_downgrade);
	CU_add_test(suite, "needs", test_needs);
	CU_add_test(suite, "header", test_header);
	CU_add_test(suite, "validator", test_validator);
	CU_add_test(suite, "labels of a base", test_base_labels);
	CU_add_test(suite, "source of a module", test_source);
	CU_add_test(suite, "source of a base with a gap", test_gap);
	CU_add_test(suite, "requirements of classes", test_classes_apart);
	CU_add_test(suite, "packages", test_package);
	CU_add_test(suite, "bad packages", test_bad_packages);
}
