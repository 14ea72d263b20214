/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The parts of the manual pages that would go out of date if somebody kept
 * them by hand: man(7) text from the tables of commands, knobs and advice.
 * The rest of each page is below docs/man.
 */
#include <string.h>

#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/help.h"
#include "cmd/topic_page.h"
#include "knobs/knob_list.h"

struct part {
	const char *name;
	void (*put)(struct arena *arena, struct strbuf *out);
};

/*
 * Text as roff shows it unchanged: what it takes for an escape, a hyphen, a
 * quotation mark or an accent is named, so that a command can be copied.
 */
static void put_text(struct strbuf *out, const char *text)
{
	static const struct {
		char c;
		const char *roff;
	} names[] = {
		{ '\\', "\\e" },  { '-', "\\-" },   { '\'', "\\(aq" },
		{ '`', "\\(ga" }, { '^', "\\(ha" }, { '~', "\\(ti" },
	};

	for (; *text; text++) {
		const char *roff = NULL;

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (names[i].c == *text)
				roff = names[i].roff;
		if (roff)
			strbuf_puts(out, roff);
		else
			strbuf_putc(out, *text);
	}
}

/* One line of text; "\&" since a point at its beginning is a request. */
static void put_line(struct strbuf *out, const char *text)
{
	if (text[0] == '.')
		strbuf_puts(out, "\\&");
	put_text(out, text);
	strbuf_putc(out, '\n');
}

/* The argument of a heading, which ends at a quotation mark. */
static void put_heading(struct strbuf *out, const char *text)
{
	strbuf_puts(out, ".SS \"");
	for (; *text; text++)
		if (*text == '"')
			strbuf_puts(out, "\\(dq");
		else
			put_text(out, (const char[]){ *text, '\0' });
	strbuf_puts(out, "\"\n");
}

/* Paragraphs, an empty line between them. */
static void put_paragraphs(struct arena *arena, struct strbuf *out,
			   const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n)
			put_line(out, arena_strndup(arena, text, n));
		else
			strbuf_puts(out, ".PP\n");
		text += n + (text[n] == '\n');
	}
}

static void put_opt(struct strbuf *out, const struct opt *opt)
{
	strbuf_puts(out, ".TP\n");
	if (opt->letter)
		strbuf_printf(out, "\\fB\\-%c\\fR, ", opt->letter);
	strbuf_puts(out, "\\fB\\-\\-");
	put_text(out, opt->name);
	strbuf_puts(out, "\\fR");
	if (opt->arg) {
		strbuf_puts(out, opt->type == OPT_MAYBE ? "[=\\fI" : " \\fI");
		put_text(out, opt->arg);
		strbuf_puts(out, opt->type == OPT_MAYBE ? "\\fR]" : "\\fR");
	}
	strbuf_putc(out, '\n');
	put_line(out, opt->help);
}

/* "3  differences", a line each. */
static void put_exits(struct arena *arena, struct strbuf *out,
		      const char *lines)
{
	strbuf_puts(out, ".PP\nExit status, beside the usual:\n");
	while (*lines) {
		size_t n = strcspn(lines, "\n");

		strbuf_puts(out, ".br\n");
		put_line(out, arena_strndup(arena, lines, n));
		lines += n + (lines[n] == '\n');
	}
}

static void put_command(struct arena *arena, struct strbuf *out,
			const struct command *command)
{
	put_heading(out, arena_printf(arena, "%s [OPTION...]%s%s",
				      command->name, command->args ? " " : "",
				      command->args ? command->args : ""));
	put_line(out, arena_printf(arena, "%s.", command->summary));
	if (command->details) {
		strbuf_puts(out, ".PP\n");
		put_paragraphs(arena, out, command->details);
	}
	for (const struct opt *opt = command->opts; opt && opt->name; opt++)
		put_opt(out, opt);
	if (command->exits)
		put_exits(arena, out, command->exits);
}

static void put_commands(struct arena *arena, struct strbuf *out)
{
	const struct command_set *all = commands_all();

	for (size_t i = 0; i < all->n; i++)
		put_command(arena, out, all->items[i]);
}

/* Those that every command has beside its own. */
static void put_options(struct arena *arena, struct strbuf *out)
{
	static const struct command none = { .name = "" };
	const struct opt *opt;

	(void)arena;
	for (size_t i = 0; (opt = command_opt(&none, i)); i++)
		put_opt(out, opt);
}

static void put_topic(struct strbuf *out, const struct topic_page *page)
{
	put_heading(out, page->name);
	put_line(out, page->headline);
	VEC_EACH(&page->items, const struct topic_item, it) {
		strbuf_puts(out, ".TP 12\n");
		put_line(out, it->label);
		put_line(out, it->text);
	}
}

static void put_knobs(struct arena *arena, struct strbuf *out)
{
	const struct knob_set *knobs = knobs_all();
	struct topic_page page;

	for (size_t i = 0; i < knobs->n; i++) {
		topic_page_knob(arena, knobs->items[i], NULL, &page);
		put_topic(out, &page);
	}
}

static void put_advice(struct arena *arena, struct strbuf *out)
{
	const struct advice_doc *doc;
	struct topic_page page;

	for (size_t i = 0; (doc = advice_doc(i)); i++) {
		topic_page_advice(arena, doc, &page);
		put_topic(out, &page);
	}
}

static const struct part parts[] = {
	{ "commands", put_commands },
	{ "options", put_options },
	{ "knobs", put_knobs },
	{ "advice", put_advice },
};

static int manual(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct strbuf out;

	if (argc != 1)
		return command_usage(&command_manual, err,
				     "one part is wanted: %s",
				     command_manual.args);
	strbuf_init(&out, ctx->arena);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].name, argv[0]) == 0)
			parts[i].put(ctx->arena, &out);
	if (out.len == 0)
		return command_usage(&command_manual, err,
				     "there is no part \"%s\": legal are %s",
				     argv[0], command_manual.args);
	out_write(&out);
	return EXIT_DONE;
}

const struct command command_manual = {
	.name = "manual",
	.args = "commands | options | knobs | advice",
	.summary = "print a generated part of the manual pages",
	.flags = CMD_HIDDEN,
	.run = manual,
	.details =
		"The build inserts each part into its page; the rest is written by hand.",
};
