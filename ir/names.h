/* Numbers that have names outside of any policy: capabilities, initial SIDs. */
#ifndef IR_NAMES_H
#define IR_NAMES_H

#include <stdint.h>

#include "ir/policy.h"

/* Capabilities by bit (language.md 9.8); NULL beyond the last. */
const char *capability_name(uint32_t bit);
int capability_find(const char *name, uint32_t *ret_bit); /* case-insensitive; 0 found, -1 not */

/* Initial SIDs by number, from 1 (language.md 9.2); NULL beyond the last. */
const char *initial_sid_name(enum policy_target target, uint32_t sid);
uint32_t initial_sid_count(enum policy_target target); /* more than that no reader takes */

#endif
