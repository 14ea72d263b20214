/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "knobs/knob_list.h"
#include "write/feature.h"

#define FEATURE_APST 0x0c /* NVMe Base 2.0, Autonomous Power State Transition */
#define NO_DEEPEST "no-deepest-state"

/* What the driver gives a new controller; its parameter is
 * default_ps_max_latency_us. */
#define DRIVER_DEFAULT_US 100000

static const struct knob_word words[] = {
	{ .word = "off", .number = 0 },
	{ .word = "default", .number = DRIVER_DEFAULT_US },
	{ .word = NO_DEEPEST, .differs = true },
	{ .word = NULL },
};

/* "any" (INT_MAX) and "auto" (no request) are both no limit to the driver,
 * and the number that says so reads back as "any". */
static int read(const char *text, struct value *ret)
{
	uint64_t number = INT_MAX;

	if (strcmp(text, "any") != 0 && strcmp(text, "auto") != 0 &&
	    parse_u64(text, &number) < 0)
		return -EBADMSG;
	*ret = value_uint(number);
	return 0;
}

/* A state that the drive may enter by itself. */
static bool is_idle_state(const struct power_state *state)
{
	return num_or(state->non_operational, 0) == 1 && state->exit_us.known;
}

static const struct power_state *deepest(const struct ctrl *ctrl)
{
	const struct power_state *found = NULL;

	VEC_EACH(&ctrl->power_states, const struct power_state, it)
		if (is_idle_state(it))
			found = it;
	return found;
}

/* The longest exit latency that still keeps the drive from its last state;
 * 0 where there is no other. */
static int without_deepest(const struct ctrl *ctrl, uint64_t *ret)
{
	const struct power_state *last = deepest(ctrl);
	int64_t most = 0;

	if (!last)
		return -EOPNOTSUPP;
	VEC_EACH(&ctrl->power_states, const struct power_state, it)
		if (is_idle_state(it) &&
		    it->exit_us.value < last->exit_us.value &&
		    it->exit_us.value > most)
			most = it->exit_us.value;
	*ret = (uint64_t)most;
	return 0;
}

static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	uint64_t most;

	(void)param;
	if (asked->type == VALUE_UINT) {
		*ret = *asked;
		return 0;
	}
	if (!ctrl || ctrl->power_states.n == 0)
		return err_set(
			err, -EOPNOTSUPP,
			"%s: the drive's power states are not known, and so not its deepest",
			knob->name);
	if (without_deepest(ctrl, &most) < 0)
		return err_set(
			err, -EOPNOTSUPP,
			"%s: this drive has no state that it enters when idle",
			knob->name);
	*ret = value_uint(most);
	return 0;
}

/* Where the driver makes no attribute, there is nothing to switch off; and
 * nothing to switch on in a drive that has no such transitions. */
static bool moot(const struct knob *knob, const struct facts *facts,
		 const struct target *target, const struct value *asked)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	const struct observation *seen =
		facts_observed(facts, knob->name, target);
	const bool is_missing = seen && seen->why == ENOENT;

	if (ctrl && ctrl->apsta.known)
		return ctrl->apsta.value == 0 ||
		       (is_missing && asked->type == VALUE_UINT &&
			asked->u.number == 0);
	return is_missing;
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	const struct observation *seen =
		facts_observed(facts, knob->name, target);

	(void)arena;
	if (ctrl && ctrl->apsta.known && ctrl->apsta.value == 0)
		return "this drive has no autonomous power state transitions";
	if (!seen || seen->why != ENOENT)
		return NULL;
	return num_or(ctrl ? ctrl->apsta : num_unknown(0), 0) ?
		       "the kernel keeps this drive from autonomous power state transitions (a quirk of the driver)" :
		       "the driver offers no latency for this drive: it has no autonomous power state transitions, or the kernel keeps it from them";
}

/* Saved hosts of before this knob have it among the controller's facts. */
static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);

	(void)knob;
	(void)arena;
	if (!ctrl)
		return;
	if (ctrl->pm_qos_latency_us.known)
		ret->value = value_uint(
			ctrl->pm_qos_latency_us.value < 0 ?
				INT_MAX :
				(uint64_t)ctrl->pm_qos_latency_us.value);
	else
		ret->why = ctrl->pm_qos_latency_us.why;
}

/* "PS3 (exit 5000 us), PS4 (exit 22000 us)": those within the latency, or
 * those beyond it. */
static const char *list_states(struct arena *arena, const struct ctrl *ctrl,
			       uint64_t latency, bool within)
{
	struct strbuf out;
	size_t nr = 0;

	strbuf_init(&out, arena);
	VEC_EACH(&ctrl->power_states, const struct power_state, it) {
		if (is_idle_state(it) &&
		    ((uint64_t)it->exit_us.value <= latency) == within)
			strbuf_printf(&out, "%sPS%zu (exit %" PRId64 " us)",
				      out.len ? ", " : "", nr,
				      it->exit_us.value);
		nr++;
	}
	return out.text;
}

static const char *note(const struct knob *knob, struct arena *arena,
			const struct facts *facts, const struct target *target,
			const struct value *want)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	const char *kept, *lost;

	(void)knob;
	if (!ctrl || !deepest(ctrl) || want->u.number == 0)
		return NULL;
	kept = list_states(arena, ctrl, want->u.number, true);
	lost = list_states(arena, ctrl, want->u.number, false);
	if (!*kept)
		return arena_printf(
			arena,
			"warning: keeps no state of this drive, which has %s: write off if that is meant",
			lost);
	if (!*lost)
		return arena_printf(arena, "keeps %s", kept);
	return arena_printf(arena, "keeps %s, not %s", kept, lost);
}

/*
 * The driver's answer to the write says nothing: it sends the table to the
 * drive and drops what the drive says (nvme_set_latency_tolerance()).
 */
static int check(const struct knob *knob, const struct sysroot *root,
		 const struct target *target, const char *written,
		 struct err *err)
{
	struct err why = { 0 };
	uint32_t dword = 0;
	int r = feature_get(root, target->dir, FEATURE_APST, &dword, &why);

	/* A tree has no drive that could be asked. */
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return err_set(err, r, "%s: %s: cannot ask the drive: %s",
			       target->name, knob->name, why.text);
	if ((dword & 1) == (strcmp(written, "0") != 0))
		return 0;
	return err_set(
		err, -EOPNOTSUPP,
		"%s: %s: the drive did not take it: feature 0Ch says that the transitions are %s",
		target->name, knob->name, dword & 1 ? "on" : "off");
}

static const char *explain(const struct value *want)
{
	if (want->u.number == 0)
		return "The drive stays awake: no request waits for it to leave an idle state.";
	return "The drive saves power when idle, in the states that it leaves within this time.";
}

const struct knob knob_power_apst = {
	.name = "power.apst",
	.scope = SCOPE_CTRL,
	.type = VALUE_UINT,
	.attr = "power/pm_qos_latency_tolerance_us",
	.unit = UNIT_USEC,
	.min = 0,
	.max = INT_MAX,
	.words = words,
	.kept = KEPT_BY_CTRL_RULE,
	.evidence = EVIDENCE_IDLE_WAKE,
	.doc = {
		.summary = "how long an idle drive may take to wake up (APST)",
		.effect =
			"off keeps the drive awake, so that the first request after a pause is as fast as any; some firmware also hangs in its deepest state.",
		.cost = "An awake drive draws more power and is warmer, which may throttle it under load.",
		.source = "Documentation/ABI/testing/sysfs-devices-power; drivers/nvme/host/core.c, nvme_configure_apst(); NVMe Base 2.0, Autonomous Power State Transitions",
	},
	.resolve = resolve,
	.read = read,
	.explain = explain,
	.recall = recall,
	.moot = moot,
	.absent = absent,
	.note = note,
	.check = check,
};
