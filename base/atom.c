#include "base/atom.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_SLOTS = 1 << 11 };

/* Multiply and fold, eight bytes at a time: names are short, and half of all
 * tokens pass here. */
static uint32_t hash_text(const char *text, size_t len)
{
	const uint64_t k = 0x9e3779b97f4a7c15u;
	uint64_t h = len * k, word;

	for (; len >= 8; text += 8, len -= 8) {
		memcpy(&word, text, 8);
		h = (h ^ word) * k;
		h ^= h >> 32;
	}
	if (len >= 4) {
		uint32_t head, tail;

		memcpy(&head, text, 4);
		memcpy(&tail, text + len - 4, 4);
		h = (h ^ (head | (uint64_t)tail << 32)) * k;
	} else if (len) {
		word = (unsigned char)text[0] | (uint64_t)(unsigned char)text[len / 2] << 8 |
		       (uint64_t)(unsigned char)text[len - 1] << 16;
		h = (h ^ word) * k;
	}
	/* Bytes at the end of a word have reached high bits only: fold them once more. */
	h = (h ^ h >> 32) * k;
	return (uint32_t)(h >> 32);
}

void atoms_init(struct atoms *atoms)
{
	memset(atoms, 0, sizeof *atoms);
	atoms->nslots = FIRST_SLOTS;
	atoms->slots = mem_zalloc(atoms->nslots, sizeof *atoms->slots);
	atoms->cap = FIRST_SLOTS / 2;
	atoms->entries = mem_alloc(atoms->cap * sizeof *atoms->entries);
	atoms->entries[ATOM_NONE] = (struct atom_entry){.text = ""};
	atoms->n = 1;
}

void atoms_free(struct atoms *atoms)
{
	arena_free(&atoms->text);
	free(atoms->entries);
	free(atoms->slots);
	memset(atoms, 0, sizeof *atoms);
}

/* The slot that holds the text, or the free one where it belongs. */
static uint32_t *find_slot(const struct atoms *atoms, const char *text, size_t len, uint32_t hash)
{
	uint32_t mask = atoms->nslots - 1, i = hash & mask;

	for (;; i = (i + 1) & mask) {
		const struct atom_entry *e = &atoms->entries[atoms->slots[i]];

		if (!atoms->slots[i])
			break;
		if (e->hash == hash && e->len == len && !memcmp(e->text, text, len))
			break;
	}
	return &atoms->slots[i];
}

/* Entries fill at most half of the slots. */
static void grow(struct atoms *atoms)
{
	uint32_t mask;

	if (atoms->nslots > UINT32_MAX / 2)
		mem_exhausted();
	atoms->cap = atoms->nslots;
	atoms->nslots *= 2;
	mask = atoms->nslots - 1;
	atoms->entries = mem_resize(atoms->entries, atoms->cap * sizeof *atoms->entries);
	free(atoms->slots);
	atoms->slots = mem_zalloc(atoms->nslots, sizeof *atoms->slots);
	for (atom_t a = 1; a < atoms->n; a++) {
		uint32_t i = atoms->entries[a].hash & mask;

		while (atoms->slots[i])
			i = (i + 1) & mask;
		atoms->slots[i] = a;
	}
}

atom_t atom_intern(struct atoms *atoms, const char *text, size_t len)
{
	uint32_t hash = hash_text(text, len);
	uint32_t *slot = find_slot(atoms, text, len, hash);

	if (*slot)
		return *slot;
	if (atoms->n == atoms->cap) {
		grow(atoms);
		slot = find_slot(atoms, text, len, hash);
	}
	atoms->entries[atoms->n] = (struct atom_entry){
		.text = arena_strndup(&atoms->text, text, len),
		.len = (uint32_t)len,
		.hash = hash,
	};
	return *slot = atoms->n++;
}

atom_t atom_find(const struct atoms *atoms, const char *text, size_t len)
{
	return *find_slot(atoms, text, len, hash_text(text, len));
}
