/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plan_text.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/parse.h"
#include "cmd/out.h"

#define LABEL 10U /* columns of the word a paragraph begins with */
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
	       text_equal(a->file, b->file) && a->line == b->line &&
	       a->persistence == b->persistence &&
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

static void put_label(struct strbuf *sb, const struct plan_view *view,
		      enum tone tone, const char *word)
{
	out_tone(sb, tone, view->color, word);
	strbuf_pad(sb, LABEL - out_columns(word));
}

static void put_text(struct strbuf *sb, const struct plan_view *view,
		     unsigned int indent, const char *text)
{
	out_wrapped(sb, text, indent, view->width);
	strbuf_putc(sb, '\n');
}

/* "warning   nvme2: the link ..." */
static void put_paragraph(struct strbuf *sb, const struct plan_view *view,
			  enum tone tone, const char *word, const char *text)
{
	put_label(sb, view, tone, word);
	put_text(sb, view, LABEL, text);
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

/* "queue.scheduler on nvme0n1, nvme1n1"; a module's name is in its key. */
static char *subject(struct arena *arena, const struct group *it)
{
	struct strbuf sb;
	const char *gap = " on ";

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
	struct strbuf sb;

	strbuf_init(&sb, arena);
	VEC_EACH(&change->set_by, const char *, it)
		strbuf_printf(&sb, "%s%s", sb.len ? "; " : "set by ", *it);
	if (sb.len == 0 && change->origin == ORIGIN_PROFILE &&
	    change->verdict != VERDICT_CANNOT)
		strbuf_puts(&sb, change->target.kind == TARGET_MODULE ?
					 "no option sets it" :
					 "no udev rule sets it");
	return sb.text;
}

static const char *kept_by(struct arena *arena, const struct change *change)
{
	switch (change->persistence) {
	case PERSIST_NONE:
		return "";
	case PERSIST_RULE:
		return "kept by a udev rule";
	case PERSIST_OPTION:
		return "kept by modprobe.d";
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

	strbuf_pad(sb, LABEL);
	strbuf_puts(sb, tone_on(tone, view->color));
	strbuf_puts(sb, mark);
	escape_to(sb, value);
	strbuf_puts(sb, tone_off(tone, view->color));
	if (note[0]) {
		strbuf_pad(sb, (used < columns ? columns - used : 0) + 2);
		out_wrapped(sb, note, (unsigned int)(LABEL + 2 + columns + 2),
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
	put_label(sb, view, tone_of(change), word_of(change));
	strbuf_puts(sb, tone_on(TONE_STRONG, view->color));
	out_wrapped(sb, subject(sb->arena, it), LABEL, view->width);
	strbuf_puts(sb, tone_off(TONE_STRONG, view->color));
	strbuf_putc(sb, '\n');
	if (has)
		put_side(sb, view, cannot ? TONE_PLAIN : TONE_BAD,
			 cannot ? ' ' : '-', have, columns,
			 set_by(sb->arena, change));
	put_side(sb, view, cannot ? TONE_BAD : TONE_GOOD, cannot ? '!' : '+',
		 want, columns, asked_by(sb->arena, change));
	if (change->reason) {
		strbuf_pad(sb, LABEL + 2);
		put_text(sb, view, LABEL + 2, change->reason);
	}
}

static void put_changes(struct strbuf *sb, const struct plan_view *view)
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

/* One line for a knob and its value, wherever it is so already. */
static void put_kept(struct strbuf *sb, const struct plan_view *view,
		     const struct group *it)
{
	const struct change *change = it->change;
	struct strbuf text;

	strbuf_init(&text, sb->arena);
	strbuf_printf(&text, "%s = %s", change->key,
		      value_of(sb->arena, change, &change->have));
	if (change->target.kind != TARGET_MODULE) {
		if (it->targets.n > 1 && !view->wide)
			strbuf_printf(&text, " on %zu disks", it->targets.n);
		else
			strbuf_puts(&text, subject(sb->arena, it) +
						   strlen(change->key));
	}
	if (view->wide && change->file)
		strbuf_printf(&text, ", %s", asked_by(sb->arena, change));
	else if (change->persistence == PERSIST_CANNOT)
		strbuf_printf(&text, ", %s", kept_by(sb->arena, change));
	if (view->wide && change->put_back)
		strbuf_printf(&text, "; %s", change->reason);
	put_paragraph(sb, view, TONE_FAINT, "keep", text.text);
}

static void put_keeps(struct strbuf *sb, const struct plan_view *view)
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

static void put_lines(struct strbuf *sb, const struct plan_view *view,
		      enum tone tone, const char *mark, const char *text)
{
	while (text && *text) {
		size_t n = strcspn(text, "\n");

		strbuf_pad(sb, LABEL);
		strbuf_puts(sb, tone_on(tone, view->color));
		strbuf_put(sb, mark, n ? 2 : 1);
		escape_to(sb, arena_strndup(sb->arena, text, n));
		strbuf_puts(sb, tone_off(tone, view->color));
		strbuf_putc(sb, '\n');
		text += n + (text[n] == '\n');
	}
}

static enum tone file_tone(enum file_action action)
{
	switch (action) {
	case FILE_SAME:
		return TONE_FAINT;
	case FILE_CREATE:
	case FILE_REPLACE:
		return TONE_GOOD;
	case FILE_REMOVE:
		return TONE_WARN;
	case FILE_CONFLICT:
		break;
	}
	return TONE_BAD;
}

static void put_files(struct strbuf *sb, const struct plan_view *view)
{
	bool any = false;

	VEC_EACH(&view->plan->files, const struct planned_file, it) {
		bool said = it->action != FILE_SAME;

		if (!said && (!view->wide || !it->have))
			continue;
		put_paragraph(sb, view, file_tone(it->action),
			      file_action_name(it->action),
			      it->reason ? arena_printf(sb->arena, "%s: %s",
							it->path, it->reason) :
					   it->path);
		if (said && view->wide) {
			put_lines(sb, view, TONE_BAD, "- ", it->have);
			put_lines(sb, view, TONE_GOOD, "+ ", it->want);
		}
		any = true;
	}
	if (any)
		strbuf_putc(sb, '\n');
}

static void put_num(struct strbuf *sb, struct num num)
{
	if (num.known)
		strbuf_printf(sb, "%lld", (long long)num.value);
	else
		strbuf_puts(sb, "unknown");
}

/* "128/0/0 now, 96/0/32 after a reload" */
static char *split_text(struct arena *arena, const struct split *split)
{
	struct strbuf text;

	strbuf_init(&text, arena);
	put_num(&text, split->now_default);
	strbuf_putc(&text, '/');
	put_num(&text, split->now_read);
	strbuf_putc(&text, '/');
	put_num(&text, split->now_poll);
	strbuf_puts(&text, " now, ");
	if (split->predicted)
		strbuf_printf(&text, "%u/%u/%u after a reload",
			      split->next_default, split->next_read,
			      split->next_poll);
	else
		strbuf_puts(&text, "not predicted after a reload");
	if (split->reason)
		strbuf_printf(&text, ": %s", split->reason);
	return text.text;
}

static void put_splits(struct strbuf *sb, const struct plan_view *view)
{
	VEC(const char *) told = { 0 };

	VEC_EACH(&view->plan->splits, const struct split, it) {
		const char *text = split_text(sb->arena, it);
		struct strbuf line;
		bool again = false;

		VEC_EACH(&told, const char *, before)
			again = again || strcmp(*before, text) == 0;
		if (again)
			continue;
		*vec_add(sb->arena, &told) = text;
		strbuf_init(&line, sb->arena);
		for (const struct split *same = it;
		     same < view->plan->splits.items + view->plan->splits.n;
		     same++)
			if (!strcmp(split_text(sb->arena, same), text))
				strbuf_printf(&line, "%s%s",
					      line.len ? ", " : "", same->ctrl);
		strbuf_printf(&line, ": default/read/poll %s", text);
		put_paragraph(sb, view, TONE_STRONG, "queues", line.text);
	}
	if (view->plan->splits.n)
		strbuf_putc(sb, '\n');
}

static void put_remarks(struct strbuf *sb, const struct plan_view *view)
{
	const struct plan *plan = view->plan;

	VEC_EACH(&plan->advice, const struct advice, it)
		put_paragraph(sb, view,
			      strcmp(it->severity, "warning") == 0 ? TONE_WARN :
								     TONE_PLAIN,
			      it->severity,
			      arena_printf(sb->arena, "%s: %s", it->subject,
					   it->text));
	VEC_EACH(&view->facts->blind, const char *, it)
		put_paragraph(sb, view, TONE_PLAIN, "not seen", *it);
	if (plan->advice.n || view->facts->blind.n)
		strbuf_putc(sb, '\n');
}

const char *plan_initramfs_command(const struct facts *facts)
{
	static const struct {
		const char *tool, *command;
	} rows[] = {
		{ "update-initramfs", "update-initramfs -u" },
		{ "dracut", "dracut -f" },
		{ "mkinitcpio", "mkinitcpio -P" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (text_equal(facts->initramfs_tool, rows[i].tool))
			return rows[i].command;
	return NULL;
}

static void put_needs(struct strbuf *sb, const struct plan_view *view)
{
	const char *command = plan_initramfs_command(view->facts);
	struct strbuf text;

	if (!view->plan->needs)
		return;
	strbuf_init(&text, sb->arena);
	if (view->plan->needs & NEED_INITRAMFS && command)
		strbuf_printf(&text, "after apply: \"%s\", then ", command);
	else
		strbuf_puts(&text, "after apply: ");
	strbuf_puts(&text, "a reload of the nvme modules, or a reboot");
	put_paragraph(sb, view, TONE_WARN, "needs", text.text);
}

static size_t files_to_write(const struct plan *plan)
{
	size_t n = 0;

	VEC_EACH(&plan->files, const struct planned_file, it)
		n += it->action == FILE_CREATE || it->action == FILE_REPLACE ||
		     it->action == FILE_REMOVE;
	return n;
}

void plan_put_summary(struct strbuf *sb, const struct plan *plan)
{
	size_t files = files_to_write(plan);

	strbuf_printf(sb, "%zu to change, %zu later, %zu as wanted, %zu cannot",
		      plan_count(plan, VERDICT_CHANGE),
		      plan_count(plan, VERDICT_LATER),
		      plan_count(plan, VERDICT_KEEP),
		      plan_count(plan, VERDICT_CANNOT));
	if (files)
		strbuf_printf(sb, "; %zu %s to write", files,
			      files == 1 ? "file" : "files");
	strbuf_putc(sb, '\n');
}

void plan_put(struct strbuf *sb, const struct plan_view *view)
{
	const struct facts *facts = view->facts;

	out_tone(sb, TONE_STRONG, view->color,
		 arena_printf(sb->arena, "profile %s on %s, Linux %s",
			      view->plan->profile,
			      facts->hostname ? facts->hostname : "this host",
			      facts->kernel ? facts->kernel : "unknown"));
	strbuf_puts(sb, "\n\n");
	if (facts->ctrls.n == 0)
		strbuf_puts(sb, "no NVMe controllers\n\n");
	put_changes(sb, view);
	put_keeps(sb, view);
	put_files(sb, view);
	put_splits(sb, view);
	put_remarks(sb, view);
	put_needs(sb, view);
	plan_put_summary(sb, view->plan);
}
