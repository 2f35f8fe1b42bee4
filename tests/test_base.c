/* base/: containers, sources and places, output; findings are in test_diag.c. */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/source.h"
#include "base/vec.h"

void suite_base(void);

/* ---- containers ---- */

static void test_arena(void)
{
	struct arena arena = {0};
	char *small = arena_alloc(&arena, 3), *next = arena_alloc(&arena, 1), *large, *copy;
	uint32_t *zeroed;

	CU_ASSERT_EQUAL((uintptr_t)small % 8, 0);
	CU_ASSERT_EQUAL((uintptr_t)next % 8, 0);
	CU_ASSERT_TRUE(next >= small + 8);
	large = arena_alloc(&arena, 3 * 1024 * 1024); /* more than a block */
	memset(large, 0xee, 3 * 1024 * 1024);
	for (int i = 0; i < 100000; i++)
		*(uint64_t *)arena_alloc(&arena, 8) = (uint64_t)i;
	CU_ASSERT_EQUAL((unsigned char)large[3 * 1024 * 1024 - 1], 0xee);
	zeroed = arena_zalloc(&arena, 1000, sizeof *zeroed);
	CU_ASSERT_EQUAL(zeroed[0] | zeroed[999], 0);
	copy = arena_strndup(&arena, "selinux", 2);
	CU_ASSERT_STRING_EQUAL(copy, "se");
	CU_ASSERT_EQUAL(*(int *)arena_copy(&arena, &(int){42}, sizeof(int)), 42);
	CU_ASSERT_TRUE(arena.total >= 3 * 1024 * 1024 + 800000);
	arena_free(&arena);
	CU_ASSERT_EQUAL(arena.total, 0);
	CU_ASSERT_PTR_NOT_NULL(arena_alloc(&arena, 0)); /* ready again */
	arena_free(&arena);
}

static int numbered_name(char *name, size_t size, uint32_t i)
{
	return snprintf(name, size, "type_%u_t", i);
}

static void test_atoms(void)
{
	enum { NAMES = 200000 };
	struct atoms atoms;
	char name[32];
	uint32_t wrong = 0;

	atoms_init(&atoms);
	CU_ASSERT_EQUAL(atom_find(&atoms, "type_0_t", 8), ATOM_NONE);
	for (uint32_t i = 0; i < NAMES; i++) {
		int len = numbered_name(name, sizeof name, i);

		wrong += atom_intern(&atoms, name, (size_t)len) != i + 1; /* dense from 1 */
	}
	for (uint32_t i = 0; i < NAMES; i++) {
		int len = numbered_name(name, sizeof name, i);
		atom_t atom = atom_intern(&atoms, name, (size_t)len);

		wrong += atom != i + 1 || atom_find(&atoms, name, (size_t)len) != atom ||
			 atom_len(&atoms, atom) != (uint32_t)len || strcmp(atom_text(&atoms, atom), name) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(atoms.n, NAMES + 1);
	CU_ASSERT_EQUAL(atom_find(&atoms, "type_0_tx", 9), ATOM_NONE);
	CU_ASSERT_NOT_EQUAL(atom_intern(&atoms, "", 0), ATOM_NONE);
	CU_ASSERT_NOT_EQUAL(atom_intern(&atoms, "a\0b", 3), atom_intern(&atoms, "a\0c", 3));
	CU_ASSERT_NOT_EQUAL(atom_intern(&atoms, "ab", 2), atom_intern(&atoms, "ba", 2));
	atoms_free(&atoms);
}

static void test_vec(void)
{
	VEC(uint64_t) v = {0};
	bool good = true;

	for (uint64_t i = 0; i < 100000; i++)
		*vec_push(&v) = i * i;
	for (uint64_t i = 0; i < 100000; i++)
		good &= v.at[i] == i * i;
	CU_ASSERT_TRUE(good && v.n == 100000 && v.cap >= v.n);
	vec_free(&v);
	CU_ASSERT_TRUE(!v.at && !v.n && !v.cap);
	vec_reserve(&v, 100);
	CU_ASSERT_TRUE(v.cap == 100 && !v.n);
	vec_reserve(&v, 10);
	CU_ASSERT_EQUAL(v.cap, 100);
	vec_free(&v);
}

static void test_buffer(void)
{
	static const unsigned char expected[] = {1, 0x77, 0x66, 0x55, 0x44, 8, 7, 6, 5, 4, 3, 2, 1, 'x', 'y'};
	struct buffer b = {0};

	buffer_u8(&b, 1);
	buffer_u32(&b, 0x04050607);
	buffer_u64(&b, 0x0102030405060708);
	buffer_put(&b, "xy", 2);
	buffer_put(&b, NULL, 0);
	buffer_set_u32(&b, 1, 0x44556677);
	CU_ASSERT_EQUAL(b.n, sizeof expected);
	CU_ASSERT_EQUAL(memcmp(b.at, expected, sizeof expected), 0);
	for (uint32_t i = 0; i < 100000; i++)
		buffer_u32(&b, i);
	CU_ASSERT_EQUAL(b.n, sizeof expected + 400000);
	CU_ASSERT_EQUAL(b.at[b.n - 4] | b.at[b.n - 3] << 8 | b.at[b.n - 2] << 16, 99999);
	buffer_set_u32(&b, b.n - 4, 0);
	CU_ASSERT_EQUAL(b.at[b.n - 4], 0);
	buffer_free(&b);
	CU_ASSERT_TRUE(!b.at && !b.n && !b.cap);
}

/* ---- files ---- */

static char scratch[] = "/tmp/test-base.XXXXXX";

static int make_scratch(void)
{
	return mkdtemp(scratch) ? 0 : -1;
}

/* Nothing may be left but what the tests remove. */
static int remove_scratch(void)
{
	return rmdir(scratch);
}

/* A path in the scratch directory; good for eight calls. */
static const char *in_scratch(const char *name)
{
	static char paths[8][400];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
	return path;
}

static bool spill(const char *path, const char *bytes, size_t size)
{
	FILE *f = fopen(path, "w");
	bool good = f && fwrite(bytes, 1, size, f) == size;

	return f && !fclose(f) && good;
}

static bool file_is(const char *path, const char *bytes, size_t size)
{
	char *found = mem_alloc(size + 1);
	FILE *f = fopen(path, "r");
	bool good = f && fread(found, 1, size + 1, f) == size && !memcmp(found, bytes, size);

	if (f)
		fclose(f);
	free(found);
	return good;
}

/* The only finding, and its check. */
static bool only_error(struct diags *diags, const char *check)
{
	bool good = diags->list.n == 1 && diags->errors == 1 && !strcmp(diags->list.at[0].check, check);

	diags_free(diags);
	return good;
}

/* ---- loading ---- */

static void test_load(void)
{
	const char *small = in_scratch("small"), *large = in_scratch("large"), *empty = in_scratch("empty");
	enum { LARGE = 5 * 1024 * 1024 };
	char *text = mem_alloc(LARGE);
	struct sources sources = {0};
	struct diags diags = {0};
	const struct source *s;

	memset(text, 'a', LARGE);
	CU_ASSERT_TRUE(spill(small, "class file\n", 11) && spill(large, text, LARGE) && spill(empty, "", 0));
	s = sources_load(&sources, small, &diags);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_EQUAL(s->base, 0);
	CU_ASSERT_EQUAL(s->size, 11);
	CU_ASSERT_STRING_EQUAL(s->path, small);
	CU_ASSERT_EQUAL(memcmp(s->text, "class file\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 11 + SOURCE_PAD), 0);
	s = sources_load(&sources, empty, &diags);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_TRUE(s->size == 0 && s->base > 11);
	s = sources_load(&sources, large, &diags);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_EQUAL(s->size, LARGE);
	CU_ASSERT_EQUAL(memcmp(s->text, text, LARGE), 0);
	CU_ASSERT_EQUAL(s->text[LARGE] | s->text[LARGE + SOURCE_PAD - 1], 0);
	CU_ASSERT_PTR_EQUAL(source_at(&sources, 11), &sources.files.at[0]); /* an end */
	CU_ASSERT_PTR_EQUAL(source_at(&sources, sources.files.at[1].base), &sources.files.at[1]);
	CU_ASSERT_PTR_EQUAL(source_at(&sources, s->base), s);
	CU_ASSERT_PTR_EQUAL(source_at(&sources, s->base + 5), s);
	CU_ASSERT_PTR_NULL(source_at(&sources, UINT32_MAX));
	CU_ASSERT_PTR_EQUAL(source_text(&sources, 6), sources.files.at[0].text + 6);
	CU_ASSERT_PTR_EQUAL(source_text(&sources, s->base + 9), s->text + 9);
	CU_ASSERT_EQUAL(diags.list.n, 0);
	sources_free(&sources);
	CU_ASSERT_PTR_NULL(source_at(&sources, 0));
	free(text);
	unlink(small);
	unlink(large);
	unlink(empty);
}

/* A writer in a child gives the text in odd pieces. */
static void feed(int fd, size_t total)
{
	char piece[7001];

	memset(piece, 'x', sizeof piece);
	while (total) {
		ssize_t n = write(fd, piece, total < sizeof piece ? total : sizeof piece);

		if (n <= 0)
			_exit(1);
		total -= (size_t)n;
	}
	_exit(0);
}

static void test_load_pipe(void)
{
	enum { TOTAL = 3 * 1000 * 1000 }; /* small blocks, then a mapped one */
	const char *fifo = in_scratch("fifo");
	struct sources sources = {0};
	struct diags diags = {0};
	const struct source *s;
	pid_t child;
	int status;

	CU_ASSERT_EQUAL_FATAL(mkfifo(fifo, 0600), 0);
	child = fork();
	if (!child)
		feed(open(fifo, O_WRONLY), TOTAL);
	s = sources_load(&sources, fifo, &diags);
	waitpid(child, &status, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_EQUAL(s->size, TOTAL);
	CU_ASSERT_TRUE(s->text[0] == 'x' && s->text[TOTAL - 1] == 'x' && s->text[TOTAL] == '\0');
	sources_free(&sources);
	unlink(fifo);
}

static void test_load_stdin(void)
{
	const char *path = in_scratch("stdin");
	int saved = dup(STDIN_FILENO), fd;
	struct sources sources = {0};
	struct diags diags = {0};
	const struct source *s;

	CU_ASSERT_TRUE_FATAL(spill(path, "type a;\n", 8));
	fd = open(path, O_RDONLY);
	dup2(fd, STDIN_FILENO);
	s = sources_load(&sources, "-", &diags);
	if (saved >= 0)
		dup2(saved, STDIN_FILENO);
	close(saved);
	close(fd);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_STRING_EQUAL(s->path, "<stdin>");
	CU_ASSERT_STRING_EQUAL(s->text, "type a;\n");
	sources_free(&sources);
	unlink(path);
}

static void test_load_failures(void)
{
	const char *nul = in_scratch("nul"), *sparse = in_scratch("sparse");
	struct sources sources = {0};
	struct diags diags = {0};
	char *text = mem_alloc(400000);

	CU_ASSERT_PTR_NULL(sources_load(&sources, in_scratch("none"), &diags));
	CU_ASSERT_TRUE(only_error(&diags, "file-open"));
	CU_ASSERT_PTR_NULL(sources_load(&sources, scratch, &diags));
	CU_ASSERT_TRUE(only_error(&diags, "file-read"));

	memset(text, '\n', 400000);
	text[399999] = '\0';
	CU_ASSERT_TRUE(spill(nul, text, 400000));
	CU_ASSERT_PTR_NULL(sources_load(&sources, nul, &diags));
	CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(diags.list.at[0].text, "has a NUL byte in line 400000"));
	CU_ASSERT_TRUE(only_error(&diags, "nul-byte"));
	CU_ASSERT_PTR_NULL(sources_add(&sources, "m", "a\nb\0c", 5, &diags));
	CU_ASSERT_STRING_EQUAL(diags.list.at[0].text, "`m` has a NUL byte in line 2");
	CU_ASSERT_TRUE(only_error(&diags, "nul-byte"));

	CU_ASSERT_TRUE(spill(sparse, "", 0));
	if (!truncate(sparse, (off_t)1 << 31)) {
		CU_ASSERT_PTR_NULL(sources_load(&sources, sparse, &diags));
		CU_ASSERT_TRUE(only_error(&diags, "file-too-large"));
	}
	CU_ASSERT_PTR_NULL(sources_add(&sources, "m", "", (size_t)1 << 31, &diags));
	CU_ASSERT_TRUE(only_error(&diags, "file-too-large"));
	CU_ASSERT_EQUAL(sources.files.n, 0);

	/* The last of the common space: pretend that the first file fills it. */
	CU_ASSERT_PTR_NOT_NULL_FATAL(sources_add(&sources, "first", "", 0, &diags));
	sources.files.at[0].base = UINT32_MAX - 1024 * 1024 - SOURCE_PAD - 10;
	CU_ASSERT_PTR_NULL(sources_add(&sources, "m", "01234567890", 11, &diags));
	CU_ASSERT_TRUE(only_error(&diags, "file-too-large"));
	CU_ASSERT_PTR_NOT_NULL(sources_add(&sources, "m", "0123456789", 10, &diags));
	CU_ASSERT_PTR_NULL(sources_add(&sources, "n", "0", 1, &diags));
	CU_ASSERT_TRUE(only_error(&diags, "file-too-large"));
	sources_free(&sources);
	free(text);
	unlink(nul);
	unlink(sparse);
}

/* ---- places ---- */

/* The file and line of the text's last line. */
static bool last_line_is(const char *text, const char *file, uint32_t line)
{
	struct sources sources = {0};
	struct diags diags = {0};
	struct place_cursor cursor = {0};
	struct place p;
	bool good;

	sources_add(&sources, "own", text, strlen(text), &diags);
	p = place_of(&sources, &cursor, (uint32_t)strlen(text));
	good = p.file_len == strlen(file) && !memcmp(p.file, file, p.file_len) && p.line == line;
	if (!good)
		fprintf(stderr, "%s: is %.*s:%u\n", text, (int)p.file_len, p.file, p.line);
	sources_free(&sources);
	return good;
}

static void test_marks(void)
{
	CU_ASSERT_TRUE(last_line_is("", "own", 1));
	CU_ASSERT_TRUE(last_line_is("a\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line 7\nb", "own", 7));
	CU_ASSERT_TRUE(last_line_is("#line 7\nb\nc", "own", 8));
	CU_ASSERT_TRUE(last_line_is("#line 7 \"f.te\"\nb", "f.te", 7));
	CU_ASSERT_TRUE(last_line_is("a b; #line 7 \"f.te\"\nb", "f.te", 7));
	CU_ASSERT_TRUE(last_line_is("#line 7 \"f.te\"\n\n#line 3\nb", "f.te", 3));
	CU_ASSERT_TRUE(last_line_is("#line 7 \"a\"\n#line 7 \"f\"\n#line 2\n#line 3\n\n", "f", 4));
	CU_ASSERT_TRUE(last_line_is("#line 5 \"a\"b c\"\nx", "a\"b c", 5)); /* to the last quote */
	CU_ASSERT_TRUE(last_line_is("#line 5 \"\"\nx", "", 5));
	CU_ASSERT_TRUE(last_line_is("#line 99999999999999999999\nx", "own", UINT32_MAX));
	CU_ASSERT_TRUE(last_line_is("#line 4294967295\nx\ny", "own", UINT32_MAX));
	CU_ASSERT_TRUE(last_line_is("\"/a b\" #line 7\nx", "own", 7));
	CU_ASSERT_TRUE(last_line_is("\"name\"#line 7\nx", "own", 7));
	CU_ASSERT_TRUE(last_line_is("\"open #line 7\nx", "own", 7));     /* a quote without a match */
	CU_ASSERT_TRUE(last_line_is("\"\"\"a\" #line 7\nx", "own", 7));
	CU_ASSERT_TRUE(last_line_is("/path #line 7\nx", "own", 7));
	/* None of them is a mark. */
	CU_ASSERT_TRUE(last_line_is("#line 7", "own", 1));               /* that line itself */
	CU_ASSERT_TRUE(last_line_is("#line 7 \nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line 7\r\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line 7 \"f\" \nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line  7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line 7  \"f\"\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line 7 \"\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line \"f\"\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line \nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line\t7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("#line 0x7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("# line 7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("##line 7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("# see #line 7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("/path#line 7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("a/b#line 7\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("\"/a #line 7\"\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("\" #line 7\n\" #line 9\n", "own", 9)); /* a string ends with its line */
	CU_ASSERT_TRUE(last_line_is("\"a #line 7 \"b\"\nb", "own", 2));
	CU_ASSERT_TRUE(last_line_is("\"a/b #line 7\nb", "own", 7)); /* no name, no path that goes on */
}

struct fragment {
	const char *text;
	int64_t number; /* of the mark, or -1 */
	const char *file;
};

/* Walks the lines forwards, as the definition does, and asks for places in
 * random order with one cursor. */
static void test_places_random(void)
{
	static const struct fragment fragments[] = {
		{"allow a b:c d;\n", -1, NULL}, {"\n", -1, NULL}, {"#line 7\n", 7, NULL},
		{"x #line 30 \"one\"\n", 30, "one"}, {"#line 5 \"two\"\n", 5, "two"},
		{"# #line 9 \"no\"\n", -1, NULL}, {"/p#line 9\n", -1, NULL}, {"a # b\n", -1, NULL},
	};
	enum { LINES = 300, QUERIES = 3000 };
	const char *given = getenv("TEST_SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 0) : (unsigned)time(NULL), state = seed;
	struct { uint32_t begin, line; const char *file; } lines[LINES];
	struct buffer text = {0};
	struct sources sources = {0};
	struct diags diags = {0};
	struct place_cursor cursor = {0};
	const char *file = "own";
	uint32_t line = 1, wrong = 0, base;

	for (uint32_t i = 0; i < LINES; i++) {
		const struct fragment *f = &fragments[(unsigned)rand_r(&state) % 8];

		lines[i].begin = (uint32_t)text.n;
		lines[i].line = line;
		lines[i].file = file;
		line = f->number >= 0 ? (uint32_t)f->number : line + 1;
		file = f->file ? f->file : file;
		buffer_put(&text, f->text, strlen(f->text));
	}
	sources_add(&sources, "before", "x\ny", 3, &diags);
	base = sources_add(&sources, "own", (char *)text.at, text.n, &diags)->base;
	for (uint32_t i = 0; i < QUERIES; i++) {
		uint32_t row = (uint32_t)rand_r(&state) % LINES;
		uint32_t end = row + 1 < LINES ? lines[row + 1].begin : (uint32_t)text.n;
		uint32_t col = (uint32_t)rand_r(&state) % (end - lines[row].begin);
		struct place p = place_of(&sources, &cursor, base + lines[row].begin + col);

		wrong += p.row != row + 1 || p.line != lines[row].line || p.col != col + 1 ||
			 p.file_len != strlen(lines[row].file) || memcmp(p.file, lines[row].file, p.file_len) != 0 ||
			 p.text_len != end - lines[row].begin - 1 || p.text != source_text(&sources, base + lines[row].begin);
		if (i % 50 == 0)
			wrong += place_of(&sources, &cursor, 2).row != 2;
	}
	if (wrong)
		fprintf(stderr, "test_base: TEST_SEED=%u\n", seed);
	CU_ASSERT_EQUAL(wrong, 0);
	sources_free(&sources);
	buffer_free(&text);
}

/* ---- output ---- */

static bool writes(const char *path, const char *text)
{
	struct diags diags = {0};
	bool good = output_write(path, text, strlen(text), &diags) && !diags.list.n;

	diags_free(&diags);
	return good;
}

static bool fails(const char *path)
{
	struct diags diags = {0};
	bool failed = !output_write(path, "x", 1, &diags);

	return only_error(&diags, "file-write") && failed;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? 0 : st.st_mode;
}

static void test_output(void)
{
	const char *path = in_scratch("policy"), *link = in_scratch("link"), *link2 = in_scratch("link2");
	enum { LARGE = 3 * 1000 * 1000 };
	char *large = mem_zalloc(LARGE, 1);
	struct diags diags = {0};
	mode_t old = umask(027);

	CU_ASSERT_TRUE(writes(path, "one") && file_is(path, "one", 3));
	CU_ASSERT_EQUAL(mode_of(path), S_IFREG | 0640);
	chmod(path, 0604);
	CU_ASSERT_TRUE(writes(path, "two!") && file_is(path, "two!", 4));
	CU_ASSERT_EQUAL(mode_of(path), S_IFREG | 0604);
	umask(old);
	CU_ASSERT_TRUE(writes(path, "") && file_is(path, "", 0));
	CU_ASSERT_TRUE(output_write_passing(path, "next", 4, &diags) && file_is(path, "next", 4));
	CU_ASSERT_EQUAL(mode_of(path), S_IFREG | 0604);
	CU_ASSERT_FALSE(output_write_passing(in_scratch("no/policy"), "x", 1, &diags));
	diags_free(&diags);

	/* Links stay: to a file, of a link, to nothing yet. */
	CU_ASSERT_EQUAL(symlink("policy", link) | symlink("link", link2), 0);
	CU_ASSERT_TRUE(writes(link2, "three") && file_is(path, "three", 5));
	CU_ASSERT_TRUE(S_ISLNK(mode_of(link)) && S_ISLNK(mode_of(link2)));
	unlink(path);
	CU_ASSERT_TRUE(writes(link2, "four") && file_is(path, "four", 4));
	CU_ASSERT_TRUE(S_ISLNK(mode_of(link)) && S_ISREG(mode_of(path)));
	unlink(link);
	CU_ASSERT_EQUAL(symlink("link2", link), 0);
	CU_ASSERT_TRUE(fails(link)); /* a ring */
	unlink(link);
	unlink(link2);

	CU_ASSERT_TRUE(output_write(path, large, LARGE, &diags) && file_is(path, large, LARGE));
	free(large);
	unlink(path);
}

static void test_output_in_place(void)
{
	const char *fifo = in_scratch("fifo");
	char got[8] = {0};
	int fd;

	CU_ASSERT_TRUE(writes("/dev/null", "x"));
	CU_ASSERT_TRUE(S_ISCHR(mode_of("/dev/null")));
	CU_ASSERT_TRUE(fails("/dev/full"));
	CU_ASSERT_EQUAL_FATAL(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDWR);
	CU_ASSERT_TRUE(writes(fifo, "bytes"));
	CU_ASSERT_TRUE(read(fd, got, sizeof got) == 5 && !strcmp(got, "bytes"));
	CU_ASSERT_TRUE(S_ISFIFO(mode_of(fifo)));
	close(fd);
	unlink(fifo);
}

static void test_output_failures(void)
{
	const char *file = in_scratch("file"), *dir = in_scratch("dir");
	char name[256];

	CU_ASSERT_TRUE(writes(file, "old"));
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
	CU_ASSERT_TRUE(fails(in_scratch("file/policy")));
	CU_ASSERT_TRUE(fails(in_scratch("none/policy")));
	CU_ASSERT_TRUE(fails(dir));
	CU_ASSERT_TRUE(fails(""));
	CU_ASSERT_TRUE(file_is(file, "old", 3));
	/* Only the rename fails: the temporary goes. */
	CU_ASSERT_TRUE(fails(in_scratch("new/")));
	/* The longest name that a file can have has a temporary, too. */
	memset(name, 'n', 255);
	name[255] = '\0';
	CU_ASSERT_TRUE(writes(in_scratch(name), "x") && !unlink(in_scratch(name)));
	unlink(file);
	CU_ASSERT_EQUAL(rmdir(dir), 0);
	CU_ASSERT_EQUAL(rmdir(scratch), 0); /* nothing is left */
	CU_ASSERT_EQUAL(mkdir(scratch, 0700), 0);
}

static void test_output_stdout(void)
{
	const char *path = in_scratch("stdout");
	int saved, fd;
	bool good, full;

	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	dup2(fd, STDOUT_FILENO);
	good = writes("-", "image");
	close(fd);
	fd = open("/dev/full", O_WRONLY);
	dup2(fd, STDOUT_FILENO);
	full = fails("-");
	close(fd);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	CU_ASSERT_TRUE(good && full && file_is(path, "image", 5));
	unlink(path);
}

void suite_base(void)
{
	CU_pSuite suite = CU_add_suite("base", make_scratch, remove_scratch);

	CU_add_test(suite, "arena", test_arena);
	CU_add_test(suite, "200,000 atoms", test_atoms);
	CU_add_test(suite, "vectors", test_vec);
	CU_add_test(suite, "buffers", test_buffer);
	CU_add_test(suite, "loading files", test_load);
	CU_add_test(suite, "loading from a pipe", test_load_pipe);
	CU_add_test(suite, "loading standard input", test_load_stdin);
	CU_add_test(suite, "what cannot be loaded", test_load_failures);
	CU_add_test(suite, "#line marks", test_marks);
	CU_add_test(suite, "places in random order", test_places_random);
	CU_add_test(suite, "output", test_output);
	CU_add_test(suite, "output in place", test_output_in_place);
	CU_add_test(suite, "output that fails", test_output_failures);
	CU_add_test(suite, "output to standard output", test_output_stdout);
}
