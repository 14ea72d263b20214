/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/escape.h"
#include "base/parse.h"
#include "cmd/plan_parts.h"

#define VALUE_MIN 12U
#define VALUE_MAX 24U

/* The same change on several targets. */
struct group {
	const struct change *change; /* the first of them */
	VEC(const char *) targets;
};

struct groups {
	VEC(struct group) items;
};

static bool same_texts(const char *const *a, size_t na, const char *const *b,
		       size_t nb)
{
	if (na != nb)
		return false;
	for (size_t i = 0; i < na; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

static bool same_change(const struct change *a, const struct change *b)
{
	return text_equal(a->key, b->key) && a->origin == b->origin &&
	       a->verdict == b->verdict && a->pending == b->pending &&
	       a->needs == b->needs && value_equal(&a->have, &b->have) &&
	       value_equal(&a->want, &b->want) &&
	       text_equal(a->reason, b->reason) &&
	       text_equal(a->note, b->note) && text_equal(a->file, b->file) &&
	       a->line == b->line && a->persistence == b->persistence &&
	       text_equal(a->persist_reason, b->persist_reason) &&
	       same_texts(a->set_by.items, a->set_by.n, b->set_by.items,
			  b->set_by.n);
}

static void group(struct groups *groups, struct arena *arena,
		  const struct change *change)
{
	struct group *into = NULL;

	VEC_EACH(&groups->items, struct group, it)
		if (same_change(it->change, change))
			into = it;
	if (!into) {
		into = vec_add(arena, &groups->items);
		into->change = change;
	}
	*vec_add(arena, &into->targets) = change->target.name;
}

static const char *word_of(const struct change *change)
{
	if (change->origin == ORIGIN_EFFECT)
		return "effect";
	if (change->verdict == VERDICT_LATER && change->pending)
		return "pending";
	if (change->origin == ORIGIN_RETURN &&
	    change->verdict == VERDICT_CHANGE)
		return "return";
	return verdict_name(change->verdict);
}

static enum tone tone_of(const struct change *change)
{
	switch (change->verdict) {
	case VERDICT_KEEP:
		return TONE_FAINT;
	case VERDICT_CHANGE:
		return TONE_GOOD;
	case VERDICT_LATER:
		return TONE_WARN;
	case VERDICT_CANNOT:
		break;
	}
	return TONE_BAD;
}

/* "service postgresql.service" */
static bool names_itself(const struct change *change)
{
	return change->target.kind == TARGET_SERVICE ||
	       change->target.kind == TARGET_WRAPPER;
}

/* "queue.scheduler on nvme0n1, nvme1n1"; a module's name is in its key. */
static char *subject(struct arena *arena, const struct group *it)
{
	struct strbuf sb;
	const char *gap = names_itself(it->change) ? " " : " on ";

	strbuf_init(&sb, arena);
	strbuf_puts(&sb, it->change->key);
	if (it->change->target.kind == TARGET_MODULE)
		return sb.text;
	VEC_EACH(&it->targets, const char *, name) {
		strbuf_printf(&sb, "%s%s", gap, *name);
		gap = ", ";
	}
	return sb.text;
}

static char *value_of(struct arena *arena, const struct change *change,
		      const struct value *value)
{
	struct strbuf sb;

	strbuf_init(&sb, arena);
	if (value->type == VALUE_NONE)
		strbuf_puts(&sb, "(the driver's default)");
	else if (change->knob)
		knob_value_to_text(change->knob, value, &sb);
	else
		value_to_text(value, &sb);
	return sb.text;
}

static char *set_by(struct arena *arena, const struct change *change)
{
	bool is_module = change->target.kind == TARGET_MODULE;
	struct strbuf sb;

	strbuf_init(&sb, arena);
	/* A module has what it had when it was loaded: an option that was
	 * written since is told, but did not set it. */
	VEC_EACH(&change->set_by, const char *, it)
		strbuf_printf(&sb, "%s%s",
			      sb.len	? "; " :
			      is_module ? "option " :
					  "set by ",
			      *it);
	if (sb.len == 0 && change->origin == ORIGIN_PROFILE &&
	    change->verdict != VERDICT_CANNOT &&
	    (is_module || change->target.kind == TARGET_QUEUE))
		strbuf_puts(&sb, is_module ? "no option sets it" :
					     "no udev rule sets it");
	return sb.text;
}

static const char *kept_by(struct arena *arena, const struct change *change)
{
	switch (change->persistence) {
	case PERSIST_NONE:
		return "";
	case PERSIST_RULE:
		if (change->persist_reason)
			return arena_printf(arena, "kept by a udev rule, %s",
					    change->persist_reason);
		return "kept by a udev rule";
	case PERSIST_OPTION:
		return "kept by modprobe.d";
	case PERSIST_SYSCTL:
		return "kept by sysctl.d";
	case PERSIST_HELPER:
		if (change->persist_reason)
			return arena_printf(arena,
					    "kept by the device helper, %s",
					    change->persist_reason);
		return "kept by the device helper";
	case PERSIST_UNIT:
		return "kept by a drop-in of its unit";
	case PERSIST_SCRIPT:
		return "kept by a script";
	case PERSIST_WORD:
		return "kept by the kernel command line";
	case PERSIST_KERNEL:
		return "kept by the kernel itself";
	case PERSIST_CANNOT:
		break;
	}
	return arena_printf(arena, "not kept over a reboot: %s",
			    change->persist_reason ? change->persist_reason :
						     "nothing can");
}

static char *asked_by(struct arena *arena, const struct change *change)
{
	struct strbuf sb;
	const char *kept = kept_by(arena, change);

	strbuf_init(&sb, arena);
	if (change->file) {
		strbuf_puts(&sb, "asked ");
		if (change->want.type != VALUE_NONE &&
		    !text_equal(change->asked,
				value_string(arena, &change->want)))
			strbuf_printf(&sb, "as %s ", change->asked);
		strbuf_printf(&sb, "by %s:%u", change->file, change->line);
	}
	if (kept[0])
		strbuf_printf(&sb, "%s%s", sb.len ? ", " : "", kept);
	return sb.text;
}

/* "- mq-deadline  set by ..." */
static void put_side(struct strbuf *sb, const struct plan_view *view,
		     enum tone tone, char sign, const char *value,
		     size_t columns, const char *note)
{
	char mark[3] = { sign, ' ', '\0' };
	size_t used = out_columns(value);

	strbuf_pad(sb, PLAN_LABEL);
	strbuf_puts(sb, tone_on(tone, view->color));
	strbuf_puts(sb, mark);
	escape_to(sb, value);
	strbuf_puts(sb, tone_off(tone, view->color));
	if (note[0]) {
		strbuf_pad(sb, (used < columns ? columns - used : 0) + 2);
		out_wrapped(sb, note,
			    (unsigned int)(PLAN_LABEL + 2 + columns + 2),
			    view->width);
	}
	strbuf_putc(sb, '\n');
}

static size_t value_columns(const char *a, const char *b)
{
	size_t columns = out_columns(a) > out_columns(b) ? out_columns(a) :
							   out_columns(b);

	if (columns < VALUE_MIN)
		return VALUE_MIN;
	return columns < VALUE_MAX ? columns : VALUE_MAX;
}

static void put_group(struct strbuf *sb, const struct plan_view *view,
		      const struct group *it)
{
	const struct change *change = it->change;
	bool cannot = change->verdict == VERDICT_CANNOT;
	bool has = change->have.type != VALUE_NONE;
	const char *have = value_of(sb->arena, change, &change->have);
	const char *want = value_of(sb->arena, change, &change->want);
	size_t columns;

	if (change->want.type == VALUE_NONE && change->asked)
		want = change->asked;
	columns = value_columns(has ? have : "", want);
	plan_put_label(sb, view, tone_of(change), word_of(change));
	strbuf_puts(sb, tone_on(TONE_STRONG, view->color));
	out_wrapped(sb, subject(sb->arena, it), PLAN_LABEL, view->width);
	strbuf_puts(sb, tone_off(TONE_STRONG, view->color));
	strbuf_putc(sb, '\n');
	if (has)
		put_side(sb, view, cannot ? TONE_PLAIN : TONE_BAD,
			 cannot ? ' ' : '-', have, columns,
			 set_by(sb->arena, change));
	put_side(sb, view, cannot ? TONE_BAD : TONE_GOOD, cannot ? '!' : '+',
		 want, columns, asked_by(sb->arena, change));
	if (change->reason) {
		strbuf_pad(sb, PLAN_LABEL + 2);
		plan_put_text(sb, view, PLAN_LABEL + 2, change->reason);
	}
	if (change->note) {
		strbuf_pad(sb, PLAN_LABEL + 2);
		plan_put_text(sb, view, PLAN_LABEL + 2, change->note);
	}
}

void plan_put_changes(struct strbuf *sb, const struct plan_view *view)
{
	struct groups groups = { 0 };

	VEC_EACH(&view->plan->changes, const struct change, it)
		if (it->verdict != VERDICT_KEEP)
			group(&groups, sb->arena, it);
	VEC_EACH(&groups.items, const struct group, it)
		put_group(sb, view, it);
	if (groups.items.n)
		strbuf_putc(sb, '\n');
}

/* "2 disks" */
static const char *several(enum target_kind kind)
{
	static const char *const words[] = {
		[TARGET_HOST] = "hosts",
		[TARGET_MODULE] = "modules",
		[TARGET_CTRL] = "controllers",
		[TARGET_QUEUE] = "disks",
		[TARGET_FUNCTION] = "controllers",
		[TARGET_VECTOR] = "vectors",
		[TARGET_SUBSYSTEM] = "subsystems",
		[TARGET_CPUS] = "CPU groups",
		[TARGET_SERVICE] = "services",
		[TARGET_WRAPPER] = "wrappers",
	};

	return words[kind];
}

/* "queue.scheduler = none", or the key alone of what cannot be had. */
static void put_kept_value(struct strbuf *text, const struct change *change)
{
	strbuf_puts(text, change->key);
	if (change->have.type != VALUE_NONE ||
	    change->target.kind == TARGET_MODULE)
		strbuf_printf(text, " = %s",
			      value_of(text->arena, change, &change->have));
}

/* What is to be said of it beside its value. */
static void put_kept_notes(struct strbuf *text, const struct plan_view *view,
			   const struct change *change)
{
	const bool moot = change->have.type == VALUE_NONE &&
			  change->target.kind != TARGET_MODULE;

	if (moot || change->settled)
		strbuf_printf(text, ": %s", change->reason);
	else if (view->wide && change->file)
		strbuf_printf(text, ", %s", asked_by(text->arena, change));
	else if (change->persistence == PERSIST_CANNOT)
		strbuf_printf(text, ", %s", kept_by(text->arena, change));
	if (view->wide && change->put_back)
		strbuf_printf(text, "; %s", change->reason);
	if (view->wide && change->note)
		strbuf_printf(text, "; %s", change->note);
}

/* One line for a knob and its value, wherever it is so already. */
static void put_kept(struct strbuf *sb, const struct plan_view *view,
		     const struct group *it)
{
	const struct change *change = it->change;
	struct strbuf text;

	strbuf_init(&text, sb->arena);
	put_kept_value(&text, change);
	if (change->target.kind != TARGET_MODULE) {
		if (it->targets.n > 1 && !view->wide)
			strbuf_printf(&text, " on %zu %s", it->targets.n,
				      several(change->target.kind));
		else
			strbuf_puts(&text, subject(sb->arena, it) +
						   strlen(change->key));
	}
	put_kept_notes(&text, view, change);
	plan_put_paragraph(sb, view, TONE_FAINT, "keep", text.text);
}

void plan_put_keeps(struct strbuf *sb, const struct plan_view *view)
{
	struct groups groups = { 0 };

	/* What is only put back was never asked for: it is no keep. */
	VEC_EACH(&view->plan->changes, const struct change, it)
		if (it->verdict == VERDICT_KEEP &&
		    (view->wide || it->origin != ORIGIN_EFFECT))
			group(&groups, sb->arena, it);
	VEC_EACH(&groups.items, const struct group, it)
		put_kept(sb, view, it);
	if (groups.items.n)
		strbuf_putc(sb, '\n');
}
