#include "base/diag.h"

#include <string.h>

/* The finding that the last record is or belongs to. */
static struct diag *last_finding(struct diags *diags)
{
	uint32_t last = diag_last(diags);

	return last == DIAG_NONE ? NULL : &diags->list.at[last];
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
	count = severity == SEV_ERROR ? &diags->errors : severity == SEV_WARNING ? &diags->warnings : &diags->remarks;
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
		.under = diags->under,
		.order = order,
	};
	if (diags->under)
		diag_note(diags, LOC_NONE, "under policy `%s`", diags->under);
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

/* ---- settings ---- */

void diags_set(struct diags *diags, const char *check, enum diag_level level)
{
	*vec_push(&diags->settings) = (struct diag_setting){check, level};
}

static const struct diag_setting *setting_of(const struct diags *diags, const char *check)
{
	for (uint32_t i = diags->settings.n; i; i--)
		if (!strcmp(diags->settings.at[i - 1].check, check))
			return &diags->settings.at[i - 1];
	return NULL;
}

bool diag_demoted(const struct diags *diags, const char *check)
{
	const struct diag_setting *setting = setting_of(diags, check);

	return setting && setting->level == DIAG_DEMOTED;
}

bool diag_silenced(const struct diags *diags, const char *check)
{
	const struct diag_setting *setting = setting_of(diags, check);

	return setting && setting->level == DIAG_SILENT;
}

DIAG_FMT(6, 0)
static void add_lesser(struct diags *diags, enum severity severity, bool werror, const char *check, struct loc loc,
		       const char *fmt, va_list args)
{
	const struct diag_setting *setting = setting_of(diags, check);
	enum diag_level level = setting ? setting->level : DIAG_DEFAULT;

	if (level == DIAG_DEFAULT)
		level = werror ? DIAG_ERROR : DIAG_WARNING;
	if (level == DIAG_SILENT) {
		diags->dropping = true;
		return;
	}
	if (level == DIAG_ERROR && diags->promoted < UINT32_MAX)
		diags->promoted++;
	add_finding(diags, level == DIAG_ERROR ? SEV_ERROR : severity, check, loc, fmt, args);
}

/* ---- recording ---- */

void diag_error(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_finding(diags, diag_demoted(diags, check) ? SEV_WARNING : SEV_ERROR, check, loc, fmt, args);
	va_end(args);
}

void diag_warning(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_lesser(diags, SEV_WARNING, false, check, loc, fmt, args);
	va_end(args);
}

void diag_source_warning(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_lesser(diags, SEV_WARNING, diags->werror, check, loc, fmt, args);
	va_end(args);
}

void diag_remark(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_lesser(diags, SEV_REMARK, false, check, loc, fmt, args);
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

uint32_t diag_last(const struct diags *diags)
{
	if (diags->dropping || !diags->list.n)
		return DIAG_NONE;
	return diags->list.at[diags->list.n - 1].order;
}

void diag_again(struct diags *diags, uint32_t finding, uint32_t n)
{
	if (finding < diags->list.n)
		diags->list.at[finding].again += n;
}

void diags_move(struct diags *to, struct diags *from)
{
	uint32_t shift = to->list.n;

	for (uint32_t i = 0; i < from->list.n; i++) {
		struct diag *copy = vec_push(&to->list);

		*copy = from->list.at[i];
		copy->text = arena_strndup(&to->arena, copy->text, strlen(copy->text));
		copy->order += shift;
	}
	to->errors += from->errors;
	to->warnings += from->warnings;
	to->remarks += from->remarks;
	to->promoted += from->promoted;
	to->dropping = false;
	arena_free(&from->arena);
	vec_free(&from->list);
	from->errors = from->warnings = from->remarks = from->promoted = 0;
}

void diags_free(struct diags *diags)
{
	arena_free(&diags->arena);
	vec_free(&diags->list);
	vec_free(&diags->settings);
	*diags = (struct diags){0};
}
