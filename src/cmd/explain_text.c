/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/explain_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/parse.h"
#include "core/params.h"
#include "json/plan_json.h"
#include "json/write.h"

#define SCHEMA "nvmetune.explain/1"
#define LABEL 14U /* columns before the text */

/* One labelled sentence of the page; a NULL text is left out. */
struct item {
	const char *label; /* of the page; the member of JSON has "_" */
	const char *text;
};

struct page {
	const char *kind; /* knob advice change */
	const char *name;
	const char *headline;
	VEC(struct item) items;
};

static void add(struct context *ctx, struct page *page, const char *label,
		const char *text)
{
	if (text && *text)
		*vec_add(ctx->arena, &page->items) =
			(struct item){ .label = label, .text = text };
}

static void put_page(struct context *ctx, const struct page *page,
		     struct strbuf *out)
{
	out_tone(out, TONE_STRONG, ctx->color, page->name);
	strbuf_puts(out, ": ");
	out_wrapped(out, page->headline, 2, ctx->width);
	strbuf_puts(out, "\n\n");
	VEC_EACH(&page->items, const struct item, it) {
		strbuf_puts(out, "  ");
		out_tone(out, TONE_FAINT, ctx->color, it->label);
		strbuf_pad(out, LABEL - 2 - strlen(it->label));
		out_wrapped(out, it->text, LABEL, ctx->width);
		strbuf_putc(out, '\n');
	}
}

static void put_raw(const struct page *page, struct strbuf *out)
{
	strbuf_printf(out, "%s\t", page->kind);
	escape_to(out, page->name);
	strbuf_puts(out, "\nsummary\t");
	escape_to(out, page->headline);
	strbuf_putc(out, '\n');
	VEC_EACH(&page->items, const struct item, it) {
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

static void put_json(struct context *ctx, const struct page *page,
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
	VEC_EACH(&page->items, const struct item, it)
		json_put_text(&json, member_name(ctx->arena, it->label),
			      it->text);
	json_end(&json);
}

static void put(struct context *ctx, const struct page *page,
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

const char *knob_shown_name(struct arena *arena, const struct knob *knob)
{
	if (text_has_suffix(knob->name, "."))
		return arena_printf(arena, "%sMODULE.PARAMETER", knob->name);
	return knob->name;
}

static const char *range_unit(const struct knob *knob)
{
	static const char *const names[] = {
		[UNIT_NONE] = "",
		[UNIT_MS] = " ms, written 500ms or 30s",
		[UNIT_USEC] = " us, also written 2ms",
		[UNIT_KIB] = " KiB, also written 128k or 1M",
	};

	return names[knob->unit];
}

const char *knob_legal_values(struct arena *arena, const struct knob *knob)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	if (knob->legal)
		strbuf_puts(&out, knob->legal);
	else if (knob->type == VALUE_UINT)
		strbuf_printf(&out, "%" PRIu64 "..%" PRIu64 "%s", knob->min,
			      knob->max, range_unit(knob));
	else if (!knob->choices)
		strbuf_puts(&out, "as the parameter");
	for (const struct knob_word *it = knob->words; it && it->word; it++)
		strbuf_printf(&out, ", %s", it->word);
	for (size_t i = 0; knob->choices && knob->choices[i]; i++)
		strbuf_printf(&out, "%s%s", i ? ", " : "", knob->choices[i]);
	if (knob->flags & KNOB_ALLOWS_MAX)
		strbuf_puts(&out, ", max");
	if (knob->flags & KNOB_ALLOWS_SHARE)
		strbuf_puts(&out, ", N%");
	strbuf_puts(&out, ", keep");
	return out.text;
}

static const char *on_disks(const struct knob *knob)
{
	if (!(knob->place & PLACE_HEAD))
		return "each disk; under native multipath each path, which has the request queue";
	return knob->place & PLACE_MQ ?
		       "each disk, and under native multipath each path too" :
		       "each disk, also the one that native multipath shows";
}

static const char *applies_to(const struct knob *knob)
{
	switch (knob->scope) {
	case SCOPE_MODULE:
		return "the module, and so every drive of the host";
	case SCOPE_HOST:
		return "the host";
	case SCOPE_CPUS:
		return "each group of CPUs that share a frequency";
	case SCOPE_SUBSYSTEM:
		return "each NVMe subsystem, and so the paths to its drives";
	case SCOPE_CTRL:
		return "each controller";
	case SCOPE_FUNCTION:
		return "the PCI function of each controller";
	case SCOPE_VECTOR:
		return "each interrupt vector of each controller";
	case SCOPE_QUEUE:
		break;
	}
	return on_disks(knob);
}

static const char *kept_by(struct arena *arena, const struct knob *knob)
{
	switch (knob->kept) {
	case KEPT_BY_OPTION:
		return "/etc/modprobe.d/nvmetune.conf, read when the module is loaded: true after a reload or a reboot, never live";
	case KEPT_BY_SYSCTL:
		return "/etc/sysctl.d/90-nvmetune.conf, and written at once";
	case KEPT_BY_CTRL_RULE:
	case KEPT_BY_FUNCTION_RULE:
	case KEPT_BY_SUBSYSTEM_RULE:
	case KEPT_BY_CPU_RULE:
		return "a udev rule, and written at once";
	case KEPT_NOT:
		return arena_printf(arena, "nothing, written at once: %s",
				    knob->unkept);
	case KEPT_BY_DISK_RULE:
		break;
	}
	return "a udev rule, and written at once; under native multipath, which udev rules cannot reach, written but not kept";
}

static const char *measured(enum evidence evidence)
{
	switch (evidence) {
	case EVIDENCE_LOAD:
		return "under load";
	case EVIDENCE_IDLE_WAKE:
		return "with single reads, further apart than the idle time-out";
	case EVIDENCE_NONE:
		break;
	}
	return "not at all: it shows only when something goes wrong";
}

/* "queue.nr_requests, queue.wbt_lat_usec"; NULL: none. */
static const char *list_of(struct arena *arena, const char *const *names)
{
	struct strbuf out;

	if (!names || !names[0])
		return NULL;
	strbuf_init(&out, arena);
	for (size_t i = 0; names[i]; i++)
		strbuf_printf(&out, "%s%s", i ? ", " : "", names[i]);
	return out.text;
}

static const char *disturbed(struct arena *arena, const struct knob *knob)
{
	const char *names = list_of(arena, knob->disturbs);

	return names ? arena_printf(arena,
				    "%s: recorded before, and put back after",
				    names) :
		       NULL;
}

/* What is known of one parameter, beyond the family. */
static const char *param_note(struct arena *arena, const char *name)
{
	const char *dot = strchr(name, '.');
	const char *module, *legend, *words;
	const struct param_rule *rule;

	if (!dot)
		return NULL;
	module = arena_strndup(arena, name, (size_t)(dot - name));
	legend = param_legend(module, dot + 1);
	if (legend)
		return arena_printf(arena,
				    "no mainline kernel has this parameter: %s",
				    legend);
	rule = param_rule_find(module, dot + 1);
	if (!rule)
		return NULL;
	if (rule->limit == LIMIT_RANGE)
		return arena_printf(
			arena,
			"legal is %" PRIu64 "..%" PRIu64
			": any other value keeps %s.ko from loading",
			rule->min, rule->max, module);
	if (!param_rule_is_number(rule)) {
		(void)param_rule_takes(rule, "", &words);
		return arena_printf(
			arena,
			"legal is %s: another word may keep %s.ko from loading",
			words, module);
	}
	return arena_printf(
		arena,
		"at most the possible CPUs, of which N%% is a share: more keeps %s.ko from loading",
		module);
}

static void add_knob(struct context *ctx, struct page *page,
		     const struct knob *knob, const char *param)
{
	if (param && *param)
		add(ctx, page, "limit", param_note(ctx->arena, param));
	add(ctx, page, "values", knob_legal_values(ctx->arena, knob));
	add(ctx, page, "effect", knob->doc.effect);
	add(ctx, page, "cost", knob->doc.cost);
	add(ctx, page, "applies to", applies_to(knob));
	add(ctx, page, "attribute", knob->attr);
	add(ctx, page, "kept by", kept_by(ctx->arena, knob));
	add(ctx, page, "also sets", list_of(ctx->arena, knob->members));
	add(ctx, page, "disturbs", disturbed(ctx->arena, knob));
	add(ctx, page, "measured", measured(knob->evidence));
	add(ctx, page, "source", knob->doc.source);
}

void explain_put_knob(struct context *ctx, const struct knob *knob,
		      const char *param, struct strbuf *out)
{
	struct page page = {
		.kind = "knob",
		.name = param && *param ? arena_printf(ctx->arena, "%s%s",
						       knob->name, param) :
					  knob_shown_name(ctx->arena, knob),
		.headline = knob->doc.summary,
	};

	add_knob(ctx, &page, knob, param);
	put(ctx, &page, out);
}

void explain_put_advice(struct context *ctx, const struct advice_doc *doc,
			struct strbuf *out)
{
	struct page page = {
		.kind = "advice",
		.name = doc->id,
		.headline = doc->summary,
	};

	add(ctx, &page, "severity", doc->severity);
	add(ctx, &page, "confidence", doc->confidence);
	add(ctx, &page, "evidence", doc->evidence);
	add(ctx, &page, "remedy", doc->remedy);
	add(ctx, &page, "source", doc->source);
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

static const char *needs_of(const struct change *change)
{
	if (change->needs == NEED_INITRAMFS)
		return "the initramfs rebuilt";
	if (change->needs & NEED_INITRAMFS)
		return "the initramfs rebuilt, then a reload of the module or a reboot";
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

static void add_change(struct context *ctx, struct page *page,
		       const struct change *change)
{
	add(ctx, page, "reason", change->reason);
	add(ctx, page, "note", change->note);
	add(ctx, page, "asked", asked_by(ctx->arena, change));
	VEC_EACH(&change->set_by, const char *, it)
		add(ctx, page, "set by", *it);
	add(ctx, page, "persistence", persistence_of(ctx->arena, change));
	add(ctx, page, "needs", needs_of(change));
	add(ctx, page, "identity", change->target.id);
}

void explain_put_change(struct context *ctx, const struct change *change,
			struct strbuf *out)
{
	struct page page = {
		.kind = "change",
		.name = change->id,
		.headline = headline_of(ctx->arena, change),
	};

	/* JSON has these in the change itself. */
	if (ctx->format != OUT_JSON)
		add_change(ctx, &page, change);
	if (change->knob) {
		add(ctx, &page, "knob", change->knob->doc.summary);
		add_knob(ctx, &page, change->knob, change->param);
	}
	if (ctx->format == OUT_JSON)
		put_json(ctx, &page, change, out);
	else
		put(ctx, &page, out);
}
