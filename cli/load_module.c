#include "cli/load_module.h"

#include "backend/module.h"

struct module *load_module(const char *path, const struct buffer *file, uint32_t *ret_version,
			   struct package *ret_package, struct diags *diags)
{
	struct package package = {0};
	struct package_part image = {file->at, file->n};
	struct module *module;

	if (image_kind(file->at, file->n) == IMAGE_PACKAGE) {
		if (!package_read(file->at, file->n, path, &package, diags))
			return NULL;
		image = package.parts[PACKAGE_MODULE];
	}
	module = module_read(image.at, image.n, path, ret_version, diags);
	if (module && !module_validate(module, *ret_version, path, diags)) {
		module_free(module);
		return NULL;
	}
	if (ret_package)
		*ret_package = package;
	return module;
}
