/* Lines of audit logs.  The TEST_SEED of a failure repeats it. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "ir/text.h"
#include "query/audit.h"
#include "security/decide.h"
#include "tests/ask.h"

void suite_server(void);

static uint64_t first_seed(void)
{
	const char *given = getenv("TEST_SEED");

	return given ? strtoull(given, NULL, 10) : 1;
}

/* ---- audit lines ---- */

static void put_record(struct buffer *b, const struct audit_record *r)
{
	static const char *const kinds[] = {
		[AUDIT_DENIED] = "denied", [AUDIT_GRANTED] = "granted", [AUDIT_BOUNDS] = "bounds", [AUDIT_COMPUTED] = "computed",
		[AUDIT_TRANSITION] = "transition", [AUDIT_BOUNDED] = "bounded", [AUDIT_CONTEXT] = "context",
	};
	const struct audit_span spans[] = {r->source, r->target, r->class};
	struct audit_span perms = r->perms, perm;

	text_printf(b, "%s%s", b->n ? " | " : "", kinds[r->kind]);
	for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
		if (spans[i].n)
			text_printf(b, " %.*s", (int)spans[i].n, spans[i].at);
	if (r->context.n)
		text_put(b, " ");
	audit_put_value(b, r->context);
	while (audit_next_perm(&perms, &perm))
		text_printf(b, " %.*s", (int)perm.n, perm.at);
	if (r->base)
		text_printf(b, " %s:0x%x", r->base == XPERM_BASE_IOCTL ? "ioctl" : "nlmsg", r->number);
	if (r->permissive)
		text_put(b, " permissive");
	if (r->comm.n)
		text_put(b, " by ");
	audit_put_value(b, r->comm);
	for (int i = 0; i < 2; i++) {
		if (r->raw[i].n)
			text_put(b, i ? " target was " : " source was ");
		audit_put_value(b, r->raw[i]);
	}
	if (r->missing)
		text_printf(b, " no %s", r->missing);
}

/* What is read of a line, as one text; empty when it has no record. */
static void expect_line(const char *line, const char *want)
{
	struct audit_span rest = {line, strlen(line)};
	struct audit_record r;
	struct buffer b = {0};

	while (audit_next(&rest, &r))
		put_record(&b, &r);
	if (strcmp(text_of(&b), want) != 0)
		printf("\n`%s`: `%s`, expected `%s`\n", line, text_of(&b), want);
	CU_ASSERT_STRING_EQUAL(text_of(&b), want);
	buffer_free(&b);
}

static void test_audit_access(void)
{
	expect_line("type=AVC msg=audit(1.2:3): avc:  denied  { read open } for  pid=1 comm=\"my app\" name=\"x y\" "
		    "scontext=u:r:a:s0 tcontext=u:r:b:s0-s1:c0,c3.c5 tclass=file permissive=0",
		    "denied u:r:a:s0 u:r:b:s0-s1:c0,c3.c5 file read open by my app");
	expect_line("[ 1.2] audit: type=1400 audit(1.2:3): avc:  denied  { ioctl } for comm=6D7920617070 ioctlcmd=0x5401 "
		    "scontext=a tcontext=b tclass=c permissive=1\r",
		    "denied a b c ioctl ioctl:0x5401 permissive by my app");
	expect_line("avc: denied { ioctl } ioctlcmd=5401 scontext=a tcontext=b tclass=c", "denied a b c ioctl ioctl:0x5401");
	expect_line("avc: denied { nlmsg } nl-msgtype=18 scontext=a tcontext=b tclass=c", "denied a b c nlmsg nlmsg:0x12");
	expect_line("type=USER_AVC msg=audit(1.2:3): pid=1 subj=s msg='avc:  denied  { stop } for uid=0 scontext=a tcontext=b "
		    "tclass=c' exe=\"/sbin/x\"", "denied a b c stop");
	expect_line("Dec 06 16:00:54 host audit[1]: AVC avc:  denied  { read } for  pid=1 comm=\"c\" scontext=a tcontext=b "
		    "tclass=c permissive=0", "denied a b c read by c");
	expect_line("avc:  denied  { read } for comm=\"unclosed scontext=a tcontext=b tclass=c",
		    "denied a b c read by \"unclosed");
	/* Not upper case, an odd number of digits, no digits at all. */
	expect_line("avc: denied { x } comm=6d79 scontext=a tcontext=b tclass=c", "denied a b c x by 6d79");
	expect_line("avc: denied { x } comm=6D7 scontext=a tcontext=b tclass=c", "denied a b c x by 6D7");
	expect_line("avc: denied { x } comm=httpd scontext=a tcontext=b tclass=c", "denied a b c x by httpd");
	expect_line("avc:  granted  { read } for comm=\"c\" scontext=a tcontext=b tclass=c", "granted a b c read by c");
	expect_line("avc: denied { read } scontext=a tcontext=b tclass=c permissive=0 srawcon=\"u:r:x\" trawcon=753A",
		    "denied a b c read source was u:r:x target was u:");
}

static void test_audit_errors(void)
{
	expect_line("type=SELINUX_ERR msg=audit(1.2:3): op=security_compute_sid invalid_context=\"u:r:n:s0\" scontext=a tcontext=b "
		    "tclass=process", "computed a b process u:r:n:s0");
	expect_line("type=1401 audit(1.2:3): op=security_compute_sid invalid_context=753A72 scontext=a tcontext=b tclass=c",
		    "computed a b c u:r");
	expect_line("security_compute_sid:  invalid context u:r:n:s0 for scontext=a tcontext=b tclass=process",
		    "computed a b process u:r:n:s0");
	expect_line("op=security_validate_transition seresult=denied oldcontext=a newcontext=b taskcontext=t tclass=file",
		    "transition a b file t");
	expect_line("security_validate_transition:  denied for oldcontext=a newcontext=b taskcontext=t tclass=file",
		    "transition a b file t");
	expect_line("fedora audit: SELINUX_ERR op=security_bounded_transition seresult=denied oldcontext=a newcontext=b",
		    "bounded a b");
	expect_line("op=security_compute_av reason=bounds scontext=a tcontext=b tclass=file perms=read,write",
		    "bounds a b file read write");
	expect_line("op=setxattr invalid_context=\"no context\"", "context no context");
	expect_line("op=fscreate invalid_context=\"u:r:t\"", "context u:r:t");
	expect_line("op=setxattr cause=unsupported", "");
	expect_line("[ 4.2] SELinux:  Context u:r:t:s0:c0,c5 is not valid (left unmapped).", "context u:r:t:s0:c0,c5");
	expect_line("SELinux:  Context u:r:t:s0 became invalid (unmapped).", "context u:r:t:s0");
	expect_line("SELinux:  Context u:r:t:s0 became valid (mapped).", "");
	expect_line("SELinux:  Class io_uring not defined in policy.", "");
}

static void test_audit_damaged(void)
{
	static const char both[] = "avc: denied { r } scontext=a tcontext=b avc: denied { w } scontext=c tcontext=d tclass=e "
				   "[ 1.2] audit: type=1401 audit(1.2:3): op=security_bounded_transition oldcontext=f newcontext=g";

	expect_line(both, "denied a b r no class | denied c d e w | bounded f g");
	/* Only where a field may begin. */
	expect_line("avc: denied { r } comm=\"avc: denied { w }\" scontext=a tcontext=b tclass=e",
		    "denied a b e r by avc: denied { w }");
	expect_line("avc:  denied  { read scontext=a tcontext=b tclass=c", "denied a b c no list of permissions");
	expect_line("avc:  denied  { } scontext=a tcontext=b tclass=c", "denied a b c no list of permissions");
	expect_line("avc:  denied  { read } scontext=a tcontext= tclass=c", "denied a c read no target context");
	expect_line("avc:  denied  { read } ssid=7 tcontext=a tclass=c", "denied a c read no source context");
	expect_line("avc: denied", "denied no list of permissions");
	expect_line("avc: denied { ioctl } ioctlcmd=TCGETS scontext=a tcontext=b tclass=c",
		    "denied a b c ioctl no number of its extended permission");
	expect_line("op=security_compute_sid scontext=a tcontext=b tclass=c", "computed a b c no invalid context");
	expect_line("op=security_validate_transition newcontext=b taskcontext=t", "transition b t no old context");
	expect_line("op=security_bounded_transition oldcontext=a", "bounded a no new context");
	expect_line("avc:", "");
	expect_line("avc: received setenforce notice", "");
	expect_line("", "");
}

/* Nothing outside of the line is read: sanitizers see to that. */
static void test_audit_random(void)
{
	static const char *const seed_lines[] = {
		"avc:  denied  { read ioctl } for comm=6D79 ioctlcmd=0x5401 scontext=a tcontext=b tclass='c'",
		"op=security_compute_sid invalid_context=\"u:r\" scontext=a tcontext=b tclass=c avc: denied { x }",
		"SELinux:  Context u:r:t is not valid op=security_compute_av scontext=a tcontext=b tclass=c perms=a,b",
	};
	static const char bytes[] = "avc:denied {}=\"'\\ \n\t0xFF";
	struct ask ask = {.state = first_seed()};
	uint32_t records = 0;

	for (int i = 0; i < 20000; i++) {
		const char *seed_line = seed_lines[ask_below(&ask, 3)];
		size_t n = ask_below(&ask, (uint32_t)strlen(seed_line) + 1);
		char *line = malloc(n ? n : 1);
		struct audit_span rest = {line, n};
		struct audit_record r;

		CU_ASSERT_PTR_NOT_NULL_FATAL(line);
		memcpy(line, seed_line, n);
		for (uint32_t k = ask_below(&ask, 4); n && k; k--)
			line[ask_below(&ask, (uint32_t)n)] = bytes[ask_below(&ask, sizeof bytes)];
		while (audit_next(&rest, &r)) {
			struct buffer b = {0};

			CU_ASSERT(r.at.at >= line && r.at.at + r.at.n <= line + n);
			put_record(&b, &r);
			buffer_free(&b);
			records++;
		}
		free(line);
	}
	CU_ASSERT(records > 0);
}

void suite_server(void)
{
	CU_pSuite suite = CU_add_suite("server", NULL, NULL);

	CU_add_test(suite, "audit lines: access", test_audit_access);
	CU_add_test(suite, "audit lines: errors", test_audit_errors);
	CU_add_test(suite, "audit lines: damaged", test_audit_damaged);
	CU_add_test(suite, "audit lines: random damage", test_audit_random);
}
