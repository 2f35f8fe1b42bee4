/* label: the contexts of ports, nodes, interfaces, file systems, devices. */
#include <stdio.h>

#include "base/json_out.h"
#include "cli/label_query.h"
#include "ir/text.h"

static void print_text(const struct label_query *q)
{
	struct buffer b = {0};

	label_put(&b, q);
	printf("%s", text_of(&b));
	/* What no record labels. */
	if (q->label.sid)
		printf(" [sid %s]", q->label.sid);
	putchar('\n');
	buffer_free(&b);
}

static json_t *json_context(const struct session *s, const struct label *label)
{
	struct buffer b = {0};
	json_t *text;

	text_context(&b, s->policy, label->context);
	text = json_new_text(text_of(&b), b.n);
	buffer_free(&b);
	return text;
}

static void print_json(const struct label_query *q)
{
	json_t *object = json_new_object();

	json_put(object, "context", json_context(q->session, &q->label));
	if (q->label.sid)
		json_put_string(object, "sid", q->label.sid);
	if (q->behaviour)
		json_put_string(object, "behaviour", q->behaviour);
	if (q->packet.context)
		json_put(object, "packet", json_context(q->session, &q->packet));
	json_print(object, stdout);
}

static enum query_status print_label(const struct label_query *q)
{
	if (!q->label.context) {
		diag_error(&q->session->diags, "no-label", LOC_NONE, "nothing in the policy labels it");
		return QUERY_EMPTY;
	}
	if (q->session->common.json)
		print_json(q);
	else
		print_text(q);
	return query_finish(QUERY_DONE);
}

static enum query_status ask(struct session *s, char **words, int n)
{
	struct label_query q = {.session = s, .n = n};

	for (int i = 0; i < n; i++) {
		q.word[i] = words[i];
		q.loc[i] = LOC_NONE;
	}
	if (label_ask(&q))
		return print_label(&q);
	if (q.wrong)
		query_complain(q.wrong, q.wrong_word == LABEL_ALL ? NULL : q.word[q.wrong_word]);
	return QUERY_FAILED;
}

enum query_status query_label_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "label takes a policy, a kind, and what is labelled", .least = 1, .most = LABEL_WORDS,
		.kernel_option = true, .run = ask,
	};

	return session_main(&command, argc, argv);
}
