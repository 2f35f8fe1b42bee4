/* policy-query: questions about policies, binary or source.
 *
 * The map: a command is a word, what it prints and its exit status are in its
 * own file, the answers are in query/. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "cli/query.h"

const char query_program[] = "policy-query";

static const struct {
	const char *name;
	enum query_status (*run)(int argc, char **argv);
} commands[] = {
	{"info", query_info_main},
	{"rules", query_rules_main},
	{"diff", query_diff_main},
	{"access", query_access_main},
	{"create", query_create_main},
	{"member", query_member_main},
	{"relabel", query_relabel_main},
	{"validatetrans", query_validatetrans_main},
	{"label", query_label_main},
	{"expect", query_expect_main},
	{"replay", query_replay_main},
	{"batch", query_batch_main},
	{"kernel-profile", query_kernel_main},
};

static void print_usage(FILE *out)
{
	fprintf(out,
		"usage: %s COMMAND [options] POLICY [arguments]\n"
		"\n"
		"What a policy holds:\n"
		"  info POLICY                counts\n"
		"  rules POLICY               rules that match\n"
		"  diff OLD NEW               what differs, by meaning\n"
		"\n"
		"What a kernel that loaded it would answer:\n"
		"  access POLICY SOURCE TARGET CLASS [PERM...]\n"
		"                             what is allowed, and why (--explain)\n"
		"  create POLICY SOURCE TARGET CLASS [NAME]\n"
		"  member POLICY SOURCE TARGET CLASS\n"
		"  relabel POLICY SOURCE TARGET CLASS\n"
		"                             the context of what is new\n"
		"  validatetrans POLICY OLD NEW CLASS TASK\n"
		"                             whether an object's context may change\n"
		"  label POLICY KIND WORD...  the context of a port, node, netif, genfs, fs, sid,\n"
		"                             ibpkey, ibendport; of Xen a pirq, ioport, iomem,\n"
		"                             pcidevice, devicetree\n"
		"  expect POLICY FILE         whether what a file of expectations says is so\n"
		"  replay POLICY LOG          denials of an audit log: still denied and why, or allowed\n"
		"  batch POLICY [FILE]        queries, one a line, as a kernel answers them\n"
		"\n"
		"  kernel-profile [--log FILE] [DIRECTORY]\n"
		"                             of the running kernel, for policy-compile --kernel\n"
		"\n"
		"A policy is a binary or source, - for standard input.  Options of all commands:\n"
		"\n"
		"  -M, --mls                  source: the policy is MLS (else: if it has sensitivities)\n"
		"      --xen                  source: the target is Xen\n"
		"      --format text|json     form of the answer, default text\n"
		"  -h, --help                 print this help\n"
		"\n"
		"access, create, member, relabel, validatetrans, label, expect, replay, batch:\n"
		"      --bool NAME=0|1        state of a boolean, in place of the policy's\n"
		"      --explain              access: the rules that grant, or what is missing\n"
		"      --kernel PROFILE       access, label, expect, replay: as that kernel answers\n"
		"  A permission may be ioctl:0x5401 or nlmsg:0x10-0x1f, extended permissions.\n"
		"\n"
		"expect, replay: the findings, which go to standard error\n"
		"      --format text|json|sarif|junit\n"
		"      --diagnostics FILE     write them to FILE in that format, and as text as well\n"
		"      --max-errors N         print at most N\n"
		"      --color[=auto|always|never]\n"
		"\n"
		"diff:\n"
		"      --summary              counts only\n"
		"      --full                 text: lists of types in full\n"
		"\n"
		"rules: kinds, at least one:\n"
		"  -A                         --allow --allowxperm\n"
		"      --allow --auditallow --dontaudit\n"
		"      --allowxperm --auditallowxperm --dontauditxperm\n"
		"  -T, --type_trans, --type_member, --type_change, --range_trans\n"
		"      --role_allow --role_trans\n"
		"\n"
		"rules: filters:\n"
		"  -s, --source NAME          source type, attribute or role\n"
		"  -t, --target NAME          target type, attribute or role\n"
		"  -ds, -dt, --direct         the rule names the source, the target, both itself\n"
		"  -c, --class NAME,...       any of these classes\n"
		"  -p, --perms NAME,...       any of these permissions\n"
		"      --all-perms            all of these permissions\n"
		"  -D, --default NAME         the type, role or range that a transition leads to\n"
		"  -b, --bool NAME,...        conditional on any of these booleans\n"
		"      --count                print how many\n"
		"\n"
		"kernel-profile:\n"
		"      --log FILE             messages of the kernel from when it loaded the policy\n"
		"  DIRECTORY is a selinuxfs, default /sys/fs/selinux\n"
		"\n"
		"Exit status: 0 done, allowed, equal, or found; 1 denied, different, or nothing found;\n"
		"2 failed.\n",
		query_program);
}

int main(int argc, char **argv)
{
	heap_in_huge_pages();
	signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write, to be reported */
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			print_usage(stdout);
			return query_finish(QUERY_DONE);
		}
	}
	for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	}
	if (argc > 1)
		return query_complain("there is no command", argv[1]);
	print_usage(stderr);
	return QUERY_FAILED;
}

enum query_status query_complain(const char *what, const char *value)
{
	fprintf(stderr, "%s: error: %s%s%s [usage]\n", query_program, what, value ? ": " : "", value ? value : "");
	return QUERY_FAILED;
}

bool query_option(struct query_options *o, int option)
{
	switch (option) {
	case 'M': o->load.mls = true; return true;
	case 'X': o->load.xen = true; return true;
	case 'f':
		o->json = !strcmp(optarg, "json");
		if (o->json || !strcmp(optarg, "text"))
			return true;
		query_complain("--format takes text or json", optarg);
		return false;
	default: return false; /* getopt_long() said why */
	}
}

enum query_status query_finish(enum query_status status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "%s: error: cannot write to standard output [output]\n", query_program);
	return QUERY_FAILED;
}
