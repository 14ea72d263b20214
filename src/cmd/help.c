/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/help.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/out.h"

#define WIDTH_DEFAULT 80U

static void put_overview(struct strbuf *sb, bool hidden)
{
	const struct command_set *all = commands_all();

	strbuf_puts(sb,
		    "Usage: nvmetune COMMAND [OPTION...] [DRIVE...]\n\n"
		    "Tunes the NVMe path of this host and keeps it tuned.\n\n"
		    "Commands:\n");
	for (size_t i = 0; i < all->n; i++) {
		const struct command *command = all->items[i];

		if (!hidden && command->flags & CMD_HIDDEN)
			continue;
		strbuf_printf(sb, "  %-9s %s\n", command->name,
			      command->summary);
	}
	strbuf_puts(
		sb,
		"\n"
		"A DRIVE is nvme0, nvme0n1, a partition, /dev/disk/by-*/..., a mount point or a\n"
		"folder below one, what stands on drives (/dev/md0), or a PCI address.\n"
		"\n"
		"\"nvmetune help COMMAND\" shows the options of one command,\n"
		"\"nvmetune --version\" the version.\n");
}

static size_t opt_columns(const struct opt *opt)
{
	size_t n = strlen(opt->name) + 6; /* "-x, --" */

	/* "=ARG" and " ARG" are as wide; "[" and "]" are two more. */
	if (opt->arg)
		n += strlen(opt->arg) + (opt->type == OPT_MAYBE ? 3 : 1);
	return n;
}

static void put_opt(struct strbuf *sb, const struct opt *opt, size_t column,
		    unsigned int width)
{
	strbuf_puts(sb, "  ");
	if (opt->letter)
		strbuf_printf(sb, "-%c, ", opt->letter);
	else
		strbuf_pad(sb, 4);
	strbuf_printf(sb, "--%s", opt->name);
	if (opt->arg && opt->type == OPT_MAYBE)
		strbuf_printf(sb, "[=%s]", opt->arg);
	else if (opt->arg)
		strbuf_printf(sb, " %s", opt->arg);
	strbuf_pad(sb, column - 2 - opt_columns(opt));
	out_wrapped(sb, opt->help, (unsigned int)column, width);
	strbuf_putc(sb, '\n');
}

static void put_indented(struct strbuf *sb, const char *lines)
{
	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		strbuf_puts(sb, "  ");
		strbuf_put(sb, lines, n);
		strbuf_putc(sb, '\n');
		lines += n + (lines[n] == '\n');
	}
}

static void put_command(struct strbuf *sb, const struct command *command,
			unsigned int width)
{
	const struct opt *opt;
	size_t column = 0;

	strbuf_printf(sb, "Usage: nvmetune %s [OPTION...]%s%s\n\n",
		      command->name, command->args ? " " : "",
		      command->args ? command->args : "");
	strbuf_printf(sb, "nvmetune %s: %s.\n", command->name,
		      command->summary);
	if (command->details)
		strbuf_printf(sb, "\n%s\n", command->details);
	strbuf_puts(sb, "\nOptions:\n");
	for (size_t i = 0; (opt = command_opt(command, i)); i++)
		if (opt_columns(opt) > column)
			column = opt_columns(opt);
	for (size_t i = 0; (opt = command_opt(command, i)); i++)
		put_opt(sb, opt, column + 4, width);
	strbuf_puts(sb, "\nExit status:\n"
			"  0  done\n"
			"  1  failed\n"
			"  2  wrong usage\n");
	put_indented(sb, command->exits);
}

int help_print(const struct command *command, unsigned int width)
{
	struct arena *arena = arena_new();
	struct strbuf sb;

	strbuf_init(&sb, arena);
	if (command)
		put_command(&sb, command, width ? width : WIDTH_DEFAULT);
	else
		put_overview(&sb, false);
	out_write(&sb);
	arena_free(arena);
	return EXIT_DONE;
}

int help_version(void)
{
	(void)puts("nvmetune " NVMETUNE_VERSION);
	return EXIT_DONE;
}

int help_missing(void)
{
	struct arena *arena = arena_new();
	struct strbuf sb;

	strbuf_init(&sb, arena);
	put_overview(&sb, false);
	(void)fputs(sb.text, stderr);
	arena_free(arena);
	return EXIT_USAGE;
}

int help_unknown(const char *name, const char *near, struct err *err)
{
	const char *what = name[0] == '-' ? "option" : "command";

	if (near)
		(void)err_set(err, -EINVAL,
			      "unknown command \"%s\" (did you mean \"%s\"?)",
			      name, near);
	else
		(void)err_set(err, -EINVAL,
			      "unknown %s \"%s\"; see \"nvmetune help\"", what,
			      name);
	return EXIT_USAGE;
}

static int help(struct context *ctx, int argc, char **argv, struct err *err)
{
	const struct command *command;
	const char *near = NULL;

	if (argc == 0)
		return help_print(NULL, ctx->width);
	if (argc > 1)
		return command_usage(&command_help, err,
				     "\"%s\" is one argument too many",
				     argv[1]);
	command = command_find(argv[0], &near);
	if (!command)
		return help_unknown(argv[0], near, err);
	return help_print(command, ctx->width);
}

const struct command command_help = {
	.name = "help",
	.args = "[COMMAND]",
	.summary = "show the commands, or the options of one",
	.run = help,
};
