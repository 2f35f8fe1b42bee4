/* Lines of an audit log: the access that a kernel, or a user-space object
 * manager, denied.
 *
 * The forms are those of auditd (type=AVC and type=USER_AVC), of ausearch, raw
 * and interpreted, and of the kernel's log.  Any bytes are taken; what is no
 * denial is no denial. */
#ifndef QUERY_AUDIT_H
#define QUERY_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* A part of the line. */
struct audit_span { const char *at; size_t n; };

struct audit_denial {
	struct audit_span perms;   /* between the braces */
	struct audit_span source, target, class;
	struct audit_span comm;    /* empty: not told; as it stands in the line, see audit_put_value() */
	bool permissive;           /* it was done all the same */
	bool has_ioctl;            /* with its number */
	uint16_t ioctl;
};

/* False when the line, n bytes, is no denial, or lacks one of the first four. */
bool audit_parse(const char *line, size_t n, struct audit_denial *ret);

/* The next permission of a list; false at its end. */
bool audit_next_perm(struct audit_span *list, struct audit_span *ret_perm);

/* A value for people: without its quotes; one that auditd wrote in hexadecimal
 * because of its bytes is decoded. */
void audit_put_value(struct buffer *b, struct audit_span value);

#endif
