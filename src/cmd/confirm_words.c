/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_words.h"

#include <string.h>

const char *confirm_verdict_text(const struct confirm_unit *unit,
				 struct arena *arena)
{
	const char *name, *reason;

	if (unit->tried && unit->verdict == DECIDE_MORE)
		return "BROKEN OFF";
	if (unit->tried) {
		name = decide_verdict_name(unit->verdict);
		reason = decide_reason_name(unit->trial.decision.reason);
		return *reason ? arena_printf(arena, "%s (%s)", name, reason) :
				 name;
	}
	if (!unit->live)
		return decide_verdict_name(DECIDE_PROVISIONAL);
	return unit->evidence == EVIDENCE_NONE || unit->unfit ?
		       "NOT MEASURABLE" :
		       NULL;
}

/* The sentence of the decision without the verdict in front. */
static const char *decision_text(const struct confirm_unit *unit,
				 const struct decide_rule *rule,
				 struct arena *arena)
{
	const char *colon;
	struct strbuf out;

	strbuf_init(&out, arena);
	decide_to_text(&unit->trial.decision, rule,
		       bench_metric_text(unit->trial.metric), &out);
	if (unit->verdict == DECIDE_NOT_APPLIED && unit->mechanism_text)
		strbuf_printf(&out, ": %s", unit->mechanism_text);
	colon = strstr(out.text, ": ");
	return colon ? colon + 2 : out.text;
}

const char *confirm_why(const struct confirm_unit *unit,
			const struct decide_rule *rule, struct arena *arena)
{
	if (unit->why)
		return unit->why;
	if (unit->measured && unit->verdict != DECIDE_CONFIRMED &&
	    unit->verdict != DECIDE_MORE)
		return decision_text(unit, rule, arena);
	if (unit->measured && unit->verdict == DECIDE_CONFIRMED &&
	    unit->mechanism.state == DECIDE_UNSEEN)
		return unit->mechanism_text;
	if (unit->tried)
		return NULL;
	if (!unit->live)
		return "true after a reload, a restart or a reboot: its slices cannot take turns, at most boots can";
	if (unit->unfit)
		return unit->unfit;
	if (unit->evidence == EVIDENCE_NONE)
		return "it has no effect that a load could show";
	return NULL;
}
