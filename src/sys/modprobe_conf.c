/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/modprobe_conf.h"

#include <string.h>

#include "sys/cmdline.h"
#include "sys/conf_files.h"

#define BLANK " \t"

static const char *const folders[] = {
	"etc/modprobe.d",     "run/modprobe.d", "usr/local/lib/modprobe.d",
	"usr/lib/modprobe.d", "lib/modprobe.d", NULL,
};

static const char *const suffixes[] = { ".conf", ".alias", NULL };
static const char *const no_suffix[] = { "", NULL };

struct option_list {
	VEC(struct module_option) options;
};

static void dashes_to_underscores(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

/* What follows "options" on a line: a module and its parameters. */
static void add_options(struct arena *arena, struct option_list *list,
			const struct conf_file *file, unsigned int line,
			char *module)
{
	char *rest = module + strcspn(module, BLANK);
	struct cmdline args;

	if (*rest)
		*rest++ = '\0';
	dashes_to_underscores(module);
	cmdline_parse(arena, rest, &args);
	VEC_EACH(&args.args, struct cmdline_arg, arg) {
		struct module_option *option = vec_add(arena, &list->options);

		option->module = module;
		option->param = arg->name;
		option->value = arg->value;
		option->file = file->path;
		option->line = line;
	}
}

static void add_file(struct arena *arena, struct option_list *list,
		     const struct conf_file *file)
{
	char *text = file->text, *words;
	unsigned int line = 0, first;

	while ((words = conf_line(&text, CONF_JOIN_MODPROBE, &line, &first))) {
		size_t n;

		words += strspn(words, BLANK);
		n = strcspn(words, BLANK);
		if (n != strlen("options") || memcmp(words, "options", n) != 0)
			continue;
		words += n + strspn(words + n, BLANK);
		if (*words)
			add_options(arena, list, file, first, words);
	}
}

static void read_ignored(const struct sysroot *root, struct arena *arena,
			 struct option_list *ret)
{
	struct conf_files files;

	conf_files_read(root, arena, folders, no_suffix, &files);
	VEC_EACH(&files.files, struct conf_file, file)
		if (file->text)
			add_file(arena, ret, file);
}

void modprobe_conf_read(const struct sysroot *root, struct arena *arena,
			struct modprobe_conf *ret)
{
	struct modprobe_conf conf = { 0 };
	struct option_list options = { { 0 } }, ignored = { { 0 } };
	struct conf_files files;

	conf_files_read(root, arena, folders, suffixes, &files);
	VEC_EACH(&files.files, struct conf_file, file) {
		if (file->text)
			add_file(arena, &options, file);
		else
			*vec_add(arena, &conf.unreadable) = file->path;
	}
	read_ignored(root, arena, &ignored);
	VEC_EACH(&options.options, struct module_option, it)
		*vec_add(arena, &conf.options) = *it;
	VEC_EACH(&ignored.options, struct module_option, it)
		*vec_add(arena, &conf.ignored) = *it;
	*ret = conf;
}

void modprobe_conf_parse(struct arena *arena, const char *path, char *text,
			 struct modprobe_conf *ret)
{
	const struct conf_file file = { .path = path, .text = text };
	struct modprobe_conf conf = { 0 };
	struct option_list list = { 0 };

	add_file(arena, &list, &file);
	VEC_EACH(&list.options, struct module_option, option)
		*vec_add(arena, &conf.options) = *option;
	*ret = conf;
}
