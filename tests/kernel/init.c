/*
 * The first process of a kernel that is booted to judge one policy, by run.sh.
 * Loads /policy into the kernel, answers /queries from it, saves the policy as
 * the kernel writes it, and stops the machine.  Must be linked statically.
 *
 * A query is a line of words; blank lines and those that begin with # are
 * skipped.  policy-query batch answers the same queries:
 *
 *   access SOURCE TARGET CLASS            allowed, auditallow, auditdeny, flags (hex)
 *   context CONTEXT                       the context as the kernel writes it
 *   create SOURCE TARGET CLASS [NAME]     the context of a new object
 *   member, relabel SOURCE TARGET CLASS   the context of a member, of a change
 *   validatetrans OLD NEW CLASS TASK      ok
 *   class CLASS                           its number, then NUMBER:PERMISSION...
 *   bool NAME                             active and pending value
 *   setbool NAME 0|1                      ok
 *
 * /answers gets one line for each, "error ERRNO" when the kernel refuses, as in
 * "error EINVAL"; /report what happened; it ends with "done" when all went well.
 */
#define _GNU_SOURCE /* strerrorname_np() */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#define FS "/selinux/"

enum {
	MAX_WORDS = 6,
	MAX_PERMS = 32,
	REPLY_SIZE = 16384,
	PATH_SIZE = 512,
	/* klogctl() has no names for its actions. */
	LOG_READ_ALL = 3,
	LOG_CLEAR = 5,
	LOG_SIZE = 10,
};

struct buffer {
	char *data; /* a NUL follows */
	size_t size;
};

/* Opened before the policy is loaded: it may have no context for a new file. */
static FILE *report, *answers, *readback;

static void stop(void)
{
	if (report)
		fclose(report);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static void give_up(const char *what)
{
	if (report)
		fprintf(report, "failed: %s: %s\n", what, strerror(errno));
	stop();
}

static struct buffer read_all(const char *path)
{
	struct buffer b = { NULL, 0 };
	size_t room = 0;
	ssize_t got;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		give_up(path);
	do {
		if (room - b.size < 65536) {
			room = room * 2 + 131072;
			b.data = realloc(b.data, room + 1);
			if (!b.data)
				give_up("memory");
		}
		got = read(fd, b.data + b.size, room - b.size);
		if (got < 0)
			give_up(path);
		b.size += (size_t)got;
	} while (got > 0);
	close(fd);
	b.data[b.size] = '\0';
	return b;
}

/* One write, as the kernel wants it; 0 or the error number. */
static int write_at_once(const char *path, const char *data, size_t size)
{
	int fd = open(path, O_WRONLY), error = 0;

	if (fd < 0)
		return errno;
	if (write(fd, data, size) != (ssize_t)size)
		error = errno ? errno : EIO;
	close(fd);
	return error;
}

/* Request and reply go through one file: 0 or the error number. */
static int ask(const char *node, const char *request, char *reply)
{
	char path[PATH_SIZE];
	ssize_t got = -1;
	int fd, error = 0;

	snprintf(path, sizeof path, FS "%s", node);
	fd = open(path, O_RDWR);
	if (fd < 0)
		return errno;
	if (write(fd, request, strlen(request)) < 0)
		error = errno;
	else if ((got = read(fd, reply, REPLY_SIZE - 1)) < 0)
		error = errno;
	close(fd);
	if (!error)
		reply[got] = '\0';
	return error;
}

/* The kernel knows classes by number: the policy's own. */
static int class_number(const char *name, unsigned long *number)
{
	char path[PATH_SIZE], text[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, FS "class/%s/index", name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return errno;
	got = read(fd, text, sizeof text - 1);
	close(fd);
	if (got <= 0)
		return EIO;
	text[got] = '\0';
	*number = strtoul(text, NULL, 10);
	return 0;
}

/* ---- queries ---- */

static int ask_with_class(const char *node, char **word, int n, char *reply)
{
	char request[REPLY_SIZE];
	unsigned long class = 0;
	int length, error = class_number(word[3], &class);

	if (error)
		return error;
	length = snprintf(request, sizeof request, "%s %s %lu%s%s", word[1], word[2], class,
			  n > 4 ? " " : "", n > 4 ? word[4] : "");
	if (length < 0 || (size_t)length >= sizeof request)
		return E2BIG;
	return ask(node, request, reply);
}

static int answer_access(char **word, int n, char *reply)
{
	unsigned long field[6];
	char *p = reply;
	int i, error = ask_with_class("access", word, n, reply);

	if (error)
		return error;
	/* allowed, decided, auditallow, auditdeny, sequence number, flags */
	for (i = 0; i < 6; i++)
		field[i] = strtoul(p, &p, i == 4 ? 10 : 16);
	snprintf(reply, REPLY_SIZE, "%08lx %08lx %08lx %lx", field[0], field[2], field[3], field[5]);
	return 0;
}

static int answer_context(char **word, int n, char *reply)
{
	(void)n;
	return ask("context", word[1], reply);
}

/* create, member and relabel: the file has the name of the query. */
static int answer_compute(char **word, int n, char *reply)
{
	return ask_with_class(word[0], word, n, reply);
}

static int answer_validatetrans(char **word, int n, char *reply)
{
	char request[REPLY_SIZE];
	unsigned long class = 0;
	int length, error = class_number(word[3], &class);

	(void)n;
	if (error)
		return error;
	length = snprintf(request, sizeof request, "%s %s %lu %s", word[1], word[2], class, word[4]);
	if (length < 0 || (size_t)length >= sizeof request)
		return E2BIG;
	strcpy(reply, "ok");
	return write_at_once(FS "validatetrans", request, (size_t)length);
}

/* A small file, without its newline; 0 or the error number. */
static int read_line(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		return errno;
	got = read(fd, text, size - 1);
	close(fd);
	if (got < 0)
		return EIO;
	text[got] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

/* The directory has the permissions in no order. */
static int list_perms(const char *class, char *reply)
{
	char path[PATH_SIZE], text[32], *names[MAX_PERMS + 1] = { NULL };
	size_t length = strlen(reply);
	struct dirent *entry;
	DIR *dir;
	int i;

	snprintf(path, sizeof path, FS "class/%s/perms", class);
	dir = opendir(path);
	if (!dir)
		return errno;
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof path, FS "class/%s/perms/%s", class, entry->d_name);
		if (entry->d_name[0] == '.' || read_line(path, text, sizeof text))
			continue;
		i = atoi(text);
		if (i > 0 && i <= MAX_PERMS && !names[i])
			names[i] = strdup(entry->d_name);
	}
	closedir(dir);
	for (i = 1; i <= MAX_PERMS; i++) {
		if (names[i] && length < REPLY_SIZE)
			length += (size_t)snprintf(reply + length, REPLY_SIZE - length, " %d:%s", i, names[i]);
		free(names[i]);
	}
	return 0;
}

static int answer_class(char **word, int n, char *reply)
{
	unsigned long class = 0;
	int error = class_number(word[1], &class);

	(void)n;
	if (error)
		return error;
	snprintf(reply, REPLY_SIZE, "%lu", class);
	return list_perms(word[1], reply);
}

static int answer_bool(char **word, int n, char *reply)
{
	char path[PATH_SIZE];

	(void)n;
	snprintf(path, sizeof path, FS "booleans/%s", word[1]);
	return read_line(path, reply, REPLY_SIZE);
}

static int answer_setbool(char **word, int n, char *reply)
{
	char path[PATH_SIZE];
	int error;

	(void)n;
	snprintf(path, sizeof path, FS "booleans/%s", word[1]);
	error = write_at_once(path, word[2], strlen(word[2]));
	strcpy(reply, "ok");
	return error ? error : write_at_once(FS "commit_pending_bools", "1", 1);
}

static const struct {
	const char *name;
	int least, most;
	int (*answer)(char **word, int n, char *reply);
} queries[] = {
	{ "access", 4, 4, answer_access },
	{ "context", 2, 2, answer_context },
	{ "create", 4, 5, answer_compute },
	{ "member", 4, 4, answer_compute },
	{ "relabel", 4, 4, answer_compute },
	{ "validatetrans", 5, 5, answer_validatetrans },
	{ "class", 2, 2, answer_class },
	{ "bool", 2, 2, answer_bool },
	{ "setbool", 3, 3, answer_setbool },
};

static int split(char *line, char **word)
{
	int n = 0;

	for (;;) {
		line += strspn(line, " \t");
		if (!*line || n == MAX_WORDS)
			return n;
		word[n++] = line;
		line += strcspn(line, " \t");
		if (*line)
			*line++ = '\0';
	}
}

static void answer_line(char **word, int n)
{
	char reply[REPLY_SIZE];
	size_t i;

	for (i = 0; i < sizeof queries / sizeof *queries; i++) {
		int error;

		if (strcmp(word[0], queries[i].name) || n < queries[i].least || n > queries[i].most)
			continue;
		error = queries[i].answer(word, n, reply);
		if (error)
			fprintf(answers, "error %s\n", strerrorname_np(error));
		else
			fprintf(answers, "%s\n", reply);
		return;
	}
	fprintf(answers, "error not-a-query\n");
}

static void answer_all(void)
{
	char *word[MAX_WORDS], *line = read_all("/queries").data, *end;
	unsigned long count = 0;

	for (; *line; line = end) {
		int n;

		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		n = split(line, word);
		if (n && word[0][0] != '#') {
			answer_line(word, n);
			count++;
		}
	}
	if (fclose(answers))
		give_up("/answers");
	fprintf(report, "queries: %lu\n", count);
}

/* ---- the policy ---- */

/* What the kernel has to say about the policy. */
static void copy_log(void)
{
	int size = klogctl(LOG_SIZE, NULL, 0);
	char *log = malloc((size_t)(size > 0 ? size : 0) + 1), *line, *end;

	if (!log)
		give_up("memory");
	size = klogctl(LOG_READ_ALL, log, size > 0 ? size : 0);
	log[size > 0 ? size : 0] = '\0';
	for (line = log; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (strstr(line, "SELinux"))
			fprintf(report, "log: %s\n", line);
	}
	free(log);
}

static void load_policy(void)
{
	struct buffer policy = read_all("/policy");
	int error;

	klogctl(LOG_CLEAR, NULL, 0);
	error = write_at_once(FS "load", policy.data, policy.size);
	copy_log();
	if (error) {
		fprintf(report, "refused: %s\n", strerror(error));
		stop();
	}
	fprintf(report, "loaded: %zu bytes\n", policy.size);
	free(policy.data);
}

static void save_policy(void)
{
	struct buffer policy = read_all(FS "policy");

	if (fwrite(policy.data, 1, policy.size, readback) != policy.size || fclose(readback))
		give_up("/readback");
	free(policy.data);
}

int main(void)
{
	/* It loads a policy and switches the machine off. */
	if (getpid() != 1) {
		fputs("init: only for the kernel that run.sh boots\n", stderr);
		return 2;
	}
	report = fopen("/report", "w");
	answers = fopen("/answers", "w");
	readback = fopen("/readback", "wb");
	if (!report || !answers || !readback)
		give_up("output");
	if (mkdir("/selinux", 0700) && errno != EEXIST)
		give_up("/selinux");
	if (mount("selinuxfs", "/selinux", "selinuxfs", 0, NULL))
		give_up("mount selinuxfs");
	load_policy();
	save_policy();
	answer_all();
	fputs("done\n", report);
	stop();
}
