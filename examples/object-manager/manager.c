/* manager POLICY: an object manager in small.  It keeps windows and asks
 * libpolicy-avc who may do what to them.  Requests come on standard input:
 *
 *   show|read SOURCE TARGET   granted or refused
 *   crowd SOURCE TARGET       four threads ask for both, a thousand times each
 *   set|clear BOOLEAN         changes the policy in use
 *   reload POLICY             puts another one in its place
 *
 * cc manager.c $(pkg-config --cflags --libs policy-avc) -pthread -o manager */
#include <policy-avc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The numbers are the order here, whatever they are in the policy. */
enum { WINDOW = 1, WINDOW_SHOW = 1, WINDOW_READ = 2 };
static const struct avc_class classes[] = {{"window", {"show", "read", NULL}}};

static void on_audit(void *unused, const struct avc_event *e)
{
	(void)unused;
	printf("audit: %s, %s to %s %s, 0x%x denied 0x%x\n", e->refused ? "refused" : "granted", e->source, e->class_name,
	       e->target, e->requested, e->denied);
}

static void on_change(void *unused, uint64_t generation)
{
	(void)unused;
	printf("changed: what clients hold open wants a new check (%llu)\n", (unsigned long long)generation);
}

struct worker { struct avc *avc; avc_sid source, target; int granted; pthread_t id; };

static void *work(void *data) /* each thread has a handle of its own */
{
	struct worker *w = data;
	struct avc_thread *thread = avc_thread_new(w->avc);

	for (int i = 0; thread && i < 1000; i++)
		w->granted += !avc_has_perm(thread, w->source, w->target, WINDOW, WINDOW_SHOW | WINDOW_READ, NULL);
	avc_thread_free(thread);
	return NULL;
}

static int crowd(struct avc *avc, avc_sid source, avc_sid target)
{
	struct worker w[4] = {{0}};
	int n = 0, granted = 0;

	for (; n < 4; n++) {
		w[n] = (struct worker){.avc = avc, .source = source, .target = target};
		if (pthread_create(&w[n].id, NULL, work, &w[n]))
			break;
	}
	while (n--) {
		pthread_join(w[n].id, NULL);
		granted += w[n].granted;
	}
	return granted;
}

static void serve(struct avc *avc, struct avc_thread *thread, const char *verb, const char *a, const char *b)
{
	const struct avc_image image = {.path = a};
	const bool value = !strcmp(verb, "set");
	avc_sid source, target;
	char *error = NULL;

	if (value || !strcmp(verb, "clear")) {
		if (avc_set_bools(avc, &a, &value, 1))
			puts("no such boolean");
	} else if (!strcmp(verb, "reload")) {
		if (avc_reload(avc, &image, 1, &error)) /* the policy in use stays */
			printf("not loaded: %s", error ? error : "no reason\n");
		free(error);
	} else if (avc_context_to_sid(thread, a, &source) || avc_context_to_sid(thread, b, &target)) {
		puts("not a context of this policy");
	} else if (!strcmp(verb, "crowd")) {
		printf("%d granted\n", crowd(avc, source, target));
	} else {
		uint32_t perm = avc_perm_bit(avc, WINDOW, verb);

		puts(!perm || avc_has_perm(thread, source, target, WINDOW, perm, NULL) ? "refused" : "granted");
	}
}

int main(int argc, char **argv)
{
	const struct avc_options options = {.classes = classes, .nclasses = 1, .audit = on_audit, .changed = on_change};
	const struct avc_image image = {.path = argv[argc - 1]};
	char *error, line[600], verb[16], a[256], b[256];
	struct avc_thread *thread;
	struct avc *avc;

	if (argc != 2)
		return 2;
	if (avc_open(&avc, &image, 1, &options, &error)) {
		fputs(error ? error : "manager: cannot open the policy\n", stderr);
		free(error);
		return 1;
	}
	thread = avc_thread_new(avc);
	while (thread && fgets(line, sizeof line, stdin)) {
		int n = sscanf(line, "%15s %255s %255s", verb, a, b);

		if (n >= 2)
			serve(avc, thread, verb, a, n == 3 ? b : "");
	}
	avc_thread_free(thread);
	avc_close(avc);
	return 0;
}
