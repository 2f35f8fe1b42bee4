#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "cli/validate.h"
#include "validator/lattice.h"

/* Standard output of dot is ours. */
static enum validate_status draw(const struct buffer *graph)
{
	FILE *dot;
	int status;

	fflush(stdout);
	dot = popen("exec dot -Tsvg", "w");
	if (!dot)
		return validate_complain("--svg: cannot run dot", NULL);
	fwrite(graph->at, 1, graph->n, dot);
	status = pclose(dot);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return validate_complain("--svg needs dot, which is part of Graphviz", NULL);
	return status ? validate_complain("--svg: dot failed", NULL) : VALIDATE_GOOD;
}

static enum validate_status run(struct validate *v, bool svg)
{
	enum validate_status status = VALIDATE_GOOD;
	struct buffer graph = {0};

	if (v->policies.n > 1)
		return validate_complain("lattice takes one policy", NULL);
	if (validate_load(v, false) != LOAD_GOOD)
		return VALIDATE_FAILED;
	if (!v->policies.at[0].policy->mls)
		return validate_complain("the policy has no levels, it is not MLS", v->policies.at[0].path);
	lattice_dot(v->policies.at[0].policy, &graph);
	if (svg)
		status = draw(&graph);
	else
		fwrite(graph.at, 1, graph.n, stdout);
	buffer_free(&graph);
	return status;
}

enum validate_status validate_lattice_main(struct validate *v, int argc, char **argv)
{
	enum { OPT_SVG = OPT_COMMAND };
	static const struct option long_options[] = {VALIDATE_OPTIONS, {"svg", no_argument, NULL, OPT_SVG}, {0}};
	bool svg = false;
	int option;

	while ((option = getopt_long(argc, argv, VALIDATE_LETTERS, long_options, NULL)) != -1) {
		if (option == OPT_SVG)
			svg = true;
		else if (!validate_option(v, option))
			return VALIDATE_FAILED;
	}
	if (optind < argc)
		return validate_complain("lattice takes no argument", argv[optind]);
	return run(v, svg);
}
