/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_pace.h"

#include "cmd/confirm_units.h"
#include "core/idle.h"

#define IDLE_MS 3000U
/* Of a slice, of a drive that sleeps late. */
#define LEAST_READS 4U

static struct idle_gap gap_of(const struct facts *facts,
			      const struct load_drive *drive)
{
	const struct ctrl *ctrl = facts_ns_ctrl(facts, drive->ns);

	if (ctrl)
		return idle_gap_of(ctrl);
	return (struct idle_gap){ .ms = IDLE_GAP_LEAST_MS, .unknown = true };
}

/* As the slowest of the unit's drives to fall asleep needs it. */
static void find_gap(const struct confirm *confirm,
		     const struct confirm_unit *unit, struct confirm_pace *pace)
{
	const struct facts *facts = confirm->ctx->facts;

	pace->gap_ms = IDLE_GAP_LEAST_MS;
	VEC_EACH(&confirm->load.drives, const struct load_drive, it) {
		struct idle_gap gap;

		if (!confirm_unit_has(confirm, unit, it))
			continue;
		gap = gap_of(facts, it);
		if (gap.ms > pace->gap_ms)
			pace->gap_ms = gap.ms;
		if (gap.cut && !pace->cut)
			pace->cut = it->ns->name;
		if (gap.unknown && !pace->unknown)
			pace->unknown = it->ns->name;
	}
}

/* What switches the arms wakes the drive, so that it is left alone again
 * before a read counts. */
struct confirm_pace confirm_pace_of(const struct confirm *confirm,
				    const struct confirm_unit *unit)
{
	const uint32_t asked_ms = confirm->ctx->options.time * 1000;
	struct confirm_pace pace = {
		.settle_ms = bench_session_defaults.settle_ms,
		.measure_ms = bench_session_defaults.measure_ms,
	};

	if (unit->evidence == EVIDENCE_IDLE_WAKE) {
		find_gap(confirm, unit, &pace);
		pace.measure_ms = IDLE_MS;
	}
	if (asked_ms)
		pace.measure_ms = asked_ms;
	if (pace.measure_ms < LEAST_READS * pace.gap_ms)
		pace.measure_ms = LEAST_READS * pace.gap_ms;
	if (pace.settle_ms < pace.gap_ms)
		pace.settle_ms = pace.gap_ms;
	return pace;
}

const char *confirm_pace_text(struct arena *arena,
			      const struct confirm_pace *pace)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	if (pace->gap_ms)
		strbuf_printf(&out, ", %u ms apart", pace->gap_ms);
	if (pace->cut)
		strbuf_printf(
			&out,
			"; idle states that %s needs more than %u ms for are not reached",
			pace->cut, pace->gap_ms);
	if (pace->unknown)
		strbuf_printf(&out,
			      "; when %s falls asleep is not known, if it does",
			      pace->unknown);
	return out.text;
}
