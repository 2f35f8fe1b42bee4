/* The index of names. */
#include "security/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- hashing ---- */

static uint64_t load(const char *text, size_t len)
{
	uint64_t word = 0;

	memcpy(&word, text, len);
	return word;
}

/* Names are short: two words that may overlap hold one of up to 16 bytes. */
static uint32_t hash_name(const char *text, size_t len)
{
	const uint64_t k = 0x9e3779b97f4a7c15u;
	uint64_t h = len * k;

	for (; len > 16; text += 8, len -= 8) {
		h = (h ^ load(text, 8)) * k;
		h ^= h >> 32;
	}
	if (len >= 8) {
		h = (h ^ load(text, 8)) * k;
		h ^= h >> 32;
		h ^= load(text + len - 8, 8);
	} else if (len >= 4) {
		h ^= load(text, 4) << 32 | load(text + len - 4, 4);
	} else if (len) {
		h ^= (uint64_t)(unsigned char)text[0] << 16 | (uint64_t)(unsigned char)text[len / 2] << 8 |
		     (unsigned char)text[len - 1];
	}
	h *= k;
	return (uint32_t)(h >> 32);
}

/* ---- tables ---- */

void name_table_init(struct name_table *table, uint32_t names)
{
	uint32_t slots = 8;

	while (slots < 2 * names)
		slots *= 2;
	table->slots = mem_zalloc(slots, sizeof *table->slots);
	table->mask = slots - 1;
}

/* The slot of a name, or a free one. */
static struct name_slot *find_slot(const struct name_table *table, const char *text, size_t len, uint32_t hash)
{
	uint32_t i = hash & table->mask;

	while (table->slots[i].name &&
	       (table->slots[i].hash != hash || table->slots[i].len != len || memcmp(table->slots[i].name, text, len) != 0))
		i = (i + 1) & table->mask;
	return &table->slots[i];
}

void name_table_add(struct name_table *table, const char *name, uint32_t value)
{
	uint32_t len, hash;
	struct name_slot *slot;

	if (!name) /* a gap */
		return;
	len = (uint32_t)strlen(name);
	hash = hash_name(name, len);
	slot = find_slot(table, name, len, hash);
	if (!slot->name)
		*slot = (struct name_slot){name, len, hash, value};
}

uint32_t name_table_find(const struct name_table *table, const char *text, size_t len)
{
	return find_slot(table, text, len, hash_name(text, len))->value;
}

uint32_t security_find(const struct security *security, enum security_kind kind, const char *text, size_t len)
{
	return name_table_find(&security->names[kind], text, len);
}

/* ---- the names of a policy ---- */

#define ADD_SYMBOLS(table, symbols) \
	do { \
		for (uint32_t v = 1; v <= (symbols).n; v++) \
			name_table_add(table, (symbols).at[v].name, v); \
	} while (0)

static void add_aliases(struct name_table *table, const struct policy_alias *aliases, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		name_table_add(table, aliases[i].name, aliases[i].value);
}

static void index_names(struct security *s)
{
	const struct policy *p = s->policy;

	name_table_init(&s->names[SECURITY_USER], p->users.n);
	ADD_SYMBOLS(&s->names[SECURITY_USER], p->users);
	name_table_init(&s->names[SECURITY_ROLE], p->roles.n);
	ADD_SYMBOLS(&s->names[SECURITY_ROLE], p->roles);
	name_table_init(&s->names[SECURITY_TYPE], p->types.n + p->type_aliases.n);
	ADD_SYMBOLS(&s->names[SECURITY_TYPE], p->types);
	add_aliases(&s->names[SECURITY_TYPE], p->type_aliases.at, p->type_aliases.n);
	name_table_init(&s->names[SECURITY_SENS], p->sens.n + p->sens_aliases.n);
	ADD_SYMBOLS(&s->names[SECURITY_SENS], p->sens);
	add_aliases(&s->names[SECURITY_SENS], p->sens_aliases.at, p->sens_aliases.n);
	name_table_init(&s->names[SECURITY_CAT], p->cats.n + p->cat_aliases.n);
	ADD_SYMBOLS(&s->names[SECURITY_CAT], p->cats);
	add_aliases(&s->names[SECURITY_CAT], p->cat_aliases.at, p->cat_aliases.n);
}

struct security *security_new(const struct policy *policy)
{
	struct security *s = mem_zalloc(1, sizeof *s);

	s->policy = policy;
	index_names(s);
	return s;
}

void security_free(struct security *s)
{
	if (!s)
		return;
	for (int kind = 0; kind < SECURITY_KINDS; kind++)
		free(s->names[kind].slots);
	free(s);
}

const struct policy *security_policy(const struct security *s)
{
	return s->policy;
}
