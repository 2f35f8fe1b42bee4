/* Labels against a walk along the lists, as the kernel does it.  The TEST_SEED
 * of a failure repeats it. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ir/names.h"
#include "security/labels.h"
#include "tests/ask.h"

void suite_label_walk(void);

enum { ROUNDS = 200, RECORDS = 40, QUESTIONS = 100, CROWD = 300, DIR = 2, CLASSES = 3, MANY = 200000 };

static const uint8_t protocols[] = {6, 17, 33, 132};

/* ---- random records: many in a small space, so that they overlap ---- */

#define MAKE_LIST(ask, policy, list) \
	((list).n = ask_below(ask, RECORDS), \
	 (list).at = arena_zalloc(&(policy)->arena, (list).n, sizeof *(list).at))

/* At both ends of the numbers up to max. */
static uint64_t near_ends(struct ask *ask, uint64_t max)
{
	return ask_below(ask, 4) ? ask_below(ask, CROWD) : max - ask_below(ask, CROWD);
}

static void add_ports(struct ask *ask, struct policy *p)
{
	MAKE_LIST(ask, p, p->ports);
	for (uint32_t i = 0; i < p->ports.n; i++) {
		struct policy_port *port = &p->ports.at[i];

		port->protocol = protocols[ask_below(ask, 4)];
		port->low = (uint32_t)near_ends(ask, 65535);
		port->high = port->low + ask_below(ask, 60);
		if (port->high > 65535)
			port->high = 65535;
	}
}

static void random_address(struct ask *ask, unsigned char *at)
{
	unsigned char most = ask_below(ask, 4) ? 0 : 0xff;

	for (uint32_t i = 0; i < 16; i++)
		at[i] = ask_below(ask, 3) ? most : (unsigned char)ask_below(ask, 3);
}

static void prefix_mask(unsigned char *mask, uint32_t bits)
{
	for (uint32_t k = 0; k < 16; k++, bits -= bits < 8 ? bits : 8)
		mask[k] = (unsigned char)(0xff00 >> (bits < 8 ? bits : 8));
}

/* Few lengths are common, and many networks lie in each other. */
static void random_mask(struct ask *ask, unsigned char *mask, uint32_t width, bool odd)
{
	switch (ask_below(ask, 8)) {
	case 0: prefix_mask(mask, 0); break;
	case 1: prefix_mask(mask, 8 * width); break;
	case 2: prefix_mask(mask, 8); break;
	case 3:
		if (odd) {
			for (uint32_t k = 0; k < width; k++)
				mask[k] = ask_below(ask, 3) ? 0xff : (unsigned char)ask_below(ask, 256);
			break;
		}
		/* fallthrough */
	default: prefix_mask(mask, ask_below(ask, 8 * width + 1)); break;
	}
}

/* An address with bits outside of its mask matches nothing. */
static void add_nodes(struct ask *ask, struct policy_node *nodes, uint32_t n, uint32_t width)
{
	bool odd = ask_below(ask, 2);

	for (uint32_t i = 0; i < n; i++) {
		bool host_bits = !ask_below(ask, 10);

		random_address(ask, nodes[i].address);
		random_mask(ask, nodes[i].mask, width, odd);
		for (uint32_t k = 0; k < width && !host_bits; k++)
			nodes[i].address[k] &= nodes[i].mask[k];
	}
}

enum { NAME = 8 };

/* Of few letters, so that one is another's beginning. */
static char *random_name(struct ask *ask, char name[NAME], bool pattern)
{
	uint32_t n = 1 + ask_below(ask, 4);

	for (uint32_t i = 0; i < n; i++)
		name[i] = "ab*?"[ask_below(ask, pattern ? 4 : 2)];
	name[n] = '\0';
	return name;
}

static const char *new_name(struct ask *ask, struct policy *p, bool pattern)
{
	return random_name(ask, arena_alloc(&p->arena, NAME), pattern);
}

/* Half of the time the root. */
static char *random_path(struct ask *ask, char path[NAME + 1], bool pattern)
{
	path[0] = '/';
	path[1] = '\0';
	if (ask_below(ask, 2))
		random_name(ask, path + 1, pattern);
	return path;
}

static void add_netifs(struct ask *ask, struct policy *p)
{
	MAKE_LIST(ask, p, p->netifs);
	for (uint32_t i = 0; i < p->netifs.n; i++)
		p->netifs.at[i].name = new_name(ask, p, ask_below(ask, 2));
}

static void random_prefix(struct ask *ask, unsigned char prefix[8])
{
	memset(prefix, ask_below(ask, 2) ? 0 : 0xff, 8);
	prefix[ask_below(ask, 2) ? 0 : 7] = (unsigned char)ask_below(ask, 2);
}

static void add_infiniband(struct ask *ask, struct policy *p)
{
	MAKE_LIST(ask, p, p->ibpkeys);
	for (uint32_t i = 0; i < p->ibpkeys.n; i++) {
		struct policy_ibpkey *key = &p->ibpkeys.at[i];

		random_prefix(ask, key->prefix);
		key->low = (uint32_t)near_ends(ask, 65535);
		key->high = key->low + ask_below(ask, 60);
		if (key->high > 65535)
			key->high = 65535;
	}
	MAKE_LIST(ask, p, p->ibendports);
	for (uint32_t i = 0; i < p->ibendports.n; i++) {
		p->ibendports.at[i].device = new_name(ask, p, false);
		p->ibendports.at[i].port = ask_below(ask, 4);
	}
}

static int compare_genfs(const void *a, const void *b)
{
	const struct policy_genfs *x = a, *y = b;
	int order = strcmp(x->fs, y->fs);

	return order ? order : (strlen(x->path) < strlen(y->path)) - (strlen(x->path) > strlen(y->path));
}

static void add_file_systems(struct ask *ask, struct policy *p)
{
	MAKE_LIST(ask, p, p->fs_uses);
	for (uint32_t i = 0; i < p->fs_uses.n; i++) {
		p->fs_uses.at[i].name = new_name(ask, p, false);
		p->fs_uses.at[i].behaviour = 1 + ask_below(ask, 3);
	}
	MAKE_LIST(ask, p, p->genfs);
	for (uint32_t i = 0; i < p->genfs.n; i++) {
		struct policy_genfs *genfs = &p->genfs.at[i];

		genfs->fs = new_name(ask, p, false);
		genfs->path = random_path(ask, arena_alloc(&p->arena, NAME + 1), ask_below(ask, 2));
		genfs->class = ask_below(ask, CLASSES);
	}
	qsort(p->genfs.at, p->genfs.n, sizeof *p->genfs.at, compare_genfs);
}

static void add_spans(struct ask *ask, struct policy_xen_span *spans, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		spans[i].low = near_ends(ask, UINT64_MAX);
		spans[i].high = ask_below(ask, 60);
		spans[i].high = spans[i].high > UINT64_MAX - spans[i].low ? UINT64_MAX : spans[i].low + spans[i].high;
	}
}

static void set_capability(struct policy *p, const char *name)
{
	uint32_t bit;

	CU_ASSERT_EQUAL_FATAL(capability_find(name, &bit), 0);
	ebitmap_set(&p->capabilities, bit);
}

static struct policy *random_policy(struct ask *ask)
{
	struct policy *p = policy_new();

	if (ask_below(ask, 2))
		set_capability(p, "netif_wildcard");
	if (ask_below(ask, 2))
		set_capability(p, "genfs_seclabel_wildcard");
	p->classes.n = CLASSES - 1;
	p->classes.at = arena_zalloc(&p->arena, CLASSES, sizeof *p->classes.at);
	p->classes.at[1].name = "file";
	p->classes.at[DIR].name = "dir";
	add_ports(ask, p);
	MAKE_LIST(ask, p, p->nodes);
	add_nodes(ask, p->nodes.at, p->nodes.n, 4);
	MAKE_LIST(ask, p, p->nodes6);
	add_nodes(ask, p->nodes6.at, p->nodes6.n, 16);
	add_netifs(ask, p);
	add_infiniband(ask, p);
	add_file_systems(ask, p);
	MAKE_LIST(ask, p, p->pirqs);
	add_spans(ask, p->pirqs.at, p->pirqs.n);
	MAKE_LIST(ask, p, p->iomems);
	add_spans(ask, p->iomems.at, p->iomems.n);
	return p;
}

/* ---- the walks ---- */

/* The first record for which the condition holds, or NULL. */
#define WALK(list, r, condition) \
	for (uint32_t walk_i = 0; walk_i < (list).n; walk_i++) { \
		r = &(list).at[walk_i]; \
		if (condition) \
			return r; \
	} \
	return NULL

/* Its context. */
#define WALK_CONTEXT(list, r, condition) \
	for (uint32_t walk_i = 0; walk_i < (list).n; walk_i++) { \
		r = &(list).at[walk_i]; \
		if (condition) \
			return &r->context; \
	} \
	return NULL

static const struct policy_context *walk_ports(const struct policy *p, uint8_t protocol, uint16_t port)
{
	const struct policy_port *r;

	WALK_CONTEXT(p->ports, r, r->protocol == protocol && r->low <= port && port <= r->high);
}

static bool in_network(const struct policy_node *node, const unsigned char *address, uint32_t width)
{
	for (uint32_t k = 0; k < width; k++)
		if ((address[k] & node->mask[k]) != node->address[k])
			return false;
	return true;
}

static const struct policy_context *walk_nodes(const struct policy *p, const unsigned char *address)
{
	const struct policy_node *r;

	WALK_CONTEXT(p->nodes, r, in_network(r, address, 4));
}

static const struct policy_context *walk_nodes6(const struct policy *p, const unsigned char *address)
{
	const struct policy_node *r;

	WALK_CONTEXT(p->nodes6, r, in_network(r, address, 16));
}

static bool matches(const char *pattern, const char *text)
{
	if (*pattern == '*')
		return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
	if (!*pattern || !*text)
		return !*pattern && !*text;
	return (*pattern == '?' || *pattern == *text) && matches(pattern + 1, text + 1);
}

static bool has_capability(const struct policy *p, const char *name)
{
	uint32_t bit = 0;

	return !capability_find(name, &bit) && ebitmap_test(&p->capabilities, bit);
}

static const struct policy_netif *walk_netifs(const struct policy *p, const char *name)
{
	const struct policy_netif *r;
	bool patterns = has_capability(p, "netif_wildcard");

	WALK(p->netifs, r, patterns ? matches(r->name, name) : !strcmp(r->name, name));
}

static const struct policy_context *walk_ibpkeys(const struct policy *p, const unsigned char *prefix, uint16_t key)
{
	const struct policy_ibpkey *r;

	WALK_CONTEXT(p->ibpkeys, r, !memcmp(r->prefix, prefix, sizeof r->prefix) && r->low <= key && key <= r->high);
}

static const struct policy_context *walk_ibendports(const struct policy *p, const char *device, uint8_t port)
{
	const struct policy_ibendport *r;

	WALK_CONTEXT(p->ibendports, r, !strcmp(r->device, device) && r->port == port);
}

static const struct policy_context *walk_genfs(const struct policy *p, const char *fs, const char *path, uint32_t class)
{
	const struct policy_genfs *r;
	bool patterns = has_capability(p, "genfs_seclabel_wildcard");

	WALK_CONTEXT(p->genfs, r,
	     !strcmp(r->fs, fs) && (!r->class || r->class == class) &&
		     (patterns ? matches(r->path, path) : !strncmp(r->path, path, strlen(r->path))));
}

static const struct policy_fs_use *walk_fs_uses(const struct policy *p, const char *fs)
{
	const struct policy_fs_use *r;

	WALK(p->fs_uses, r, !strcmp(r->name, fs));
}

#define WALK_SPANS(list) \
	do { \
		const struct policy_xen_span *r; \
		WALK_CONTEXT(list, r, r->low <= value && value <= r->high); \
	} while (0)

static const struct policy_context *walk_pirqs(const struct policy *p, uint64_t value)
{
	WALK_SPANS(p->pirqs);
}

static const struct policy_context *walk_iomems(const struct policy *p, uint64_t value)
{
	WALK_SPANS(p->iomems);
}

/* ---- the comparison ---- */

static bool check_net(struct ask *ask, const struct policy *p, const struct labels *labels)
{
	unsigned char address[16];
	uint8_t protocol = protocols[ask_below(ask, 4)];
	uint16_t port = (uint16_t)near_ends(ask, 65535);

	random_address(ask, address);
	return label_port(labels, protocol, port).context == walk_ports(p, protocol, port) &&
	       label_node(labels, address).context == walk_nodes(p, address) &&
	       label_node6(labels, address).context == walk_nodes6(p, address);
}

static bool check_netif(struct ask *ask, const struct policy *p, const struct labels *labels)
{
	char name[NAME];
	const struct policy_netif *want = walk_netifs(p, random_name(ask, name, false));
	struct label packet, interface = label_netif(labels, name, &packet);

	return interface.context == (want ? &want->interface : NULL) && packet.context == (want ? &want->packet : NULL);
}

static bool check_infiniband(struct ask *ask, const struct policy *p, const struct labels *labels)
{
	unsigned char prefix[8];
	uint16_t key = (uint16_t)near_ends(ask, 65535);
	uint8_t port = (uint8_t)ask_below(ask, 4);
	char device[NAME];

	random_prefix(ask, prefix);
	random_name(ask, device, false);
	return label_ibpkey(labels, prefix, key).context == walk_ibpkeys(p, prefix, key) &&
	       label_ibendport(labels, device, port).context == walk_ibendports(p, device, port);
}

static bool check_file_systems(struct ask *ask, const struct policy *p, const struct labels *labels)
{
	char fs[NAME], path[NAME + 1];
	uint32_t class = ask_below(ask, CLASSES);
	const struct policy_fs_use *use;
	enum label_behaviour behaviour, want = LABEL_GENFS;
	const struct policy_context *context;

	random_name(ask, fs, false);
	random_path(ask, path, false);
	use = walk_fs_uses(p, fs);
	context = use ? &use->context : walk_genfs(p, fs, "/", DIR);
	if (use)
		want = (enum label_behaviour)use->behaviour;
	else if (!context)
		want = LABEL_NONE;
	return label_genfs(labels, fs, path, class).context == walk_genfs(p, fs, path, class) &&
	       label_fs(labels, fs, &behaviour).context == context && behaviour == want;
}

static bool check_xen(struct ask *ask, const struct policy *p, const struct labels *labels)
{
	uint64_t value = near_ends(ask, UINT64_MAX);

	return label_pirq(labels, value).context == walk_pirqs(p, value) &&
	       label_iomem(labels, value).context == walk_iomems(p, value);
}

static const struct kind {
	const char *name;
	bool (*check)(struct ask *ask, const struct policy *p, const struct labels *labels);
} kinds[] = {
	{"ports and nodes", check_net}, {"interfaces", check_netif}, {"InfiniBand", check_infiniband},
	{"file systems", check_file_systems}, {"Xen", check_xen},
};

static bool check_policy(struct ask *ask)
{
	struct policy *policy = random_policy(ask);
	struct security *security = security_new(policy);
	struct labels *labels = labels_new(security);
	bool good = true;

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds && good; k++) {
		for (int i = 0; i < QUESTIONS && good; i++)
			good = kinds[k].check(ask, policy, labels);
		if (!good)
			printf("\n%s differ\n", kinds[k].name);
	}
	labels_free(labels);
	security_free(security);
	policy_free(policy);
	return good;
}

static void test_random(void)
{
	if (!ask_rounds("test_label_walk", ROUNDS, check_policy))
		CU_FAIL("differs from the walk");
}

/* None of so many may cost a walk over the others, as it would take minutes. */
static void test_many(void)
{
	static const unsigned char address[16] = {1, 2, 3, 4}, other[16] = {0};
	struct policy *p = policy_new();
	struct security *security;
	struct labels *labels;

	p->nodes.n = p->nodes6.n = MANY;
	p->nodes.at = arena_zalloc(&p->arena, MANY, sizeof *p->nodes.at);
	p->nodes6.at = arena_zalloc(&p->arena, MANY, sizeof *p->nodes6.at);
	for (uint32_t i = 0; i < MANY; i++) {
		struct policy_node *node = &p->nodes.at[i];

		/* Networks in each other, the narrow ones first, each of them many times. */
		prefix_mask(node->mask, 32 - i / (MANY / 32));
		for (uint32_t k = 0; k < 4; k++)
			node->address[k] = address[k] & node->mask[k];
		memset(p->nodes6.at[i].mask, 0xff, 16);
		memcpy(p->nodes6.at[i].address + 12, &i, sizeof i);
	}
	security = security_new(p);
	labels = labels_new(security);
	CU_ASSERT_PTR_EQUAL(label_node(labels, address).context, &p->nodes.at[0].context);
	CU_ASSERT_PTR_EQUAL(label_node(labels, other).context, walk_nodes(p, other));
	CU_ASSERT_PTR_EQUAL(label_node6(labels, other).context, &p->nodes6.at[0].context);
	CU_ASSERT_PTR_EQUAL(label_node6(labels, p->nodes6.at[MANY - 1].address).context, &p->nodes6.at[MANY - 1].context);
	CU_ASSERT_PTR_NULL(label_node6(labels, address).context);
	labels_free(labels);
	security_free(security);
	policy_free(p);
}

void suite_label_walk(void)
{
	CU_pSuite suite = CU_add_suite("labels against a walk", NULL, NULL);

	CU_add_test(suite, "random records", test_random);
	CU_add_test(suite, "many records", test_many);
}
