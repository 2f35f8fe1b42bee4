/*
 * The first process of a kernel that is booted to tell what it knows, by
 * run.sh for kernel-profile.sh.  Loads /policy, copies of selinuxfs what
 * `policy-query kernel-profile` reads to /fs and what the kernel said of the
 * policy to /log, and stops the machine.  Must be linked statically.
 */
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

enum {
	PATH_SIZE = 1024,
	FILE_SIZE = 4 << 20,
	MAX_DEPTH = 4,
	/* klogctl() has no names for its actions. */
	LOG_READ_ALL = 3,
	LOG_CLEAR = 5,
	LOG_SIZE = 10,
};

static char data[FILE_SIZE];

/* Opened before the policy is loaded: it may have no context for a new file. */
static FILE *report;

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

static size_t read_file(const char *path)
{
	size_t size = 0;
	ssize_t got;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		give_up(path);
	while ((got = read(fd, data + size, sizeof data - size)) > 0)
		size += (size_t)got;
	close(fd);
	return size;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		give_up(path);
	close(fd);
}

static void copy(const char *from, const char *to, int depth)
{
	char a[PATH_SIZE], b[PATH_SIZE];
	struct dirent *entry;
	DIR *dir = opendir(from);

	if (!dir && errno == ENOTDIR) {
		write_file(to, data, read_file(from));
		return;
	}
	if (!dir || depth > MAX_DEPTH || (mkdir(to, 0755) && errno != EEXIST))
		give_up(from);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(a, sizeof a, "%.*s/%s", PATH_SIZE / 2, from, entry->d_name);
		snprintf(b, sizeof b, "%.*s/%s", PATH_SIZE / 2, to, entry->d_name);
		copy(a, b, depth + 1);
	}
	closedir(dir);
}

static void load_policy(void)
{
	size_t size = read_file("/policy");
	int fd = open("/selinux/load", O_WRONLY), error = 0;

	klogctl(LOG_CLEAR, NULL, 0);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		error = errno;
	close(fd);
	if (error)
		fprintf(report, "refused: %s\n", strerror(error));
}

static void save_log(void)
{
	int size = klogctl(LOG_SIZE, NULL, 0);
	char *log = malloc((size_t)(size > 0 ? size : 0) + 1);

	if (!log)
		give_up("memory");
	size = klogctl(LOG_READ_ALL, log, size > 0 ? size : 0);
	write_file("/log", log, size > 0 ? (size_t)size : 0);
}

int main(void)
{
	static const char *const shown[] = { "policyvers", "policy_capabilities", "initial_contexts", "class" };
	char from[64], to[64];

	if (getpid() != 1) {
		fputs("init: only for the kernel that run.sh boots\n", stderr);
		return 2;
	}
	report = fopen("/report", "w");
	if (!report || mkdir("/fs", 0755))
		give_up("output");
	if (mkdir("/selinux", 0700) && errno != EEXIST)
		give_up("/selinux");
	if (mount("selinuxfs", "/selinux", "selinuxfs", 0, NULL))
		give_up("mount selinuxfs");
	load_policy();
	save_log();
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		snprintf(from, sizeof from, "/selinux/%s", shown[i]);
		snprintf(to, sizeof to, "/fs/%s", shown[i]);
		copy(from, to, 0);
	}
	fputs("done\n", report);
	stop();
}
