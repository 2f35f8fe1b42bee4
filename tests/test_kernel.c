/* Kernel profiles: text to struct and back, a selinuxfs that is none, and what
 * a kernel makes of a policy without source. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/source.h"
#include "ir/policy.h"
#include "kernel/profile.h"

void suite_kernel(void);

struct run {
	struct sources sources;
	struct diags diags;
	struct kernel_profile profile;
};

static bool parse(struct run *r, const char *text)
{
	const struct source *source;

	*r = (struct run){0};
	source = sources_add(&r->sources, "profile", text, strlen(text), &r->diags);
	return kernel_profile_parse(&r->profile, source, &r->diags);
}

static void finish(struct run *r)
{
	kernel_profile_free(&r->profile);
	diags_free(&r->diags);
	sources_free(&r->sources);
}

static const char text[] =
	"name Linux of a test\n"
	"versions 15 33\n"
	"bounds 3\n"
	"refuse port-zero\n"
	"\n"
	"capability open_perms\n"
	"capability cgroup_seclabel\n"
	"\n"
	"sid 1 kernel\n"
	"sid 27 devnull\n"
	"\n"
	"class file { read write }\n"
	"class process { transition dyntransition }\n";

static void test_parse(void)
{
	struct run r;

	CU_ASSERT_TRUE(parse(&r, text));
	CU_ASSERT_STRING_EQUAL(r.profile.name, "Linux of a test");
	CU_ASSERT_EQUAL(r.profile.oldest, 15);
	CU_ASSERT_EQUAL(r.profile.newest, 33);
	CU_ASSERT_EQUAL(r.profile.bounds, 3);
	CU_ASSERT_TRUE(r.profile.refuses_port_zero);
	CU_ASSERT_FALSE(r.profile.partial);
	CU_ASSERT_TRUE(kernel_profile_has_capability(&r.profile, "cgroup_seclabel"));
	CU_ASSERT_FALSE(kernel_profile_has_capability(&r.profile, "cgroup"));
	CU_ASSERT_STRING_EQUAL(r.profile.sids[27], "devnull");
	CU_ASSERT_PTR_NULL(r.profile.sids[2]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel_profile_class(&r.profile, "file"));
	CU_ASSERT_EQUAL(kernel_profile_class(&r.profile, "file")->nperms, 2);
	CU_ASSERT_PTR_NULL(kernel_profile_class(&r.profile, "dir"));
	finish(&r);
}

static void test_forms(void)
{
	struct run r;

	CU_ASSERT_TRUE(parse(&r, "# c\n\tname  a   b # d\nversions 1 2\r\ncapability x y\n"
				 "class c {\n a # e\n\n b }\nclass d { }"));
	CU_ASSERT_EQUAL(r.profile.capabilities.n, 2);
	CU_ASSERT_EQUAL(r.profile.classes.n, 2);
	CU_ASSERT_EQUAL(r.profile.classes.at[0].nperms, 2);
	finish(&r);
}

static void test_written(void)
{
	struct buffer out = {0};
	struct run r;

	CU_ASSERT_TRUE(parse(&r, text));
	kernel_profile_write(&r.profile, &out);
	CU_ASSERT_EQUAL(out.n, sizeof text - 1);
	CU_ASSERT_EQUAL(memcmp(out.at, text, out.n < sizeof text ? out.n : sizeof text), 0);
	buffer_free(&out);
	finish(&r);
}

/* Every beginning of a profile is one or is refused. */
static void test_cut(void)
{
	for (size_t n = 0; n < sizeof text; n++) {
		char *cut = strndup(text, n);
		struct run r;
		bool good = parse(&r, cut);

		CU_ASSERT_EQUAL(good, r.diags.errors == 0);
		finish(&r);
		free(cut);
	}
}

/* ---- selinuxfs ---- */

static char directory[] = "/tmp/test-kernel-XXXXXX";

static void write_file(const char *name, const char *content)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(content, file);
	fclose(file);
}

static void remove_directory(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", directory);
	CU_ASSERT_EQUAL(system(command), 0);
	memcpy(directory, "/tmp/test-kernel-XXXXXX", sizeof directory);
}

static void make_selinuxfs(const char *perm)
{
	char path[64];

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	write_file("policyvers", "33");
	write_file("policy_capabilities/open_perms", "1");
	write_file("initial_contexts/kernel", "u:r:t");
	write_file("initial_contexts/devnull", "u:r:t");
	write_file("class/process/index", "1");
	write_file("class/process/perms/dyntransition", "2");
	write_file("class/process/perms/transition", "1");
	write_file("class/file/index", "2");
	snprintf(path, sizeof path, "class/file/perms/%s", perm);
	write_file(path, "1");
}

static void probe(struct run *r, const char *log)
{
	const struct source *source;

	*r = (struct run){0};
	source = log ? sources_add(&r->sources, "log", log, strlen(log), &r->diags) : NULL;
	CU_ASSERT_TRUE(kernel_profile_probe(&r->profile, directory, source, &r->diags));
	CU_ASSERT_EQUAL(r->profile.newest, 33);
	CU_ASSERT_TRUE(kernel_profile_has_capability(&r->profile, "open_perms"));
	CU_ASSERT_STRING_EQUAL(r->profile.sids[1], "kernel");
	CU_ASSERT_STRING_EQUAL(r->profile.sids[27], "devnull");
}

/* The classes of some policy are not the kernel's. */
static void test_probe(void)
{
	struct run r;

	make_selinuxfs("read");
	probe(&r, NULL);
	CU_ASSERT_TRUE(r.profile.partial);
	CU_ASSERT_EQUAL(r.profile.classes.n, 2);
	CU_ASSERT_STRING_EQUAL(r.profile.classes.at[1].perms[0], "transition");
	finish(&r);
	remove_directory();
}

/* With a policy that was made for it, the log tells all. */
static void test_probe_log(void)
{
	static const char log[] =
		"[    1.0] SELinux:  Permission fork in class process not defined in policy.\n"
		"<6>SELinux:  Permission read in class file not defined in policy.\n"
		"[    1.0] SELinux:  Permission write in class file not defined in policy.\n"
		"[    1.0] SELinux: the above unknown classes and permissions will be denied\n";
	const struct kernel_class *file;
	struct run r;

	make_selinuxfs("kernel_profile_probe");
	probe(&r, log);
	CU_ASSERT_FALSE(r.profile.partial);
	file = kernel_profile_class(&r.profile, "file");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(file->nperms, 2);
	CU_ASSERT_EQUAL(kernel_profile_class(&r.profile, "process")->nperms, 3);
	finish(&r);
	remove_directory();
}

static void test_no_selinuxfs(void)
{
	struct run r = {0};

	CU_ASSERT_FALSE(kernel_profile_probe(&r.profile, "/nonexistent", NULL, &r.diags));
	CU_ASSERT_EQUAL(r.diags.errors, 1);
	finish(&r);
}

/* ---- a policy without source ---- */

static void test_no_places(void)
{
	struct policy *policy = policy_new();
	struct policy_class classes[2] = {{0}, {.name = "file", .nperms = 1, .perms = {"read"}}};
	struct run r;

	policy->classes.at = classes;
	policy->classes.n = 1;
	CU_ASSERT_TRUE(parse(&r, text));
	kernel_check(&r.profile, policy, 35, NULL, &r.diags);
	/* version, process, permission `write` */
	CU_ASSERT_EQUAL(r.diags.errors, 3);
	/* contexts of two initial SIDs */
	CU_ASSERT_EQUAL(r.diags.warnings, 2);
	for (uint32_t i = 0; i < r.diags.list.n; i++)
		CU_ASSERT_FALSE(loc_known(r.diags.list.at[i].loc));
	policy->classes.at = NULL;
	policy->classes.n = 0;
	policy_free(policy);
	finish(&r);
}

void suite_kernel(void)
{
	CU_pSuite suite = CU_add_suite("kernel", NULL, NULL);

	if (!suite)
		return;
	CU_add_test(suite, "a profile is read", test_parse);
	CU_add_test(suite, "blanks, comments and ends of lines", test_forms);
	CU_add_test(suite, "what is written is read", test_written);
	CU_add_test(suite, "every beginning of a profile", test_cut);
	CU_add_test(suite, "a selinuxfs", test_probe);
	CU_add_test(suite, "a selinuxfs and a log", test_probe_log);
	CU_add_test(suite, "no selinuxfs", test_no_selinuxfs);
	CU_add_test(suite, "a policy without places", test_no_places);
}
