/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/explain_text.h"

#include <string.h>

#include "base/escape.h"
#include "json/plan_json.h"
#include "json/write.h"

#define SCHEMA "nvmetune.explain/1"
#define LABEL 14U /* columns before the text */

static void put_page(struct context *ctx, const struct topic_page *page,
		     struct strbuf *out)
{
	out_tone(out, TONE_STRONG, ctx->color, page->name);
	strbuf_puts(out, ": ");
	out_wrapped(out, page->headline, 2, ctx->width);
	strbuf_puts(out, "\n\n");
	VEC_EACH(&page->items, const struct topic_item, it) {
		strbuf_puts(out, "  ");
		out_tone(out, TONE_FAINT, ctx->color, it->label);
		strbuf_pad(out, LABEL - 2 - strlen(it->label));
		out_wrapped(out, it->text, LABEL, ctx->width);
		strbuf_putc(out, '\n');
	}
}

static void put_raw(const struct topic_page *page, struct strbuf *out)
{
	strbuf_printf(out, "%s\t", page->kind);
	escape_to(out, page->name);
	strbuf_puts(out, "\nsummary\t");
	escape_to(out, page->headline);
	strbuf_putc(out, '\n');
	VEC_EACH(&page->items, const struct topic_item, it) {
		strbuf_printf(out, "%s\t", it->label);
		escape_to(out, it->text);
		strbuf_putc(out, '\n');
	}
}

static const char *member_name(struct arena *arena, const char *label)
{
	char *name = arena_strdup(arena, label);

	for (char *p = name; *p; p++)
		if (*p == ' ')
			*p = '_';
	return name;
}

static void put_json(struct context *ctx, const struct topic_page *page,
		     const struct change *change, struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", SCHEMA);
	json_put_text(&json, "kind", page->kind);
	json_put_text(&json, "name", page->name);
	if (change)
		plan_change_to_json(&json, "change", change);
	else
		json_put_text(&json, "summary", page->headline);
	VEC_EACH(&page->items, const struct topic_item, it)
		json_put_text(&json, member_name(ctx->arena, it->label),
			      it->text);
	json_end(&json);
}

static void put(struct context *ctx, const struct topic_page *page,
		struct strbuf *out)
{
	switch (ctx->format) {
	case OUT_TABLE:
		put_page(ctx, page, out);
		break;
	case OUT_JSON:
		put_json(ctx, page, NULL, out);
		break;
	case OUT_RAW:
		put_raw(page, out);
		break;
	}
}

void explain_put_knob(struct context *ctx, const struct knob *knob,
		      const char *param, struct strbuf *out)
{
	struct topic_page page;

	topic_page_knob(ctx->arena, knob, param, &page);
	put(ctx, &page, out);
}

void explain_put_advice(struct context *ctx, const struct advice_doc *doc,
			struct strbuf *out)
{
	struct topic_page page;

	topic_page_advice(ctx->arena, doc, &page);
	put(ctx, &page, out);
}

static const char *value_text_of(struct arena *arena,
				 const struct change *change,
				 const struct value *value)
{
	struct strbuf out;

	if (value->type == VALUE_NONE)
		return "unknown";
	strbuf_init(&out, arena);
	if (change->knob)
		knob_value_to_text(change->knob, value, &out);
	else
		value_to_text(value, &out);
	return out.text;
}

/* "change mq-deadline to none" */
static const char *headline_of(struct arena *arena, const struct change *change)
{
	const char *have = value_text_of(arena, change, &change->have);
	const char *want = value_text_of(arena, change, &change->want);

	if (change->verdict == VERDICT_KEEP)
		return arena_printf(arena, "keep %s", have);
	return arena_printf(arena, "%s, from %s to %s",
			    change->pending ? "pending" :
					      verdict_name(change->verdict),
			    have, want);
}

static const char *asked_by(struct arena *arena, const struct change *change)
{
	if (!change->file)
		return change->origin == ORIGIN_EFFECT ?
			       "by nobody: the kernel changes it with another change" :
			       "by the profile applied before, not by this one";
	return arena_printf(arena, "%s, by %s:%u",
			    change->asked ? change->asked : "-", change->file,
			    change->line);
}

static const char *needs_of(struct arena *arena, const struct change *change)
{
	if (change->needs & NEED_GRUB)
		return change->needs & NEED_REBOOT ?
			       "\"update-grub\", then a reboot" :
			       "\"update-grub\"";
	if (change->needs & NEED_REBOOT)
		return "a reboot";
	if (change->needs == NEED_INITRAMFS)
		return "the initramfs rebuilt";
	if (change->needs & NEED_INITRAMFS)
		return "the initramfs rebuilt, then a reload of the module or a reboot";
	if (change->needs & NEED_RESTART)
		return arena_printf(arena, "a restart of %s", change->restart);
	return change->needs & NEED_RELOAD ?
		       "a reload of the module, or a reboot" :
		       NULL;
}

static const char *persistence_of(struct arena *arena,
				  const struct change *change)
{
	const char *name = persistence_name(change->persistence);

	if (change->persist_reason)
		return arena_printf(arena, "%s: %s", name,
				    change->persist_reason);
	return name;
}

/* "nvme0n1, over nvme0"; NULL: no path of a multipath disk. */
static const char *path_of(struct arena *arena, const struct facts *facts,
			   const struct target *target)
{
	const struct ns *ns = target->kind == TARGET_QUEUE ?
				      facts_ns(facts, target->name) :
				      NULL;

	if (!ns || ns->kind != NS_PATH || !ns->head)
		return NULL;
	return arena_printf(arena, "%s, over %s", ns->head,
			    ns->ctrl ? ns->ctrl : "an unknown controller");
}

static void add_change(struct context *ctx, struct topic_page *page,
		       const struct change *change)
{
	struct arena *arena = ctx->arena;

	topic_page_add(arena, page, "path to",
		       path_of(arena, ctx->facts, &change->target));
	topic_page_add(arena, page, "reason", change->reason);
	topic_page_add(arena, page, "note", change->note);
	topic_page_add(arena, page, "asked", asked_by(arena, change));
	VEC_EACH(&change->set_by, const char *, it)
		topic_page_add(arena, page, "set by", *it);
	VEC_EACH(&change->rules, const char *, it)
		topic_page_add(arena, page, "rule", *it);
	topic_page_add(arena, page, "persistence",
		       persistence_of(arena, change));
	topic_page_add(arena, page, "needs", needs_of(arena, change));
	topic_page_add(arena, page, "identity", change->target.id);
}

void explain_put_change(struct context *ctx, const struct change *change,
			struct strbuf *out)
{
	struct topic_page page = {
		.kind = "change",
		.name = change->id,
		.headline = headline_of(ctx->arena, change),
	};

	/* JSON has these in the change itself. */
	if (ctx->format != OUT_JSON)
		add_change(ctx, &page, change);
	if (change->knob) {
		topic_page_add(ctx->arena, &page, "knob",
			       change->knob->doc.summary);
		topic_page_add_knob(ctx->arena, &page, change->knob,
				    change->param);
	}
	if (ctx->format == OUT_JSON)
		put_json(ctx, &page, change, out);
	else
		put(ctx, &page, out);
}
