/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/conf_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"

#define MOST_BYTES (1U << 20) /* of one file; what is larger is no setting */

static bool is_wanted(const char *name, const char *const *suffixes)
{
	if (name[0] == '.')
		return false;
	for (size_t i = 0; suffixes[i]; i++)
		if (suffixes[i][0] ? text_has_suffix(name, suffixes[i]) :
				     !strpbrk(name, ".~"))
			return true;
	return false;
}

static bool is_masked(const struct conf_files *files, const char *name)
{
	VEC_EACH(&files->files, struct conf_file, file)
		if (strcmp(file->name, name) == 0)
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct conf_file *)a)->name,
		      ((const struct conf_file *)b)->name);
}

static void add_folder(const struct sysroot *root, struct arena *arena,
		       const char *folder, const char *const *suffixes,
		       struct conf_files *files)
{
	struct names list = { { 0 } };

	if (sysroot_list(root, arena, folder, &list) < 0)
		return;
	VEC_EACH(&list.names, char *, name) {
		struct conf_file *file;

		if (!is_wanted(*name, suffixes) || is_masked(files, *name))
			continue;
		file = vec_add(arena, &files->files);
		file->name = *name;
		file->path = arena_printf(arena, "/%s/%s", folder, *name);
	}
}

void conf_files_read(const struct sysroot *root, struct arena *arena,
		     const char *const *folders, const char *const *suffixes,
		     struct conf_files *ret)
{
	struct conf_files files = { { 0 } };

	for (size_t i = 0; folders[i]; i++)
		add_folder(root, arena, folders[i], suffixes, &files);
	if (files.files.n)
		qsort(files.files.items, files.files.n,
		      sizeof(*files.files.items), by_name);
	VEC_EACH(&files.files, struct conf_file, file)
		file->why = -sysroot_read_file(root, arena, file->path,
					       MOST_BYTES, &file->text);
	*ret = files;
}

/* Is the physical line at p a comment?  systemd knows two kinds. */
static bool is_comment(const char *p, enum conf_join join)
{
	p += strspn(p, " \t");
	return *p == '#' || (*p == ';' && join == CONF_JOIN_UNIT);
}

static const char *skip_line(const char *p)
{
	p = strchrnul(p, '\n');
	return *p ? p + 1 : p;
}

/* Behind the joining newline: where the logical line goes on. */
static const char *joined(const char *p, enum conf_join join,
			  unsigned int *line)
{
	++*line;
	while (join != CONF_JOIN_MODPROBE && is_comment(p, join)) {
		p = skip_line(p);
		++*line;
	}
	return p;
}

char *conf_line(char **text, enum conf_join join, unsigned int *line,
		unsigned int *ret_first)
{
	bool joins = join == CONF_JOIN_MODPROBE || !is_comment(*text, join);
	const char *in = *text;
	char *out = *text, *start = *text;

	if (*in == '\0')
		return NULL;
	*ret_first = ++*line;
	while (*in && *in != '\n') {
		if (joins && in[0] == '\\' && in[1] == '\n') {
			in = joined(in + 2, join, line);
			if (join == CONF_JOIN_UNIT)
				*out++ = ' ';
			continue;
		}
		if (join == CONF_JOIN_MODPROBE && in[0] == '\\' && in[1])
			in++;
		*out++ = *in++;
	}
	*text += (in - *text) + (*in == '\n');
	*out = '\0';
	return start;
}
