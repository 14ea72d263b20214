/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/udev_rules.h"

#include <string.h>

#include "base/escape.h"
#include "render/header.h"

/*
 * What udev matches a key against.  The ATTRS keys all live on the
 * controller: within one rule, every ATTRS must hold for the same parent.
 * The driver is one parent further up, so it needs a rule of its own.
 */
static const char *udev_key(enum match_key key)
{
	switch (key) {
	case MATCH_MODEL:
		return "ATTRS{model}";
	case MATCH_SERIAL:
		return "ATTRS{serial}";
	case MATCH_FIRMWARE:
		return "ATTRS{firmware_rev}";
	case MATCH_TRANSPORT:
		return "ATTRS{transport}";
	case MATCH_NODE:
		return "ATTRS{numa_node}";
	case MATCH_DRIVER:
		return "DRIVERS";
	case MATCH_ZONED:
		return "ATTR{queue/zoned}";
	}
	return "";
}

/*
 * A pattern between double quotes.  udev knows no escapes in it, or different
 * ones in different versions: what a backslash takes literally goes into a
 * set of one, and what no set can hold ("|" is cut first) becomes "?".
 */
static void put_pattern(struct strbuf *out, const char *pattern)
{
	while (*pattern) {
		const bool literal = *pattern == '\\' && pattern[1];
		unsigned int n;

		pattern += literal;
		n = escape_utf8_len(pattern);
		if (n == 0 || strchr("\"\\", *pattern) ||
		    (literal && *pattern == '|')) {
			strbuf_putc(out, '?');
			n = 1;
		} else if (literal && strchr("*?[", *pattern)) {
			strbuf_printf(out, "[%c]", *pattern);
		} else {
			strbuf_put(out, pattern, n);
		}
		pattern += n;
	}
}

static void put_term(struct strbuf *out, enum match_key key, bool negated,
		     const char *pattern)
{
	strbuf_printf(out, "%s%s=\"", udev_key(key), negated ? "!" : "=");
	put_pattern(out, pattern);
	strbuf_puts(out, "\", ");
}

static void put_match(struct strbuf *out, const struct match *match)
{
	if (!match_has_transport(match))
		put_term(out, MATCH_TRANSPORT, false, "pcie");
	VEC_EACH(&match->terms, struct match_term, term) {
		if (term->key == MATCH_DRIVER)
			continue;
		put_term(out, term->key, term->negated, term->pattern);
		/* The kernel's word for a node that it does not know. */
		if (term->key == MATCH_NODE)
			put_term(out, MATCH_NODE, true, "-1");
	}
}

static bool has_driver(const struct match *match)
{
	VEC_EACH(&match->terms, struct match_term, term)
		if (term->key == MATCH_DRIVER)
			return true;
	return false;
}

/* "scheduler" of "queue.scheduler", for a label. */
static const char *short_name(const struct knob *knob)
{
	const char *dot = strchr(knob->name, '.');

	return dot ? dot + 1 : knob->name;
}

/*
 * Rules that jump past this intent when its driver is another one.  Only
 * DRIVERS== is used: DRIVERS!= holds as soon as any parent has no driver.
 */
static void put_driver(struct strbuf *out, const struct udev_intent *intent,
		       const char *label, size_t number)
{
	unsigned int step = 0;

	VEC_EACH(&intent->match.terms, struct match_term, term) {
		if (term->key != MATCH_DRIVER)
			continue;
		put_term(out, MATCH_DRIVER, false, term->pattern);
		if (term->negated) {
			strbuf_printf(out, "GOTO=\"nvmetune_%s_%zu\"\n", label,
				      number);
			continue;
		}
		strbuf_printf(out,
			      "GOTO=\"nvmetune_%s_%zu_%u\"\n"
			      "GOTO=\"nvmetune_%s_%zu\"\n"
			      "LABEL=\"nvmetune_%s_%zu_%u\"\n",
			      label, number, step, label, number, label, number,
			      step);
		step++;
	}
}

static void put_intent(struct strbuf *out, const struct udev_intent *intent,
		       bool alone, size_t number)
{
	const char *label = short_name(intent->knob);

	strbuf_puts(out, "# ");
	escape_to(out, intent->file);
	strbuf_printf(out, ":%u\n", intent->line);
	put_driver(out, intent, label, number);
	put_match(out, &intent->match);
	if (!intent->keep)
		strbuf_printf(out, "TEST==\"%s\", ATTR{%s}=\"%s\"",
			      intent->knob->attr, intent->knob->attr,
			      intent->value);
	if (!alone)
		strbuf_printf(out, "%sGOTO=\"nvmetune_%s_end\"",
			      intent->keep ? "" : ", ", label);
	strbuf_putc(out, '\n');
	if (has_driver(&intent->match))
		strbuf_printf(out, "LABEL=\"nvmetune_%s_%zu\"\n", label,
			      number);
}

/*
 * The intents of one knob: the last section that matches counts, so they
 * stand in reverse and the first that matches jumps behind the others.
 */
static void put_knob(struct strbuf *out, const struct udev_intent *first,
		     size_t n)
{
	bool alone = n == 1;

	strbuf_putc(out, '\n');
	for (size_t i = n; i-- > 0;)
		put_intent(out, &first[i], alone, i);
	if (!alone)
		strbuf_printf(out, "LABEL=\"nvmetune_%s_end\"\n",
			      short_name(first->knob));
}

void render_udev_rules(const struct intents *intents, struct strbuf *out)
{
	const struct udev_intent *items = intents->udev.items;
	size_t n = intents->udev.n;

	if (n == 0)
		return;
	render_header(out, intents->profile);
	strbuf_puts(out,
		    "\n"
		    "ACTION!=\"add\", GOTO=\"nvmetune_end\"\n"
		    "SUBSYSTEM!=\"block\", GOTO=\"nvmetune_end\"\n"
		    "ENV{DEVTYPE}!=\"disk\", GOTO=\"nvmetune_end\"\n"
		    "KERNEL!=\"nvme[0-9]*n[0-9]*\", GOTO=\"nvmetune_end\"\n"
		    "TEST!=\"mq\", GOTO=\"nvmetune_end\"\n");
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n; same++)
			if (items[i + same].knob != items[i].knob)
				break;
		put_knob(out, &items[i], same);
	}
	strbuf_puts(out, "\nLABEL=\"nvmetune_end\"\n");
}
