/* Lines of an audit log: what a kernel, or a user-space object manager, denied,
 * granted or could not make.
 *
 * The forms are those of auditd, of ausearch, raw and interpreted, and of the
 * kernel's log.  Any bytes are taken. */
#ifndef QUERY_AUDIT_H
#define QUERY_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* A part of the line. */
struct audit_span { const char *at; size_t n; };

/* The fields that a record of each kind has, in the order of struct audit_record. */
enum audit_kind {
	AUDIT_DENIED,     /* AVC and USER_AVC: source, target, class; permissions */
	AUDIT_GRANTED,    /* the same, of an auditallow rule */
	AUDIT_BOUNDS,     /* permissions that the bounds of the source type took away: as AUDIT_DENIED */
	AUDIT_COMPUTED,   /* source, target, class; the context computed of them, which is not valid */
	AUDIT_TRANSITION, /* validatetrans: old and new context, class; that of the task */
	AUDIT_BOUNDED,    /* a process may not change to a type that is not bounded by its own: old and new context */
	AUDIT_CONTEXT,    /* a context that is not valid, of a file or a process that sets it; nothing else */
};

struct audit_record {
	enum audit_kind kind;
	struct audit_span at;       /* the record, from its permissions, or what names its kind */
	struct audit_span source, target, class;
	struct audit_span context;  /* the third one */
	struct audit_span perms;    /* with blanks or commas between */
	struct audit_span comm;     /* empty: not told */
	struct audit_span raw[2];   /* source and target: the text that was not valid, for which it stands; or empty */
	bool permissive;            /* it was done all the same */
	uint8_t base;               /* of the extended permission, enum xperm_base; 0: none told */
	uint16_t number;
	const char *missing;        /* of a record that is damaged: the part that is not there; else NULL */
};

/* Cuts the next record from the front of what is left of a line; false when
 * there is none.  Contexts of AUDIT_COMPUTED and AUDIT_CONTEXT, and values of
 * comm and raw, are as they stand: see audit_put_value(). */
bool audit_next(struct audit_span *rest, struct audit_record *ret_record);

/* The next permission of a list; false at its end. */
bool audit_next_perm(struct audit_span *list, struct audit_span *ret_perm);

/* A value for people: without its quotes; one that auditd wrote in hexadecimal
 * because of its bytes is decoded. */
void audit_put_value(struct buffer *b, struct audit_span value);

#endif
