/* A profile from a running kernel.
 *
 * selinuxfs shows the kernel's newest version, its capabilities and its initial
 * SIDs.  Its classes are those of the loaded policy; the kernel's own it names
 * only in its log, where the policy lacks them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ir/names.h"
#include "kernel/profile.h"

enum {
	OLDEST = 15,      /* what all kernels read */
	BOUNDS = 3,       /* POLICYDB_BOUNDS_MAXDEPTH, less one for the loop */
	MAX_ENTRIES = 4096,
	MAX_NAME = 255,
};

/* A permission of this name is there only because a class must have one. */
static const char placeholder[] = "kernel_profile_probe";

struct probe {
	struct kernel_profile *profile;
	struct diags *diags;
	bool good;
};

static void fail(struct probe *p, const char *what)
{
	diag_error(p->diags, "kernel-profile", LOC_NONE, "cannot read %s: %s", what, strerror(errno));
	p->good = false;
}

static const char *keep(struct probe *p, const char *name)
{
	return arena_strndup(&p->profile->arena, name, strlen(name));
}

/* ---- files and directories ---- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of a directory, sorted; kept by the profile. */
typedef VEC(const char *) name_list;

static bool fits(const char *name)
{
	size_t len = strlen(name);

	return len && len <= MAX_NAME && !strpbrk(name, " \t\r\n#{}");
}

static void list_directory(struct probe *p, int at, const char *path, name_list *ret_names)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		fail(p, path);
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir)) != NULL && ret_names->n < MAX_ENTRIES)
		if (entry->d_name[0] != '.' && fits(entry->d_name))
			*vec_push(ret_names) = keep(p, entry->d_name);
	closedir(dir);
	if (ret_names->n)
		qsort(ret_names->at, ret_names->n, sizeof *ret_names->at, compare_names);
}

static bool read_number(int at, const char *path, uint32_t max, uint32_t *ret_number)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	char text[32], *end;
	unsigned long number;
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	number = strtoul(text, &end, 10);
	if (end == text || number > max)
		return false;
	*ret_number = (uint32_t)number;
	return true;
}

/* ---- what selinuxfs shows ---- */

static void probe_capabilities(struct probe *p, int at)
{
	name_list names = {0};

	list_directory(p, at, "policy_capabilities", &names);
	for (uint32_t i = 0; i < names.n; i++)
		*vec_push(&p->profile->capabilities) = names.at[i];
	vec_free(&names);
}

static void probe_sids(struct probe *p, int at)
{
	name_list names = {0};

	list_directory(p, at, "initial_contexts", &names);
	for (uint32_t i = 0; i < names.n; i++)
		for (uint32_t sid = 1; sid < KERNEL_MAX_SIDS && sid <= initial_sid_count(POLICY_SELINUX); sid++)
			if (!strcmp(initial_sid_name(POLICY_SELINUX, sid), names.at[i]))
				p->profile->sids[sid] = names.at[i];
	vec_free(&names);
}

static struct kernel_class *class_of(struct probe *p, const char *name)
{
	for (uint32_t i = 0; i < p->profile->classes.n; i++)
		if (!strcmp(p->profile->classes.at[i].name, name))
			return &p->profile->classes.at[i];
	*vec_push(&p->profile->classes) = (struct kernel_class){.name = name};
	return &p->profile->classes.at[p->profile->classes.n - 1];
}

static void add_perm(struct kernel_class *class, const char *perm)
{
	if (!kernel_class_has(class, perm) && class->nperms < KERNEL_MAX_PERMS && strcmp(perm, placeholder) != 0)
		class->perms[class->nperms++] = perm;
}

/* Permissions in the order of their values, which is that of the policy. */
static void probe_perms(struct probe *p, int at, const char *name)
{
	const char *by_value[KERNEL_MAX_PERMS] = {NULL};
	char path[MAX_NAME + 16];
	name_list names = {0};
	struct kernel_class *class = class_of(p, name);
	int perms;

	snprintf(path, sizeof path, "%s/perms", name);
	list_directory(p, at, path, &names);
	perms = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t value;

		if (read_number(perms, names.at[i], KERNEL_MAX_PERMS, &value) && value)
			by_value[value - 1] = names.at[i];
	}
	for (uint32_t i = 0; i < KERNEL_MAX_PERMS; i++)
		if (by_value[i])
			add_perm(class, by_value[i]);
	if (perms >= 0)
		close(perms);
	vec_free(&names);
}

static void probe_classes(struct probe *p, int at)
{
	int classes = openat(at, "class", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	name_list names = {0};

	list_directory(p, at, "class", &names);
	for (uint32_t i = 0; i < names.n && classes >= 0; i++)
		probe_perms(p, classes, names.at[i]);
	if (classes >= 0)
		close(classes);
	vec_free(&names);
}

/* ---- what the log says ---- */

/* The word behind a text in a line, kept; NULL when it does not occur. */
static const char *word_after(struct probe *p, const char *line, size_t len, const char *text)
{
	const char *at = memmem(line, len, text, strlen(text)), *end = line + len, *stop;

	if (!at)
		return NULL;
	at += strlen(text);
	for (stop = at; stop < end && *stop != ' '; stop++)
		;
	return stop == at ? NULL : arena_strndup(&p->profile->arena, at, (size_t)(stop - at));
}

static void read_log_line(struct probe *p, const char *line, size_t len)
{
	const char *class, *perm;

	if (!memmem(line, len, "SELinux:", 8) || !memmem(line, len, "not defined in policy", 21))
		return;
	perm = word_after(p, line, len, "SELinux:  Permission ");
	class = word_after(p, line, len, perm ? " in class " : "SELinux:  Class ");
	if (!class || !fits(class) || (perm && !fits(perm)))
		return;
	if (perm)
		add_perm(class_of(p, class), perm);
	else
		class_of(p, class);
}

static void read_log(struct probe *p, const struct source *log)
{
	const char *end = log->text + log->size;

	for (const char *line = log->text, *stop; line < end; line = stop + 1) {
		stop = memchr(line, '\n', (size_t)(end - line));
		if (!stop)
			stop = end;
		read_log_line(p, line, (size_t)(stop - line));
	}
}

/* The list is the kernel's own when the policy was made to find it out: it has
 * the classes with the placeholder alone, and the log says what they lack. */
static void judge_classes(struct probe *p, int at, bool logged)
{
	struct kernel_profile *all = p->profile;
	char path[MAX_NAME + 64];
	uint32_t value;

	all->partial = !logged;
	for (uint32_t i = 0; i < all->classes.n && !all->partial; i++) {
		const char *name = all->classes.at[i].name;

		if (!strcmp(name, "process"))
			continue;
		snprintf(path, sizeof path, "class/%s/perms/%s", name, placeholder);
		all->partial = !read_number(at, path, UINT16_MAX, &value);
	}
}

bool kernel_profile_probe(struct kernel_profile *ret_profile, const char *directory, const struct source *log,
			  struct diags *diags)
{
	struct probe p = {ret_profile, diags, true};
	int at = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ret_profile->name = "this kernel";
	ret_profile->oldest = OLDEST;
	ret_profile->bounds = BOUNDS;
	if (at < 0) {
		fail(&p, directory);
		return false;
	}
	if (!read_number(at, "policyvers", UINT16_MAX, &ret_profile->newest))
		fail(&p, "policyvers");
	probe_capabilities(&p, at);
	probe_sids(&p, at);
	probe_classes(&p, at);
	if (log)
		read_log(&p, log);
	judge_classes(&p, at, log != NULL);
	close(at);
	return p.good;
}
