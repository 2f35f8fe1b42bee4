#include "backend/package.h"

#include "backend/magic.h"
#include "backend/read.h"

enum { VERSION = 1, MAX_SECTIONS = 100, HEADER_SIZE = 12 };

static const struct { const char *name, *key; uint32_t magic; } sections[PACKAGE_SECTIONS] = {
	{"module", "module", MODULE_MAGIC},
	{"file contexts", "file_contexts", FILE_CONTEXTS_MAGIC},
	{"seusers", "seusers", SEUSERS_MAGIC},
	{"user_extra", "user_extra", USER_EXTRA_MAGIC},
	{"netfilter contexts", "netfilter_contexts", NETFILTER_MAGIC},
};

const char *package_section_name(enum package_section section)
{
	return sections[section].name;
}

const char *package_section_key(enum package_section section)
{
	return sections[section].key;
}

enum image_kind image_kind(const void *image, size_t size)
{
	uint32_t magic = size >= 4 ? load_u32(image) : 0;

	return magic == POLICY_MAGIC ? IMAGE_POLICY : magic == MODULE_MAGIC ? IMAGE_MODULE :
	       magic == PACKAGE_MAGIC ? IMAGE_PACKAGE : IMAGE_OTHER;
}

/* ---- reading ---- */

static uint32_t read_header(struct reader *r)
{
	uint32_t magic = get_u32(r), version = get_u32(r), n = get_u32(r);

	if (r->failed)
		return 0;
	if (magic != PACKAGE_MAGIC)
		refuse(r, "not a package: the magic number is 0x%08x", (unsigned)magic);
	else if (version != VERSION)
		refuse(r, "package version %u is not known, only version %d", (unsigned)version, VERSION);
	else if (n > MAX_SECTIONS)
		refuse(r, "%u sections, over %d", (unsigned)n, MAX_SECTIONS);
	return r->failed ? 0 : n;
}

static enum package_section section_of(uint32_t magic)
{
	int i = 0;

	while (i < PACKAGE_SECTIONS && sections[i].magic != magic)
		i++;
	return (enum package_section)i;
}

static void take_section(struct reader *r, const unsigned char *at, size_t n, struct package *package)
{
	uint32_t magic = load_u32(at);
	enum package_section section = section_of(magic);

	if (section == PACKAGE_SECTIONS) {
		diag_warning(r->diags, "unknown-section", LOC_NONE,
			     "`%s`: a section of %zu bytes with the magic number 0x%08x, which is left out", r->path, n,
			     (unsigned)magic);
		return;
	}
	if (package->parts[section].at) {
		refuse(r, "two sections of %s", sections[section].name);
		return;
	}
	if (section == PACKAGE_MODULE)
		package->parts[section] = (struct package_part){at, n};
	else
		package->parts[section] = (struct package_part){at + 4, n - 4};
}

/* Each section goes up to the next, or to the end. */
static void read_sections(struct reader *r, uint32_t n, struct package *package)
{
	const unsigned char *offsets = get_bytes(r, (size_t)n * 4);
	size_t size = (size_t)(r->end - r->begin);

	for (uint32_t i = 0; i < n && !r->failed; i++) {
		size_t begin = load_u32(offsets + (size_t)i * 4), end = i + 1 < n ? load_u32(offsets + (size_t)i * 4 + 4) : size;

		if (begin > end || end > size)
			refuse(r, "section %u goes from byte %zu to %zu of %zu", (unsigned)i + 1, begin, end, size);
		else if (end - begin < 4)
			refuse(r, "section %u has %zu bytes, too few for its magic number", (unsigned)i + 1, end - begin);
		else
			take_section(r, r->begin + begin, end - begin, package);
	}
}

bool package_read(const void *image, size_t size, const char *path, struct package *ret_package, struct diags *diags)
{
	struct reader r;

	*ret_package = (struct package){0};
	reader_begin(&r, image, size, path, diags);
	r.section = "package";
	read_sections(&r, read_header(&r), ret_package);
	if (!r.failed && !ret_package->parts[PACKAGE_MODULE].at)
		refuse(&r, "a package without a module");
	reader_end(&r);
	return !r.failed;
}

/* ---- writing ---- */

static size_t part_size(const struct package *package, int section)
{
	return package->parts[section].n + (section == PACKAGE_MODULE ? 0 : 4);
}

static bool fits(const struct package *package, uint32_t *ret_n)
{
	size_t size = 0;

	*ret_n = 0;
	for (int i = 0; i < PACKAGE_SECTIONS; i++) {
		*ret_n += package->parts[i].at != NULL;
		size += package->parts[i].at ? part_size(package, i) : 0;
	}
	return size <= UINT32_MAX - HEADER_SIZE - 4 * PACKAGE_SECTIONS;
}

bool package_write(const struct package *package, struct buffer *image, struct diags *diags)
{
	size_t offset;
	uint32_t n;

	if (!fits(package, &n)) {
		diag_error(diags, "image-too-large", LOC_NONE, "the package is over 4 GiB");
		return false;
	}
	offset = HEADER_SIZE + (size_t)n * 4;
	buffer_u32(image, PACKAGE_MAGIC);
	buffer_u32(image, VERSION);
	buffer_u32(image, n);
	for (int i = 0; i < PACKAGE_SECTIONS; i++) {
		if (!package->parts[i].at)
			continue;
		buffer_u32(image, (uint32_t)offset);
		offset += part_size(package, i);
	}
	for (int i = 0; i < PACKAGE_SECTIONS; i++) {
		if (!package->parts[i].at)
			continue;
		if (i != PACKAGE_MODULE)
			buffer_u32(image, sections[i].magic);
		buffer_put(image, package->parts[i].at, package->parts[i].n);
	}
	return true;
}
