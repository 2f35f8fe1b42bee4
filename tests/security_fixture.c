#include "tests/security_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/source.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

static const char head[] =
	"class file\n"
	"class process\n"
	"sid kernel\n"
	"class file { read write }\n"
	"class process { fork }\n";

static const char mls[] =
	"sensitivity s0 alias Low;\n"
	"sensitivity s1;\n"
	"sensitivity s2 alias { Top High };\n"
	"dominance { s0 s1 s2 }\n"
	"category c0; category c1 alias red; category c2; category c3; category c4; category c5;\n"
	"level s0:c0.c2;\n"
	"level s1:c0.c4;\n"
	"level s2:c0.c5;\n"
	"mlsconstrain file { read } ( l1 dom l2 and h1 incomp h2 or t1 == kern_t );\n";

static const char te[] =
	"attribute domain;\n"
	"type kern_t; type app_t alias old_t, domain; type data_t;\n"
	"allow app_t data_t:file read;\n"
	"role sys_r; role staff_r;\n"
	"role sys_r types { kern_t app_t };\n"
	"role staff_r types app_t;\n";

static const char constraints[] =
	"constrain file write (u1 == u2 and not (r1 == r2 or t2 == { kern_t data_t }));\n"
	"constrain process fork (u1 != u2 and (t1 != t2 and (r1 != r2 and (u1 == sys_u and t1 != domain))));\n"
	"validatetrans file (t3 == domain or r1 domby r2);\n";

static const char mls_users[] =
	"user sys_u roles sys_r level s0 range s0 - s2:c0.c5;\n"
	"user staff_u roles staff_r level s0:c1 range s0:c1 - s1:c0,c1;\n";

static const char users[] =
	"user sys_u roles sys_r;\n"
	"user staff_u roles staff_r;\n";

static void put(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

struct policy *security_compile(const char *source, bool with_mls)
{
	struct ir_options options = {.target = POLICY_SELINUX, .mls = with_mls};
	struct sources sources = {0};
	struct diags diags = {0};
	struct policy *policy;
	struct atoms atoms;
	struct ast ast;

	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	ast_init(&ast);
	parse_policy(&ast, &sources, sources_add(&sources, "test", source, strlen(source), &diags), &atoms, &diags);
	policy = ir_compile(&ast, &sources, &atoms, &options, &diags, NULL, NULL);
	if (!policy)
		diags_print(&diags, &sources, "test", 0, stderr);
	ast_free(&ast);
	atoms_free(&atoms);
	diags_free(&diags);
	sources_free(&sources);
	return policy;
}

struct policy *security_fixture(bool with_mls)
{
	struct buffer text = {0};
	struct policy *policy;

	put(&text, head);
	put(&text, with_mls ? mls : "");
	put(&text, te);
	put(&text, with_mls ? mls_users : users);
	put(&text, constraints);
	put(&text, with_mls ? "sid kernel sys_u:sys_r:kern_t:s0 - s2:c0.c5\n" : "sid kernel sys_u:sys_r:kern_t\n");
	buffer_put(&text, "", 1);
	policy = security_compile((const char *)text.at, with_mls);
	buffer_free(&text);
	return policy;
}
