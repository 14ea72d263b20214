/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plan_parts.h"

#include <string.h>

#include "base/escape.h"
#include "base/parse.h"
#include "cmd/needed.h"
#include "cmd/out.h"
#include "cmd/remarks.h"

void plan_put_label(struct strbuf *sb, const struct plan_view *view,
		    enum tone tone, const char *word)
{
	out_tone(sb, tone, view->color, word);
	strbuf_pad(sb, PLAN_LABEL - out_columns(word));
}

void plan_put_text(struct strbuf *sb, const struct plan_view *view,
		   unsigned int indent, const char *text)
{
	out_wrapped(sb, text, indent, view->width);
	strbuf_putc(sb, '\n');
}

/* "warning   nvme2: the link ..." */
void plan_put_paragraph(struct strbuf *sb, const struct plan_view *view,
			enum tone tone, const char *word, const char *text)
{
	plan_put_label(sb, view, tone, word);
	plan_put_text(sb, view, PLAN_LABEL, text);
}

static void put_lines(struct strbuf *sb, const struct plan_view *view,
		      enum tone tone, const char *mark, const char *text)
{
	while (text && *text) {
		size_t n = strcspn(text, "\n");

		strbuf_pad(sb, PLAN_LABEL);
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
		plan_put_paragraph(sb, view, file_tone(it->action),
				   file_action_name(it->action),
				   it->reason ?
					   arena_printf(sb->arena, "%s: %s",
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
		plan_put_paragraph(sb, view, TONE_STRONG, "queues", line.text);
	}
	if (view->plan->splits.n)
		strbuf_putc(sb, '\n');
}

static void put_remarks(struct strbuf *sb, const struct plan_view *view)
{
	const struct plan *plan = view->plan;

	for (size_t i = 0; i < plan->advice.n; i++) {
		const char *severity = plan->advice.items[i].severity;
		const char *text = remark_text(sb->arena, plan, i);

		if (text)
			plan_put_paragraph(sb, view,
					   strcmp(severity, "warning") == 0 ?
						   TONE_WARN :
						   TONE_PLAIN,
					   severity, text);
	}
	VEC_EACH(&view->facts->blind, const char *, it)
		plan_put_paragraph(sb, view, TONE_PLAIN, "not seen", *it);
	if (plan->advice.n || view->facts->blind.n)
		strbuf_putc(sb, '\n');
}

static void put_needs(struct strbuf *sb, const struct plan_view *view)
{
	const struct needed needed = {
		.needs = view->plan->needs | view->plan->file_needs,
		.command = needed_rebuild(sb->arena, view->facts),
		.units = plan_restarts(sb->arena, view->plan),
	};
	const char *text = needed_text(sb->arena, &needed);

	if (text)
		plan_put_paragraph(sb, view, TONE_WARN, "needs",
				   arena_printf(sb->arena, "after apply: %s",
						text));
}

static size_t files_to_write(const struct plan *plan)
{
	size_t n = 0;

	VEC_EACH(&plan->files, const struct planned_file, it)
		n += it->action == FILE_CREATE || it->action == FILE_REPLACE ||
		     it->action == FILE_REMOVE;
	return n;
}

/* "3 to change, 1 later, 12 as wanted, 0 cannot; 2 files to write" */
static void put_summary(struct strbuf *sb, const struct plan *plan)
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

/* "an image of Debian GNU/Linux 12 with kernels 6.1.0-53-amd64" */
static const char *image_text(struct arena *arena, const struct facts *facts)
{
	struct strbuf text;
	const char *gap = facts->kernels.n == 1 ? " with kernel " :
						  " with kernels ";

	strbuf_init(&text, arena);
	strbuf_printf(&text, "an image of %s",
		      facts->os_name ? facts->os_name : "an unknown system");
	VEC_EACH(&facts->kernels, struct image_kernel, kernel) {
		strbuf_printf(&text, "%s%s", gap, kernel->release);
		gap = ", ";
	}
	if (facts->kernels.n == 0)
		strbuf_puts(&text, " without a kernel");
	return text.text;
}

static const char *host_text(struct arena *arena, const struct facts *facts)
{
	if (num_or(facts->image, 0))
		return image_text(arena, facts);
	return arena_printf(arena, "%s, Linux %s",
			    facts->hostname ? facts->hostname : "this host",
			    facts->kernel ? facts->kernel : "unknown");
}

/* "profile oltp on db1, Linux 6.1, only nvme0n1" */
static char *title(struct arena *arena, const struct plan_view *view)
{
	struct strbuf sb;
	const char *gap = ", only ";

	strbuf_init(&sb, arena);
	strbuf_printf(&sb, "profile %s on %s", view->plan->profile,
		      host_text(arena, view->facts));
	VEC_EACH(&view->plan->only, const char *, it) {
		strbuf_printf(&sb, "%s%s", gap, *it);
		gap = ", ";
	}
	return sb.text;
}

void plan_put(struct strbuf *sb, const struct plan_view *view)
{
	out_tone(sb, TONE_STRONG, view->color, title(sb->arena, view));
	strbuf_puts(sb, "\n\n");
	if (num_or(view->facts->image, 0))
		strbuf_puts(
			sb,
			"for every host that boots it, and every local PCIe drive but where a section narrows that\n\n");
	else if (view->facts->ctrls.n == 0)
		strbuf_puts(sb, "no NVMe controllers\n\n");
	plan_put_changes(sb, view);
	plan_put_keeps(sb, view);
	put_files(sb, view);
	put_splits(sb, view);
	put_remarks(sb, view);
	put_needs(sb, view);
	put_summary(sb, view->plan);
}
