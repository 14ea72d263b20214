/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/unit_file.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "sys/conf_files.h"

#define MOST_BYTES (1U << 20)

/* systemd.unit(5), the system's search path: the first one wins.  The last is
 * another name of the one before it where /lib is a link. */
static const char *const folders[] = {
	"etc/systemd/system",		"run/systemd/system",
	"usr/local/lib/systemd/system", "usr/lib/systemd/system",
	"lib/systemd/system",
};

#define NR_FOLDERS (sizeof(folders) / sizeof(*folders))

static void read_lines(struct arena *arena, const char *file, char *text,
		       struct unit *unit)
{
	const char *section = "";
	unsigned int line = 0, first;
	char *start;

	while ((start = conf_line(&text, CONF_JOIN_UNIT, &line, &first))) {
		char *equals, *end;

		start = text_trim(start);
		if (!*start || *start == '#' || *start == ';')
			continue;
		end = strchr(start, ']');
		if (*start == '[' && end) {
			section = arena_strndup(arena, start + 1,
						(size_t)(end - start - 1));
			continue;
		}
		equals = strchr(start, '=');
		if (!equals)
			continue;
		*equals = '\0';
		*vec_add(arena, &unit->lines) = (struct unit_line){
			.section = section,
			.key = text_trim(start),
			.value = text_trim(equals + 1),
			.file = file,
			.line = first,
		};
	}
}

/* A link to /dev/null need not lead anywhere in a tree. */
static bool is_masked(const struct sysroot *root, struct arena *arena,
		      const char *path)
{
	return text_equal(sysroot_link_name(root, arena, path), "null");
}

/* The unit's own file: the first folder that has one decides. */
static void read_own(const struct sysroot *root, struct arena *arena,
		     const char *name, struct unit *unit)
{
	for (size_t i = 0; i < NR_FOLDERS; i++) {
		const char *path =
			arena_printf(arena, "/%s/%s", folders[i], name);
		char *text = NULL;
		bool masked = is_masked(root, arena, path + 1);

		if (!masked && sysroot_read_file(root, arena, path + 1,
						 MOST_BYTES, &text) < 0)
			continue;
		unit->file = path;
		unit->masked = masked || !*text_trim(text);
		if (!unit->masked)
			read_lines(arena, path, text, unit);
		return;
	}
}

static void read_drop_ins(const struct sysroot *root, struct arena *arena,
			  const char *name, struct unit *unit)
{
	static const char *const suffixes[] = { ".conf", NULL };
	const char *paths[NR_FOLDERS + 1] = { NULL };
	struct conf_files files;

	for (size_t i = 0; i < NR_FOLDERS; i++)
		paths[i] = arena_printf(arena, "%s/%s.d", folders[i], name);
	conf_files_read(root, arena, paths, suffixes, &files);
	VEC_EACH(&files.files, struct conf_file, file)
		if (file->text)
			read_lines(arena, file->path, file->text, unit);
}

/* Below x.target.wants, whatever x is. */
static bool is_wanted_in(const struct sysroot *root, struct arena *arena,
			 const char *folder, const char *name)
{
	struct names list = { { 0 } };

	if (sysroot_list(root, arena, folder, &list) < 0)
		return false;
	VEC_EACH(&list.names, char *, it) {
		if (!text_has_suffix(*it, ".wants") &&
		    !text_has_suffix(*it, ".requires"))
			continue;
		if (sysroot_link_name(root, arena,
				      arena_printf(arena, "%s/%s/%s", folder,
						   *it, name)))
			return true;
	}
	return false;
}

void unit_read(const struct sysroot *root, struct arena *arena,
	       const char *name, struct unit *ret)
{
	struct unit unit = { 0 };

	read_own(root, arena, name, &unit);
	if (unit.file && !unit.masked)
		read_drop_ins(root, arena, name, &unit);
	for (size_t i = 0; i < NR_FOLDERS && unit.file && !unit.enabled; i++)
		unit.enabled = is_wanted_in(root, arena, folders[i], name);
	*ret = unit;
}

char *unit_word(struct arena *arena, const char **at)
{
	const char *p = *at + strspn(*at, " \t\n");
	struct strbuf word;
	char quote = '\0';

	if (!*p)
		return NULL;
	strbuf_init(&word, arena);
	for (; *p && (quote || !strchr(" \t\n", *p)); p++) {
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? '\0' : *p;
		else
			strbuf_putc(&word, *p);
	}
	*at = p;
	return word.text;
}

/* 'x y' and "x y" are x y; what else has quotes in it is left as it is. */
static char *unquoted(char *value)
{
	const size_t n = strlen(value);

	if (n < 2 || (*value != '"' && *value != '\'') ||
	    strchr(value + 1, *value) != value + n - 1)
		return value;
	value[n - 1] = '\0';
	return value + 1;
}

char *unit_environment(const struct sysroot *root, struct arena *arena,
		       const char *path, const char *variable,
		       unsigned int *ret_line)
{
	unsigned int line = 0, first;
	char *text, *start, *value = NULL;

	if (sysroot_read_file(root, arena, path, MOST_BYTES, &text) < 0)
		return NULL;
	while ((start = conf_line(&text, CONF_JOIN_UDEV, &line, &first))) {
		char *equals = strchr(start, '=');

		start = text_trim(start);
		if (!equals || *start == '#' || *start == ';')
			continue;
		*equals = '\0';
		if (!text_equal(text_trim(start), variable))
			continue;
		value = unquoted(text_trim(equals + 1));
		*ret_line = first;
	}
	return value;
}
