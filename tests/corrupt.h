/* Where a reader of ours and libsepol decide differently about a damaged image, and why. */
#ifndef TESTS_CORRUPT_H
#define TESTS_CORRUPT_H

#include <stdbool.h>

/* libsepol validates what it has read from 3.5 on; one that knows this version surely does. */
enum { SEPOL_VALIDATES_SURELY = 34 };

static const struct reason {
	bool we_accept;   /* and libsepol does not; else the other way round */
	bool old;         /* only a libsepol that may not validate */
	const char *text; /* part of our error, or of what libsepol says first */
	const char *why;
} reasons[] = {
	{false, false, "control character", "names have none; libsepol has the check after 3.11"},
	{false, false, "an empty set with", "libsepol does not look at the count of an empty set"},
	{false, false, "invalid-symbol: role `object_r`", "libsepol knows object_r and skips what an image says of it"},
	{false, false, "has the default_", "libsepol keeps eight bits of a default"},
	{false, false, "and the policy is not MLS", "libsepol does not look at levels of a policy without MLS"},
	{false, false, "has the properties", "libsepol does not look at unknown properties of types"},
	{false, false, "alias mark", "libsepol takes any mark but 0 for that of an alias"},
	{false, false, "has bounds", "libsepol does not look at bounds of aliases"},
	{false, false, "for an attribute, which is none", "libsepol lets a type have types for attributes"},
	{false, false, "is without itself", "libsepol adds a type to its row of the attribute map"},
	{false, false, "invalid-label: port", "libsepol keeps 16 bits of a port and eight of a protocol"},
	{false, false, "a rule of the kinds", "before version 20 libsepol does not look at unknown kinds"},
	{false, true, "invalid-", "libsepol before 3.5 does not validate what it has read"},
	{false, true, "values up to", "libsepol before 3.5 takes any size for a table"},
	{false, true, "has the value", "libsepol before 3.5 lets permissions share a value"},
	{false, true, "entries cannot be in", "libsepol before 3.5 does not look at counts"},
	{false, true, "and is no type", "libsepol before 3.5 does not look at rows of the attribute map"},
	{false, true, "is not the level", "libsepol before 3.5 does not look at the categories of aliases"},
	{false, true, "with the state", "libsepol before 3.5 does not look at states of conditionals"},
	{true, false, "Invalid constraint expr", "after 3.11 libsepol takes bits beyond the permissions, as we do"},
	{false, false, "unknown configuration bits", "libsepol does not look at unknown bits"},
};

#endif
