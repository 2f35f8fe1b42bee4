#include "base/diag.h"

/* The finding that the last record is or belongs to. */
static struct diag *last_finding(struct diags *diags)
{
	if (diags->dropping || !diags->list.n)
		return NULL;
	return &diags->list.at[diags->list.at[diags->list.n - 1].order];
}

DIAG_FMT(2, 0)
static const char *format(struct diags *diags, const char *fmt, va_list args)
{
	char text[512], *kept;
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(text, sizeof text, fmt, args);
	if (len < 0)
		len = 0;
	if ((size_t)len < sizeof text) {
		kept = arena_strndup(&diags->arena, text, (size_t)len);
	} else {
		kept = arena_alloc(&diags->arena, (size_t)len + 1);
		vsnprintf(kept, (size_t)len + 1, fmt, again);
	}
	va_end(again);
	return kept;
}

DIAG_FMT(5, 0)
static void add_finding(struct diags *diags, enum severity severity, const char *check, struct loc loc,
			const char *fmt, va_list args)
{
	uint32_t *count, order = diags->list.n;

	/* Each severity has its own limit: no flood of warnings hides an error. */
	count = severity == SEV_ERROR ? &diags->errors : &diags->warnings;
	diags->dropping = *count >= DIAG_KEEP;
	if (*count < UINT32_MAX)
		++*count;
	if (diags->dropping)
		return;
	*vec_push(&diags->list) = (struct diag){
		.severity = severity,
		.check = check,
		.loc = loc,
		.text = format(diags, fmt, args),
		.order = order,
	};
}

/* Notes have the order of their finding. */
DIAG_FMT(4, 0)
static void add_note(struct diags *diags, enum severity severity, struct loc loc, const char *fmt, va_list args)
{
	struct diag *finding = last_finding(diags);
	uint32_t order;

	if (!finding)
		return;
	finding->nnotes++;
	order = finding->order;
	*vec_push(&diags->list) = (struct diag){
		.severity = severity,
		.loc = loc,
		.text = format(diags, fmt, args),
		.order = order,
	};
}

void diag_error(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_finding(diags, SEV_ERROR, check, loc, fmt, args);
	va_end(args);
}

void diag_warning(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_finding(diags, SEV_WARNING, check, loc, fmt, args);
	va_end(args);
}

void diag_source_warning(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_finding(diags, diags->werror ? SEV_ERROR : SEV_WARNING, check, loc, fmt, args);
	va_end(args);
}

void diag_note(struct diags *diags, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_note(diags, SEV_NOTE, loc, fmt, args);
	va_end(args);
}

void diag_hint(struct diags *diags, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_note(diags, SEV_HINT, LOC_NONE, fmt, args);
	va_end(args);
}

void diags_free(struct diags *diags)
{
	arena_free(&diags->arena);
	vec_free(&diags->list);
	*diags = (struct diags){0};
}
