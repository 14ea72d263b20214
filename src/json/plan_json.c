/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/plan_json.h"

#include "json/words.h"
#include "json/write.h"

static const char *const origins[] = {
	[ORIGIN_PROFILE] = "profile",
	[ORIGIN_RETURN] = "return",
	[ORIGIN_EFFECT] = "effect",
};

static const char *const units[] = {
	[UNIT_NONE] = NULL,
	[UNIT_MS] = "ms",
	[UNIT_USEC] = "us",
	[UNIT_KIB] = "KiB",
};

static void put_texts(struct json_writer *json, const char *key,
		      const char *const *texts, size_t n)
{
	json_begin_array(json, key);
	for (size_t i = 0; i < n; i++)
		json_put_text(json, NULL, texts[i]);
	json_end(json);
}

static void put_needs(struct json_writer *json, unsigned int needs)
{
	json_row(json);
	json_begin_array(json, "needs");
	if (needs & NEED_RELOAD)
		json_put_text(json, NULL, "reload");
	if (needs & NEED_INITRAMFS)
		json_put_text(json, NULL, "initramfs");
	if (needs & NEED_GRUB)
		json_put_text(json, NULL, "grub");
	if (needs & NEED_REBOOT)
		json_put_text(json, NULL, "reboot");
	if (needs & NEED_RESTART)
		json_put_text(json, NULL, "restart");
	json_end(json);
}

static void put_target(struct json_writer *json, const struct target *target)
{
	json_row(json);
	json_begin_object(json, "target");
	json_put_text(json, "kind", target_kind_names[target->kind]);
	json_put_text(json, "name", target->name);
	json_put_text(json, "id", target->id);
	json_end(json);
}

/* The profile's line. */
static void put_source(struct json_writer *json, const struct change *change)
{
	if (!change->file)
		return;
	json_row(json);
	json_begin_object(json, "source");
	json_put_text(json, "file", change->file);
	json_put_uint(json, "line", change->line);
	json_end(json);
}

void plan_change_to_json(struct json_writer *json, const char *key,
			 const struct change *change)
{
	json_begin_object(json, key);
	json_put_text(json, "id", change->id);
	json_put_text(json, "key", change->key);
	put_target(json, &change->target);
	json_put_text(json, "origin", origins[change->origin]);
	json_put_text(json, "asked", change->asked);
	put_source(json, change);
	json_put_value(json, "have", &change->have);
	json_put_value(json, "want", &change->want);
	if (change->knob)
		json_put_text(json, "unit", units[change->knob->unit]);
	json_put_text(json, "verdict", verdict_name(change->verdict));
	json_put_bool(json, "pending", change->pending);
	json_put_bool(json, "put_back", change->put_back);
	json_put_text(json, "reason", change->reason);
	json_put_text(json, "note", change->note);
	put_texts(json, "set_by", change->set_by.items, change->set_by.n);
	if (change->rules.n)
		put_texts(json, "rules", change->rules.items, change->rules.n);
	json_put_text(json, "persistence",
		      persistence_name(change->persistence));
	json_put_text(json, "persist_reason", change->persist_reason);
	put_needs(json, change->needs);
	json_put_text(json, "restart", change->restart);
	json_end(json);
}

static void put_file(struct json_writer *json, const struct planned_file *file)
{
	json_begin_object(json, NULL);
	json_put_text(json, "path", file->path);
	json_put_text(json, "action", file_action_name(file->action));
	json_put_text(json, "reason", file->reason);
	json_put_text(json, "have", file->have);
	json_put_text(json, "want", file->want);
	json_end(json);
}

static void put_split(struct json_writer *json, const struct split *split)
{
	json_begin_object(json, NULL);
	json_put_text(json, "ctrl", split->ctrl);
	json_row(json);
	json_begin_object(json, "now");
	json_put_num(json, "default", split->now_default);
	json_put_num(json, "read", split->now_read);
	json_put_num(json, "poll", split->now_poll);
	json_end(json);
	if (split->predicted) {
		json_row(json);
		json_begin_object(json, "next");
		json_put_uint(json, "default", split->next_default);
		json_put_uint(json, "read", split->next_read);
		json_put_uint(json, "poll", split->next_poll);
		json_end(json);
	}
	json_put_text(json, "reason", split->reason);
	json_end(json);
}

static void put_advice(struct json_writer *json, const struct advice *advice)
{
	json_begin_object(json, NULL);
	json_put_text(json, "id", advice->id);
	json_put_text(json, "severity", advice->severity);
	json_put_text(json, "subject", advice->subject);
	json_put_text(json, "text", advice->text);
	json_end(json);
}

/* Left out where the plan is about every drive. */
static void put_only(struct json_writer *json, const struct plan *plan)
{
	if (plan->only.n == 0)
		return;
	json_row(json);
	json_begin_array(json, "only");
	VEC_EACH(&plan->only, const char *, it)
		json_put_text(json, NULL, *it);
	json_end(json);
}

static void put_summary(struct json_writer *json, const struct plan *plan)
{
	json_row(json);
	json_begin_object(json, "summary");
	for (enum verdict v = VERDICT_KEEP; v <= VERDICT_CANNOT; v++)
		json_put_uint(json, verdict_name(v), plan_count(plan, v));
	json_put_bool(json, "has_work", plan_has_work(plan));
	json_end(json);
}

void plan_to_json(const struct plan *plan, const struct facts *facts,
		  struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", PLAN_SCHEMA);
	json_put_text(&json, "profile", plan->profile);
	json_put_text(&json, "hostname", facts->hostname);
	json_put_text(&json, "kernel", facts->kernel);
	put_only(&json, plan);
	put_summary(&json, plan);
	put_needs(&json, plan->needs | plan->file_needs);
	json_begin_array(&json, "changes");
	VEC_EACH(&plan->changes, const struct change, change)
		plan_change_to_json(&json, NULL, change);
	json_end(&json);
	json_begin_array(&json, "files");
	VEC_EACH(&plan->files, const struct planned_file, file)
		put_file(&json, file);
	json_end(&json);
	json_begin_array(&json, "splits");
	VEC_EACH(&plan->splits, const struct split, split)
		put_split(&json, split);
	json_end(&json);
	json_begin_array(&json, "advice");
	VEC_EACH(&plan->advice, const struct advice, advice)
		put_advice(&json, advice);
	json_end(&json);
	put_texts(&json, "blind", facts->blind.items, facts->blind.n);
	json_end(&json);
}
