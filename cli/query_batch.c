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

static enum query_status answer_all(struct session *s, char **words, int n)
{
	const struct source *source = sources_load(&s->sources, n ? words[0] : "-", &s->diags);
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
	static const struct session_command command = {
		.usage = "batch takes a policy and a file", .most = 1, .run = answer_all,
	};

	return session_main(&command, argc, argv);
}
