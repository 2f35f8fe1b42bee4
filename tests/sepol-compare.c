/*
 * sepol-compare [-m] [-n QUESTIONS] [-s SEED] [-l LIMIT] [-x KNOWN] A B
 * sepol-compare -r IMAGE...
 *
 * Reads both images with libsepol and compares what the text of `checkpolicy
 * -b` does not show: order of labelling records, commons without a class,
 * bounds of roles and users, names in constraints below version 29; below
 * version 24, where there is no text, also all rules with attributes expanded.
 * Then asks both for the decision on random (source, target, class) and the
 * member and change contexts, by names.  Half of the questions are about a rule
 * of A, so that the answer is not always no.
 *
 * -m leaves out of the answers what the class does not have: checkpolicy 3.4
 * sets all 32 bits for a `*`.  -x names a file with lines that A is known to
 * lack, as this program writes them.  -r only reads.  Exit status: 0 the same, 1 different, 2 not readable.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sepol/debug.h>
#include <sepol/handle.h>
#include <sepol/policydb.h>
#include <sepol/policydb/services.h>
#include <sepol/sepol.h>

#include "sepol-dump.h"

enum { RULE_LIMIT = 3000000, FIRST_WITH_NAMED_ATTRIBUTES = 24 };

struct image {
	const char *path;
	char *data;
	size_t size;
	sepol_policydb_t *db;
};

struct wish {
	unsigned int questions;
	uint64_t seed;
	unsigned long limit;
	int masked;
	const char *known;
};

struct text {
	char *all;
	size_t size;
	char **line;
	size_t n;
};

static void fail(const char *path, const char *why)
{
	fprintf(stderr, "sepol-compare: %s: %s\n", path, why);
	exit(2);
}

static void *checked(void *p)
{
	if (!p)
		fail("memory", strerror(ENOMEM));
	return p;
}

static FILE *text_open(struct text *text)
{
	return checked(open_memstream(&text->all, &text->size));
}

static void text_close(struct text *text, FILE *out)
{
	char *p, *end;

	if (fclose(out))
		fail("memory", strerror(errno));
	text->n = 0;
	text->line = checked(malloc((text->size + 1) * sizeof *text->line / 2 + sizeof *text->line));
	for (p = text->all; (end = strchr(p, '\n')); p = end + 1) {
		*end = '\0';
		text->line[text->n++] = p;
	}
}

/* ---- reading ---- */

#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
static void tell(void *path, sepol_handle_t *handle, const char *format, ...)
{
	va_list args;

	if (sepol_msg_get_level(handle) != SEPOL_MSG_ERR)
		return;
	fprintf(stderr, "sepol-compare: %s: %s: ", (char *)path, sepol_msg_get_fname(handle));
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static void load(struct image *image, const char *path)
{
	FILE *in = fopen(path, "rb");
	long size = -1;

	image->path = path;
	if (in && !fseek(in, 0, SEEK_END))
		size = ftell(in);
	if (size < 0)
		fail(path, strerror(errno));
	rewind(in);
	image->size = (size_t)size;
	image->data = checked(malloc(image->size + 1));
	if (fread(image->data, 1, image->size, in) != image->size)
		fail(path, "cannot read");
	fclose(in);
}

static void read_image(struct image *image, const char *path)
{
	sepol_handle_t *handle = checked(sepol_handle_create());
	sepol_policy_file_t *file = NULL;

	load(image, path);
	sepol_msg_set_callback(handle, tell, (void *)(uintptr_t)path);
	if (sepol_policydb_create(&image->db) || sepol_policy_file_create(&file))
		fail(path, strerror(ENOMEM));
	sepol_policy_file_set_mem(file, image->data, image->size);
	sepol_policy_file_set_handle(file, handle);
	if (sepol_policydb_read(image->db, file))
		fail(path, "libsepol cannot read it");
	sepol_policy_file_free(file);
	sepol_handle_destroy(handle);
}

static void free_image(struct image *image)
{
	sepol_policydb_free(image->db);
	free(image->data);
}

/* ---- questions ---- */

/* A small generator of its own: the same questions on every machine. */
static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return n ? (uint32_t)((random_state >> 16) % n) : 0;
}

/* A random value of a set, or 0. */
static uint32_t pick(const ebitmap_t *set)
{
	ebitmap_node_t *node;
	unsigned int bit, n = 0, chosen;

	ebitmap_for_each_positive_bit(set, node, bit)
		n++;
	if (!n)
		return 0;
	chosen = random_below(n);
	ebitmap_for_each_positive_bit(set, node, bit)
		if (!chosen--)
			return bit + 1;
	return 0;
}

/* What contexts are made of. */
struct people {
	uint32_t *types;
	uint32_t ntypes;
	uint32_t *users;
	uint32_t nusers;
};

static void list_people(const policydb_t *p, struct people *people)
{
	uint32_t i;

	people->types = checked(calloc(p->p_types.nprim + 1, sizeof *people->types));
	people->users = checked(calloc(p->p_users.nprim + 1, sizeof *people->users));
	people->ntypes = people->nusers = 0;
	for (i = 1; i <= p->p_types.nprim; i++)
		if (!is_attribute(p, i))
			people->types[people->ntypes++] = i;
	for (i = 1; i <= p->p_users.nprim; i++)
		if (p->user_val_to_struct[i - 1])
			people->users[people->nusers++] = i;
}

/* A role that may have the type, and a user that may have the role: looked for
 * from a random start.  object_r, whose value is 1, goes with everything. */
static void find_role_and_user(const policydb_t *p, const struct people *people, context_struct_t *c)
{
	uint32_t nroles = p->p_roles.nprim, role0 = random_below(nroles), i, j;
	uint32_t user0 = random_below(people->nusers);

	for (i = 0; i < nroles; i++) {
		uint32_t role = (role0 + i) % nroles + 1;
		const role_datum_t *datum = p->role_val_to_struct[role - 1];

		if (!datum || !has_bit(&datum->types.types, c->type - 1))
			continue;
		for (j = 0; j < people->nusers; j++) {
			uint32_t user = people->users[(user0 + j) % people->nusers];

			if (has_bit(&p->user_val_to_struct[user - 1]->roles.roles, role - 1)) {
				c->role = role;
				c->user = user;
				return;
			}
		}
	}
	c->role = 1;
	c->user = people->users[user0];
}

/* The user's range, its low level, or its high level. */
static void choose_range(const policydb_t *p, context_struct_t *c)
{
	const mls_range_t *range = &p->user_val_to_struct[c->user - 1]->exp_range;
	uint32_t way = random_below(3);

	c->range.level[0] = range->level[way == 2];
	c->range.level[1] = range->level[way != 1];
}

static void ask_context(FILE *out, const policydb_t *p, const struct people *people, uint32_t type,
			int object)
{
	context_struct_t c = { .type = type };

	if (object) {
		c.role = 1;
		c.user = people->users[random_below(people->nusers)];
	} else {
		find_role_and_user(p, people, &c);
	}
	if (p->mls)
		choose_range(p, &c);
	write_context(out, p, &c);
}

/* A random entry that allows something; NULL after some misses. */
static const avtab_key_t *random_rule(const policydb_t *p)
{
	const struct avtab_node *node;
	uint32_t tries, slots = p->te_avtab.nslot;

	for (tries = 0; slots && tries < 64; tries++) {
		uint32_t slot = random_below(slots), chain = 0;

		for (node = p->te_avtab.htable[slot]; node; node = node->next)
			chain++;
		chain = random_below(chain);
		for (node = p->te_avtab.htable[slot]; node && chain--; node = node->next)
			;
		if (node && (node->key.specified & AVTAB_AV))
			return &node->key;
	}
	return NULL;
}

static uint32_t type_of_rule(const policydb_t *p, uint32_t value)
{
	return is_attribute(p, value) && p->attr_type_map ? pick(types_of(p, value)) : value;
}

static void make_question(FILE *out, const policydb_t *p, const struct people *people)
{
	const avtab_key_t *rule = random_below(2) ? random_rule(p) : NULL;
	uint32_t source = 0, target = 0, class = 0;

	if (rule) {
		source = type_of_rule(p, rule->source_type);
		target = type_of_rule(p, rule->target_type);
		class = rule->target_class;
	}
	if (!source)
		source = people->types[random_below(people->ntypes)];
	if (!target)
		target = people->types[random_below(people->ntypes)];
	while (!class || !p->p_class_val_to_name[class - 1])
		class = random_below(p->p_classes.nprim) + 1;
	ask_context(out, p, people, source, 0);
	fputc('\t', out);
	ask_context(out, p, people, target, (int)random_below(2));
	fprintf(out, "\t%s\n", p->p_class_val_to_name[class - 1]);
}

/* libsepol follows bounds without end. */
static int has_bounds_loop(const policydb_t *p)
{
	uint32_t i, value, steps;

	for (i = 1; i <= p->p_types.nprim; i++) {
		for (value = i, steps = 0; value && p->type_val_to_struct[value - 1];
		     value = p->type_val_to_struct[value - 1]->bounds)
			if (steps++ > p->p_types.nprim)
				return 1;
	}
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A small policy has few: each once. */
static void remove_repeats(struct text *text)
{
	size_t i, n = 0;

	qsort(text->line, text->n, sizeof *text->line, compare_lines);
	for (i = 0; i < text->n; i++)
		if (!n || strcmp(text->line[n - 1], text->line[i]) != 0)
			text->line[n++] = text->line[i];
	text->n = n;
}

static void make_questions(struct text *questions, const policydb_t *p, unsigned int n)
{
	struct people people;
	FILE *out = text_open(questions);

	list_people(p, &people);
	if (people.ntypes && people.nusers && !has_bounds_loop(p))
		while (n--)
			make_question(out, p, &people);
	free(people.types);
	free(people.users);
	text_close(questions, out);
	remove_repeats(questions);
}

/* ---- answers ---- */

static void answer_context(FILE *out, int status, sepol_security_id_t sid)
{
	sepol_security_context_t text;
	size_t length;

	if (status || sepol_sid_to_context(sid, &text, &length)) {
		fputs(" error", out);
		return;
	}
	fprintf(out, " %s", text);
	free(text);
}

static uint32_t permissions_of(const policydb_t *p, uint32_t class)
{
	uint32_t n = p->class_val_to_struct[class - 1]->permissions.nprim;

	return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

/* True when something is allowed. */
static int answer(FILE *out, const policydb_t *p, const char *question, int masked)
{
	char *copy = checked(strdup(question)), *target, *class;
	struct sepol_av_decision d = { 0 };
	sepol_security_id_t ssid, tsid, new;
	sepol_security_class_t value;
	int status, any = 0;
	uint32_t mask = UINT32_MAX;

	target = strchr(copy, '\t');
	*target++ = '\0';
	class = strchr(target, '\t');
	*class++ = '\0';
	fprintf(out, "ask %s %s %s:", copy, target, class);
	if (sepol_context_to_sid(copy, strlen(copy), &ssid) ||
	    sepol_context_to_sid(target, strlen(target), &tsid) ||
	    sepol_string_to_security_class(class, &value)) {
		fputs(" not valid", out);
	} else {
		if (sepol_compute_av(ssid, tsid, value, ~(sepol_access_vector_t)0, &d))
			fputs(" error", out);
		if (masked)
			mask = permissions_of(p, value);
		fprintf(out, " %08" PRIx32 " %08" PRIx32 " %08" PRIx32, d.allowed & mask,
			d.auditallow & mask, d.auditdeny & mask);
		any = (d.allowed & mask) != 0;
		status = sepol_member_sid(ssid, tsid, value, &new);
		answer_context(out, status, new);
		status = sepol_change_sid(ssid, tsid, value, &new);
		answer_context(out, status, new);
	}
	fputc('\n', out);
	free(copy);
	return any;
}

/* Asks libsepol's own policy, which this sets. */
static unsigned int answer_all(FILE *out, const struct image *image, const struct text *questions,
			       int masked)
{
	FILE *in = fmemopen(image->data, image->size, "rb");
	unsigned int allowed = 0;
	size_t i;

	if (!in || sepol_set_policydb_from_file(in))
		fail(image->path, "libsepol cannot use it");
	fclose(in);
	for (i = 0; i < questions->n; i++)
		allowed += (unsigned int)answer(out, &image->db->p, questions->line[i], masked);
	return allowed;
}

/* ---- comparing ---- */

static void print_difference(char sign, const char *line, unsigned long *count, unsigned long limit)
{
	if ((*count)++ < limit)
		printf("%c%.300s%s\n", sign, line, strlen(line) > 300 ? "..." : "");
}

static unsigned long compare_sorted(struct text *a, struct text *b, unsigned long limit)
{
	unsigned long count = 0;
	size_t i = 0, j = 0;

	qsort(a->line, a->n, sizeof *a->line, compare_lines);
	qsort(b->line, b->n, sizeof *b->line, compare_lines);
	while (i < a->n || j < b->n) {
		int order = i == a->n ? 1 : j == b->n ? -1 : strcmp(a->line[i], b->line[j]);

		if (order < 0)
			print_difference('-', a->line[i], &count, limit);
		else if (order > 0)
			print_difference('+', b->line[j], &count, limit);
		i += order <= 0;
		j += order >= 0;
	}
	return count;
}

static void copy_file(FILE *out, const char *path)
{
	FILE *in = fopen(path, "r");
	char line[1024];

	if (!in)
		fail(path, strerror(errno));
	while (fgets(line, sizeof line, in))
		if (line[0] != '#')
			fputs(line, out);
	fclose(in);
}

static unsigned int describe(struct text *text, const struct image *image,
			     const struct text *questions, int masked, const char *known)
{
	const policydb_t *p = &image->db->p;
	FILE *out = text_open(text);
	unsigned int allowed;

	dump_symbols(out, p);
	dump_labels(out, p);
	if (p->policyvers < FIRST_WITH_NAMED_ATTRIBUTES && !dump_rules(out, p, RULE_LIMIT))
		fprintf(stderr, "sepol-compare: %s: too many rules, compared by random questions only\n",
			image->path);
	allowed = answer_all(out, image, questions, masked);
	if (known)
		copy_file(out, known);
	text_close(text, out);
	return allowed;
}

static int compare_images(char **path, const struct wish *wish)
{
	struct image image[2];
	struct text questions, text[2];
	unsigned long count;
	unsigned int allowed;
	int i;

	for (i = 0; i < 2; i++)
		read_image(&image[i], path[i]);
	random_state = wish->seed * 0x9e3779b97f4a7c15 + 1;
	make_questions(&questions, &image[0].db->p, wish->questions);
	allowed = describe(&text[0], &image[0], &questions, wish->masked, wish->known);
	describe(&text[1], &image[1], &questions, wish->masked, NULL);
	count = compare_sorted(&text[0], &text[1], wish->limit);
	if (count > wish->limit)
		printf("... %lu more\n", count - wish->limit);
	printf("sepol-compare: seed %" PRIu64 ", %zu questions, %u with something allowed, "
	       "%lu differences\n", wish->seed, questions.n, allowed, count);
	for (i = 0; i < 2; i++) {
		free_image(&image[i]);
		free(text[i].line);
		free(text[i].all);
	}
	free(questions.line);
	free(questions.all);
	return count ? 1 : 0;
}

static int only_read(char **paths)
{
	struct image image;

	for (; *paths; paths++) {
		read_image(&image, *paths);
		free_image(&image);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const char usage[] = "usage: sepol-compare [-m] [-n QUESTIONS] [-s SEED] [-l LIMIT] "
				    "[-x KNOWN] A B\n"
				    "       sepol-compare -r IMAGE...\n";
	struct wish wish = { .questions = 200, .seed = 1, .limit = 40 };
	int option, read_only = 0;

	while ((option = getopt(argc, argv, "mn:s:l:x:r")) != -1) {
		if (option == 'm')
			wish.masked = 1;
		else if (option == 'n')
			wish.questions = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 's')
			wish.seed = strtoull(optarg, NULL, 10);
		else if (option == 'l')
			wish.limit = strtoul(optarg, NULL, 10);
		else if (option == 'x')
			wish.known = optarg;
		else if (option == 'r')
			read_only = 1;
		else
			argc = 0;
	}
	if (argc - optind < 1 || (!read_only && argc - optind != 2)) {
		fputs(usage, stderr);
		return 2;
	}
	sepol_debug(0);
	if (read_only)
		return only_read(argv + optind);
	return compare_images(argv + optind, &wish);
}
