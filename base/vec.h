/* Growable arrays of any element type.
 *
 *	VEC(struct rule) rules = {0};
 *	*vec_push(&rules) = rule;
 *	for (uint32_t i = 0; i < rules.n; i++) use(&rules.at[i]);
 *	vec_free(&rules);
 *
 * vec_push() gives the address of a new, uninitialised last element; it is
 * good until the next push. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define VEC(T) struct { T *at; uint32_t n, cap; }

#define vec_push(v) \
	((v)->n < (v)->cap ? (void)0 : (void)((v)->at = vec_grow((v)->at, &(v)->cap, sizeof *(v)->at)), \
	 &(v)->at[(v)->n++])

#define vec_reserve(v, want) \
	((want) <= (v)->cap ? (void)0 : \
	 (void)((v)->at = vec_resize((v)->at, &(v)->cap, (want), sizeof *(v)->at)))

#define vec_free(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

void *vec_grow(void *at, uint32_t *cap, size_t size);
void *vec_resize(void *at, uint32_t *cap, uint32_t want, size_t size);

#endif
