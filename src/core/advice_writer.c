/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Advice on programs that will set back what a plan sets. */

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "core/advisor.h"

#define TUNED "tuned profile "

/* What tuned calls a knob: section and option of a profile of its own. */
static const struct {
	const char *key;
	const char *option;
} options[] = {
	{ "queue.scheduler", "[disk] elevator" },
	{ "queue.read_ahead_kb", "[disk] readahead" },
	{ "cpu.governor", "[cpu] governor" },
	{ "kernel.numa_balancing", "[sysctl] kernel.numa_balancing" },
};

/* "[disk] elevator=none"; other settings are lines of [sysfs]. */
static const char *option_for(struct arena *arena, const struct change *change)
{
	const char *want = value_string(arena, &change->want);
	const struct attr_writer *writer = change->overridden_by;

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (strcmp(options[i].key, change->key) == 0)
			return arena_printf(arena, "%s=%s", options[i].option,
					    want);
	return arena_printf(arena, "the line of %s:%" PRId64 " with %s",
			    writer->file, writer->line, want);
}

static bool is_said(const struct change *first, const struct change *change)
{
	for (; first < change; first++)
		if (first->overridden_by &&
		    first->overridden_by == change->overridden_by)
			return true;
	return false;
}

/* What the child of the active profile has to hold; "" where nothing does. */
static const char *child_options(const struct advisor *advisor,
				 const char **ret_who)
{
	struct strbuf out;

	strbuf_init(&out, advisor->arena);
	VEC_EACH(&advisor->plan->changes, struct change, change) {
		const struct attr_writer *writer = change->overridden_by;

		if (!writer || !text_has_prefix(writer->who, TUNED) ||
		    is_said(advisor->plan->changes.items, change))
			continue;
		*ret_who = writer->who;
		strbuf_printf(&out, "%s%s", out.len ? ", " : "",
			      option_for(advisor->arena, change));
	}
	return out.text;
}

/* "a b": the profiles that are active, as include= takes them. */
static const char *joined(struct arena *arena, const char *names)
{
	char *list = arena_strdup(arena, names);

	for (char *p = list; *p; p++)
		if (*p == ' ')
			*p = ',';
	return list;
}

static void tuned(const struct advisor *advisor)
{
	const char *who = NULL, *active;
	const char *lines = child_options(advisor, &who);
	int n;

	if (!who)
		return;
	active = who + strlen(TUNED);
	n = (int)strcspn(active, " ");
	advise(advisor, "host",
	       "will be overridden by %s: a profile of your own keeps what is wanted: /etc/tuned/%.*s-nvme/tuned.conf with [main] include=%s, %s; then tuned-adm profile %.*s-nvme",
	       who, n, active, joined(advisor->arena, active), lines, n,
	       active);
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "writer.tuned",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "tuned will set back what the profile sets",
		   .evidence =
			   "tuned runs, and its active profile or one that it includes sets another value of the same setting.",
		   .remedy =
			   "A tuned profile that includes the active one and sets the wanted values; a udev rule alone does not hold.",
		   .source =
			   "tuned.conf(5); tuned-profiles(7): include, [disk], [cpu], [sysctl], [sysfs]" },
	  .check_host = tuned },
};

const struct advice_rows advice_writer = ADVICE_ROWS(rows);
