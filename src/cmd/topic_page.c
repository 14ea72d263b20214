/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/topic_page.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "core/params.h"

void topic_page_add(struct arena *arena, struct topic_page *page,
		    const char *label, const char *text)
{
	if (text && *text)
		*vec_add(arena, &page->items) =
			(struct topic_item){ .label = label, .text = text };
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
		return "each disk; under native multipath the hidden disk of each path (nvme0c0n1), which has the request queue: what the disk that is seen (nvme0n1) shows does not count";
	return knob->place & PLACE_MQ ?
		       "each disk; under native multipath the disk that is seen (nvme0n1), and the hidden one of each path (nvme0c0n1)" :
		       "each disk; under native multipath the one that is seen (nvme0n1)";
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
	case SCOPE_RUNNER:
		return "each service and each wrapper that has a section";
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
	case KEPT_BY_UNIT:
		return arena_printf(
			arena,
			"a drop-in below " OWNER_UNITS
			", read when the service starts: true after a restart of %s, never live",
			knob->restarts);
	case KEPT_BY_RUNNER:
		return "a file for each: /etc/systemd/system/UNIT.d/50-nvmetune.conf, true after a restart of the unit, or /usr/local/bin/NAME";
	case KEPT_BY_CTRL_RULE:
	case KEPT_BY_FUNCTION_RULE:
	case KEPT_BY_SUBSYSTEM_RULE:
	case KEPT_BY_CPU_RULE:
		return "a udev rule, and written at once";
	case KEPT_BY_HELPER:
		return arena_printf(
			arena,
			"the device helper, where it is installed, and written at once: %s",
			knob->unkept);
	case KEPT_NOT:
		return arena_printf(arena, "nothing, written at once: %s",
				    knob->unkept);
	case KEPT_BY_DISK_RULE:
		break;
	}
	return "a udev rule, and written at once; where no rule reaches (the hidden disks of native multipath, a value that differs from drive to drive) the device helper, if it is installed";
}

static const char *measured(const struct knob *knob)
{
	if (knob->evidence_of)
		return "under load, on drives whose reads it concerns; on others not at all";
	switch (knob->evidence) {
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

void topic_page_add_knob(struct arena *arena, struct topic_page *page,
			 const struct knob *knob, const char *param)
{
	if (param && *param)
		topic_page_add(arena, page, "limit", param_note(arena, param));
	topic_page_add(arena, page, "values", knob_legal_values(arena, knob));
	topic_page_add(arena, page, "effect", knob->doc.effect);
	topic_page_add(arena, page, "cost", knob->doc.cost);
	topic_page_add(arena, page, "applies to", applies_to(knob));
	topic_page_add(arena, page, "attribute", knob->attr);
	topic_page_add(arena, page, "kept by", kept_by(arena, knob));
	topic_page_add(arena, page, "also sets", list_of(arena, knob->members));
	topic_page_add(arena, page, "disturbs", disturbed(arena, knob));
	topic_page_add(arena, page, "measured", measured(knob));
	topic_page_add(
		arena, page, "seen in",
		knob->interrupts ?
			"the drive's interrupts: a gain without them is none" :
			NULL);
	topic_page_add(arena, page, "source", knob->doc.source);
}

void topic_page_knob(struct arena *arena, const struct knob *knob,
		     const char *param, struct topic_page *ret)
{
	*ret = (struct topic_page){
		.kind = "knob",
		.name = param && *param ?
				arena_printf(arena, "%s%s", knob->name, param) :
				knob_shown_name(arena, knob),
		.headline = knob->doc.summary,
	};
	topic_page_add_knob(arena, ret, knob, param);
}

void topic_page_advice(struct arena *arena, const struct advice_doc *doc,
		       struct topic_page *ret)
{
	*ret = (struct topic_page){
		.kind = "advice",
		.name = doc->id,
		.headline = doc->summary,
	};
	topic_page_add(arena, ret, "severity", doc->severity);
	topic_page_add(arena, ret, "confidence", doc->confidence);
	topic_page_add(arena, ret, "evidence", doc->evidence);
	topic_page_add(arena, ret, "remedy", doc->remedy);
	topic_page_add(arena, ret, "source", doc->source);
}
