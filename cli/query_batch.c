/* batch: the query language of the kernel harness, answered by us. */
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/query_session.h"
#include "ir/text.h"

static void print_json(uint32_t line, const char *query, struct buffer *answer)
{
	json_t *object = json_new_object();
	bool failed = !strncmp(text_of(answer), "error ", 6);

	json_put_number(object, "line", line);
	json_put(object, "query", json_new_text(query, strlen(query)));
	json_put(object, failed ? "error" : "answer",
		 json_new_text((const char *)answer->at + (failed ? 6 : 0), answer->n - (failed ? 6 : 0)));
	json_print(object, stdout);
}

/* The line is cut into words while it is answered, and JSON repeats it. */
static void answer_line(struct session *s, uint32_t number, char *line, struct buffer *answer, struct buffer *copy)
{
	answer->n = copy->n = 0;
	if (s->common.json)
		text_put(copy, line);
	if (!server_answer(&s->server, line, answer))
		return;
	if (s->common.json)
		print_json(number, text_of(copy), answer);
	else
		printf("%.*s\n", (int)answer->n, (const char *)answer->at);
}

static enum query_status answer_all(struct session *s, const char *path)
{
	const struct source *source = sources_load(&s->sources, path, &s->diags);
	struct buffer answer = {0}, copy = {0};
	uint32_t number = 0;
	char *end;

	if (!source)
		return QUERY_FAILED;
	for (char *line = source->text; line < source->text + source->size; line = end) {
		end = line + strcspn(line, "\n");
		*end++ = '\0';
		answer_line(s, ++number, line, &answer, &copy);
	}
	buffer_free(&answer);
	buffer_free(&copy);
	return query_finish(QUERY_DONE);
}

enum query_status query_batch_main(int argc, char **argv)
{
	static const struct option long_options[] = {SESSION_OPTIONS, {0}};
	struct session session = SESSION_NEW;
	enum query_status status = QUERY_FAILED;
	bool good = true;
	int option;

	while (good && (option = getopt_long(argc, argv, "Mh", long_options, NULL)) != -1)
		good = session_option(&session, option);
	if (good && (argc - optind < 1 || argc - optind > 2))
		query_complain("batch takes a policy and a file", NULL);
	else if (good && session_open(&session, argv[optind]))
		status = answer_all(&session, argc - optind > 1 ? argv[optind + 1] : "-");
	session_close(&session);
	return status;
}
