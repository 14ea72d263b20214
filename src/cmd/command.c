/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/command.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/help.h"
#include "cmd/out.h"

#define MAX_NAMES 64

#define POINTER(id) &command_##id,
static const struct command *const items[] = { COMMAND_LIST(POINTER) };
#undef POINTER

const struct command_set *commands_all(void)
{
	static const struct command_set all = {
		.items = items,
		.n = sizeof(items) / sizeof(items[0]),
	};

	return &all;
}

const struct command *command_find(const char *name, const char **ret_nearest)
{
	const struct command_set *all = commands_all();
	const char *names[MAX_NAMES];
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (!strcmp(all->items[i]->name, name))
			return all->items[i];
		if (!(all->items[i]->flags & CMD_HIDDEN) && n < MAX_NAMES)
			names[n++] = all->items[i]->name;
	}
	if (ret_nearest)
		*ret_nearest = nearest_name(name, names, n);
	return NULL;
}

int command_usage(const struct command *command, struct err *err,
		  const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	(void)err_set(err, -EINVAL, "%s: %s; see \"nvmetune help %s\"",
		      command->name, text, command->name);
	return EXIT_USAGE;
}

/* Beside its rows each command has these. */
static const struct opt every_command[] = {
	{ .name = "no-color",
	  OPT_TO(FLAG, no_color),
	  .help = "plain text, even on a terminal (like NO_COLOR=1)" },
	{ .name = "help",
	  .letter = 'h',
	  OPT_TO(FLAG, help),
	  .help = "show this help" },
	OPT_END,
};

const struct opt *command_opt(const struct command *command, size_t i)
{
	for (const struct opt *opt = command->opts; opt && opt->name; opt++) {
		if (i-- == 0)
			return opt;
	}
	return i + 1 < sizeof(every_command) / sizeof(every_command[0]) ?
		       &every_command[i] :
		       NULL;
}

struct parser {
	const struct command *command;
	struct options *options;
	int argc;
	char **argv;
	int at;		/* of the argument that is being read */
	uint64_t given; /* one bit for each row */
	struct err *err;
};

static const struct opt *find_long(const struct parser *parser,
				   const char *name, size_t n, size_t *ret)
{
	const struct opt *opt;

	for (size_t i = 0; (opt = command_opt(parser->command, i)); i++) {
		if (!strncmp(opt->name, name, n) && !opt->name[n]) {
			*ret = i;
			return opt;
		}
	}
	return NULL;
}

static const struct opt *find_short(const struct parser *parser, char letter,
				    size_t *ret)
{
	const struct opt *opt;

	for (size_t i = 0; (opt = command_opt(parser->command, i)); i++) {
		if (opt->letter && opt->letter == letter) {
			*ret = i;
			return opt;
		}
	}
	return NULL;
}

static int unknown_long(const struct parser *parser, const char *name, size_t n)
{
	const char *names[MAX_NAMES];
	const char *near;
	const struct opt *opt;
	char text[MAX_NAMES + 1];
	size_t count = 0;

	for (size_t i = 0; (opt = command_opt(parser->command, i)); i++)
		names[count++] = opt->name;
	(void)snprintf(text, sizeof(text), "%.*s", (int)n, name);
	near = nearest_name(text, names, count);
	return err_set(
		parser->err, -EINVAL,
		near ? "unknown option \"--%s\" (did you mean \"--%s\"?)" :
		       "unknown option \"--%s\"",
		text, near);
}

/* Where nothing tells 0 from an option that was left out, it is no number. */
static int store_number(const struct parser *parser, const struct opt *opt,
			const char *value, unsigned int *to)
{
	if (parse_uint(value, to) < 0)
		return err_set(
			parser->err, -EINVAL,
			"--%s: \"%s\" is not a whole number of at most %u",
			opt->name, value, UINT32_MAX);
	if (*to == 0 && !opt->given)
		return err_set(parser->err, -EINVAL,
			       "--%s: 0 is too few: at least 1 is wanted",
			       opt->name);
	return 0;
}

/* value: NULL when none was given. */
static int store(struct parser *parser, const struct opt *opt, size_t row,
		 const char *value)
{
	char *to = (char *)parser->options + opt->offset;

	assert(row < 64);
	parser->given |= (uint64_t)1 << row;
	if (opt->given)
		*(bool *)((char *)parser->options + opt->given) = true;
	switch (opt->type) {
	case OPT_FLAG:
		*(bool *)(void *)to = true;
		return 0;
	case OPT_TEXT:
		*(const char **)(void *)to = value;
		return 0;
	case OPT_MAYBE:
		*(const char **)(void *)to = value ? value : "";
		return 0;
	case OPT_NUMBER:
		break;
	}
	return store_number(parser, opt, value, (unsigned int *)(void *)to);
}

static bool takes_value(const struct opt *opt)
{
	return opt->type == OPT_TEXT || opt->type == OPT_NUMBER;
}

/* The next argument as the value of an option that must have one. */
static int value_behind(struct parser *parser, const struct opt *opt,
			const char **ret)
{
	if (parser->at + 1 >= parser->argc)
		return err_set(parser->err, -EINVAL, "--%s needs %s %s",
			       opt->name,
			       strchr("AEIOU", opt->arg[0]) ? "an" : "a",
			       opt->arg);
	*ret = parser->argv[++parser->at];
	return 0;
}

static int parse_long(struct parser *parser, const char *text)
{
	size_t n = strcspn(text, "=");
	const char *value = text[n] ? text + n + 1 : NULL;
	const struct opt *opt;
	size_t row = 0;
	int r;

	opt = find_long(parser, text, n, &row);
	if (!opt)
		return unknown_long(parser, text, n);
	if (value && opt->type == OPT_FLAG)
		return err_set(parser->err, -EINVAL, "--%s takes no value",
			       opt->name);
	if (!value && takes_value(opt)) {
		r = value_behind(parser, opt, &value);
		if (r < 0)
			return r;
	}
	return store(parser, opt, row, value);
}

/* "-w", "-o FILE", "-oFILE", "-wo FILE" */
static int parse_short(struct parser *parser, const char *letters)
{
	const struct opt *opt;
	const char *value;
	size_t row = 0;
	int r;

	for (; *letters; letters++) {
		value = NULL;
		opt = find_short(parser, *letters, &row);
		if (!opt)
			return err_set(parser->err, -EINVAL,
				       "unknown option \"-%c\"", *letters);
		if (takes_value(opt)) {
			value = letters + 1;
			r = *value ? 0 : value_behind(parser, opt, &value);
			if (r < 0)
				return r;
		}
		r = store(parser, opt, row, value);
		if (r < 0 || value)
			return r;
	}
	return 0;
}

static int check_exclusions(const struct parser *parser)
{
	const struct opt *opt;
	size_t other = 0;

	for (size_t i = 0; (opt = command_opt(parser->command, i)); i++) {
		if (!(parser->given & (uint64_t)1 << i) || !opt->excludes)
			continue;
		if (find_long(parser, opt->excludes, strlen(opt->excludes),
			      &other) &&
		    parser->given & (uint64_t)1 << other)
			return err_set(parser->err, -EINVAL,
				       "--%s and --%s exclude each other",
				       opt->name, opt->excludes);
	}
	return 0;
}

/*
 * Options and operands of argv, in any order; "--" ends the options.  On
 * success *ret_argc operands have been moved to the front of argv.  -EINVAL
 * with the sentence in err.
 */
static int parse(const struct command *command, int argc, char **argv,
		 struct options *ret, int *ret_argc, struct err *err)
{
	struct options options = { 0 };
	struct parser parser = { .command = command,
				 .options = &options,
				 .argc = argc,
				 .argv = argv,
				 .err = err };
	int n = 0;
	int r = 0;

	for (; parser.at < argc; parser.at++) {
		char *arg = argv[parser.at];

		if (!strcmp(arg, "--")) {
			parser.at++;
			break;
		}
		if (arg[0] != '-' || !arg[1])
			argv[n++] = arg;
		else if (arg[1] == '-')
			r = parse_long(&parser, arg + 2);
		else
			r = parse_short(&parser, arg + 1);
		if (r < 0)
			return r;
	}
	r = check_exclusions(&parser);
	if (r < 0)
		return r;
	if (!(command->flags & CMD_RAW_ARGS))
		while (parser.at < argc)
			argv[n++] = argv[parser.at++];
	else if (parser.at > 0 && !strcmp(argv[parser.at - 1], "--"))
		options.argv = argv + parser.at;
	*ret = options;
	*ret_argc = n;
	return 0;
}

static int run(const struct command *command, int argc, char **argv,
	       struct err *err)
{
	struct context ctx;
	int status;
	int r;

	context_init(&ctx);
	r = parse(command, argc, argv, &ctx.options, &argc, err);
	if (r == 0)
		r = context_options(&ctx, err);
	if (r < 0)
		status = command_usage(command, err, "%s", err->text);
	else if (ctx.options.help)
		status = help_print(command, ctx.width);
	else
		status = command->run(&ctx, argc, argv, err);
	context_done(&ctx);
	return status;
}

int command_line(int argc, char **argv, struct err *err)
{
	const struct command *command;
	const char *near = NULL;
	int status;

	if (argc < 1)
		return help_missing();
	if (!strcmp(argv[0], "--version") || !strcmp(argv[0], "-V"))
		status = help_version();
	else if (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
		status = help_print(NULL, out_width());
	else if ((command = command_find(argv[0], &near)))
		status = run(command, argc - 1, argv + 1, err);
	else
		return help_unknown(argv[0], near, err);

	/* What is lost on the way out is a failure, not silence. */
	if (!err->text[0] && out_finish(err) < 0)
		status = EXIT_FAILED;
	return status;
}
