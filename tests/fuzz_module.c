/* A module or a package through reader, validator and writers, for libFuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/module.h"
#include "backend/package.h"
#include "backend/text.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted must be written, read again, and then be the same. */
static void check_stable(const struct module *module, uint32_t version, struct diags *diags)
{
	struct buffer first = {0}, second = {0};
	struct module *again;

	if (!module_write(module, version, NULL, &first, diags))
		abort();
	again = module_read(first.at, first.n, "written", NULL, diags);
	if (!again || !module_validate(again, version, "written", diags) ||
	    !module_write(again, version, NULL, &second, diags))
		abort();
	if (first.n != second.n || memcmp(first.at, second.at, first.n) != 0)
		abort();
	module_free(again);
	buffer_free(&first);
	buffer_free(&second);
}

/* At other versions, and as source: what those cannot hold is a message. */
static void write_other_forms(const struct module *module, struct diags *diags)
{
	struct buffer out = {0};

	module_write(module, module_newest(), NULL, &out, diags);
	module_write(module, module_oldest() + 1, NULL, &out, diags);
	out.n = 0;
	module_write_conf(module, &out, diags);
	module_write_conf_apart(module, &out, diags);
	module_write_cil(module, NULL, &out, diags);
	buffer_free(&out);
}

static void read_module(const uint8_t *data, size_t size, struct diags *diags)
{
	uint32_t version;
	struct module *module = module_read(data, size, "input", &version, diags);

	if (module && module_validate(module, version, "input", diags)) {
		check_stable(module, version, diags);
		write_other_forms(module, diags);
	}
	if (!module && !diags->errors)
		abort();
	module_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sources sources = {0};
	struct diags diags = {0};
	struct buffer cil = {0};
	struct package package;

	if (image_kind(data, size) != IMAGE_PACKAGE) {
		read_module(data, size, &diags);
	} else if (package_read(data, size, "input", &package, &diags)) {
		read_module(package.parts[PACKAGE_MODULE].at, package.parts[PACKAGE_MODULE].n, &diags);
		package_write_cil(&package, "input", data[size - 1] & 1, &sources, &cil, &diags);
	} else if (!diags.errors) {
		abort();
	}
	buffer_free(&cil);
	sources_free(&sources);
	diags_free(&diags);
	return 0;
}
