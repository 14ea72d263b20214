/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/udev_rules.h"

#include <string.h>

#include "base/escape.h"
#include "core/owner.h"
#include "render/header.h"

/*
 * What udev matches a key against.  The ATTRS keys all live on the
 * controller: within one rule, every ATTRS must hold for the same parent.
 * The driver is that of the PCI function, one parent further up, so it needs
 * a rule of its own; the bridges above it have drivers too, and another class.
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

static void put_match(struct strbuf *out, const struct match *match,
		      bool about_drives)
{
	if (about_drives && !match_has_transport(match))
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

/*
 * One kind of event and the knobs that are kept by it.  Attributes are
 * written below the event's device, behind prefix.
 */
struct block {
	enum knob_kept kept;
	const char *name;
	const char *const *guards; /* each one jumps over the block */
	const char *prefix;
	bool about_drives; /* profiles match drives here */
};

#define DISK_GUARDS                                       \
	"SUBSYSTEM!=\"block\"", "ENV{DEVTYPE}!=\"disk\"", \
		"KERNEL!=\"nvme[0-9]*n[0-9]*\""

static const char *const disk_guards[] = { DISK_GUARDS, "TEST!=\"mq\"", NULL };
static const char *const late_guards[] = { DISK_GUARDS, NULL };
static const char *const ctrl_guards[] = { "SUBSYSTEM!=\"nvme\"",
					   "KERNEL!=\"nvme[0-9]*\"", NULL };
static const char *const subsystem_guards[] = { "SUBSYSTEM!=\"nvme-subsystem\"",
						"ATTR{subsystype}!=\"nvm\"",
						NULL };
static const char *const cpu_guards[] = { "SUBSYSTEM!=\"cpu\"",
					  "KERNEL!=\"cpu[0-9]*\"", NULL };

/*
 * What the driver makes after it has identified the drive comes too late for
 * the controller's own event, so those rules run for its disks once more.
 * The PCI function is reached through the controller: at the function's own
 * event no drive is bound, and nothing could be matched.
 */
static const struct block blocks[] = {
	{ KEPT_BY_DISK_RULE, "disk", disk_guards, "", true },
	{ KEPT_BY_CTRL_RULE, "ctrl", ctrl_guards, "", true },
	{ KEPT_BY_CTRL_RULE, "late", late_guards, "device/", true },
	{ KEPT_BY_FUNCTION_RULE, "function", ctrl_guards, "device/", true },
	{ KEPT_BY_SUBSYSTEM_RULE, "subsystem", subsystem_guards, "", false },
	{ KEPT_BY_CPU_RULE, "cpu", cpu_guards, "cpufreq/", false },
};

/* Where the labels of one knob's rules come from. */
struct place {
	const struct block *block;
	const char *knob; /* "scheduler" of "queue.scheduler" */
	bool alone;	  /* its only intent */
};

static const char *short_name(const struct knob *knob)
{
	const char *dot = strchr(knob->name, '.');

	return dot ? dot + 1 : knob->name;
}

static void put_label(struct strbuf *out, const char *key,
		      const struct place *place, const char *end)
{
	strbuf_printf(out, "%s=\"nvmetune_%s_%s_%s\"", key, place->block->name,
		      place->knob, end);
}

static void put_numbered(struct strbuf *out, const char *key,
			 const struct place *place, size_t number)
{
	strbuf_printf(out, "%s=\"nvmetune_%s_%s_%zu\"\n", key,
		      place->block->name, place->knob, number);
}

/* The same for one step of several within an intent. */
static void put_step(struct strbuf *out, const char *key,
		     const struct place *place, size_t number,
		     unsigned int step)
{
	strbuf_printf(out, "%s=\"nvmetune_%s_%s_%zu_%u\"\n", key,
		      place->block->name, place->knob, number, step);
}

/* 0x018002 is the class of Apple's drives. */
static void put_driver_term(struct strbuf *out, const char *pattern)
{
	strbuf_puts(
		out,
		"SUBSYSTEMS==\"pci\", ATTRS{class}==\"0x0108*|0x018002\", ");
	put_term(out, MATCH_DRIVER, false, pattern);
}

/*
 * Rules that jump past this intent when its driver is another one.  Only
 * DRIVERS== is used: DRIVERS!= holds as soon as any parent has no driver.
 * "!nvme" holds for a function with another driver, and not for a drive that
 * has none: what is unknown matches nothing.
 */
static void put_driver(struct strbuf *out, const struct udev_intent *intent,
		       const struct place *place, size_t number)
{
	unsigned int step = 0;

	VEC_EACH(&intent->match.terms, struct match_term, term) {
		if (term->key != MATCH_DRIVER)
			continue;
		if (term->negated) {
			put_driver_term(out, term->pattern);
			put_numbered(out, "GOTO", place, number);
		}
		put_driver_term(out, term->negated ? "?*" : term->pattern);
		put_step(out, "GOTO", place, number, step);
		put_numbered(out, "GOTO", place, number);
		put_step(out, "LABEL", place, number, step);
		step++;
	}
}

static void put_intent(struct strbuf *out, const struct udev_intent *intent,
		       const struct place *place, size_t number)
{
	const char *prefix = place->block->prefix;

	strbuf_puts(out, "# ");
	escape_to(out, intent->file);
	strbuf_printf(out, ":%u\n", intent->line);
	put_driver(out, intent, place, number);
	put_match(out, &intent->match, place->block->about_drives);
	if (!intent->keep)
		strbuf_printf(out, "TEST==\"%s%s\", ATTR{%s%s}=\"%s\"", prefix,
			      intent->knob->attr, prefix, intent->knob->attr,
			      intent->value);
	if (!place->alone) {
		if (!intent->keep)
			strbuf_puts(out, ", ");
		put_label(out, "GOTO", place, "end");
	}
	strbuf_putc(out, '\n');
	if (has_driver(&intent->match))
		put_numbered(out, "LABEL", place, number);
}

/*
 * The intents of one knob: the last section that matches counts, so they
 * stand in reverse and the first that matches jumps behind the others.
 */
static void put_knob(struct strbuf *out, const struct block *block,
		     const struct udev_intent *first, size_t n)
{
	const struct place place = { .block = block,
				     .knob = short_name(first->knob),
				     .alone = n == 1 };

	strbuf_putc(out, '\n');
	for (size_t i = n; i-- > 0;)
		put_intent(out, &first[i], &place, i);
	if (place.alone)
		return;
	put_label(out, "LABEL", &place, "end");
	strbuf_putc(out, '\n');
}

static bool has_any(const struct intents *intents, const struct block *block)
{
	VEC_EACH(&intents->udev, struct udev_intent, it)
		if (it->knob->kept == block->kept)
			return true;
	return false;
}

static void put_block(struct strbuf *out, const struct block *block,
		      const struct intents *intents)
{
	const struct udev_intent *items = intents->udev.items;
	size_t n = intents->udev.n;

	strbuf_putc(out, '\n');
	for (const char *const *guard = block->guards; *guard; guard++)
		strbuf_printf(out, "%s, GOTO=\"nvmetune_%s_end\"\n", *guard,
			      block->name);
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n; same++)
			if (items[i + same].knob != items[i].knob)
				break;
		if (items[i].knob->kept == block->kept)
			put_knob(out, block, &items[i], same);
	}
	strbuf_printf(out, "\nLABEL=\"nvmetune_%s_end\"\n", block->name);
}

static void put_rules(const struct intents *intents, const char *guard,
		      struct strbuf *out)
{
	if (intents->udev.n == 0)
		return;
	render_header(out, intents->profile);
	strbuf_puts(out, "\nACTION!=\"add\", GOTO=\"nvmetune_end\"\n");
	strbuf_puts(out, guard);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (has_any(intents, &blocks[i]))
			put_block(out, &blocks[i], intents);
	strbuf_puts(out, "\nLABEL=\"nvmetune_end\"\n");
}

/* initramfs-tools copies every file of /etc/udev/rules.d, and the copy is there
 * until the next rebuild, whatever rollback did to the file. */
void render_udev_rules(const struct intents *intents, struct strbuf *out)
{
	put_rules(
		intents,
		"# An initramfs may have an old copy of this file: the boot comes to it again.\n"
		"TEST!=\"" OWNER_APPLIED "\", GOTO=\"nvmetune_end\"\n",
		out);
}

void render_udev_export(const struct intents *intents, struct strbuf *out)
{
	put_rules(intents, "", out);
}
