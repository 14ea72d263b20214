/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/parse.h"
#include "core/coalescing.h"
#include "knobs/knob_list.h"

/* What select 3 (capabilities) of the feature says. */
#define CAN_BE_SAVED (1 << 0)
#define CAN_BE_CHANGED (1 << 2)

static int bad_time(const struct knob *knob, const char *text,
		    unsigned int time_us, struct err *err)
{
	const unsigned int below = time_us - time_us % COALESCING_UNIT_US;

	if (time_us > COALESCING_MOST_US)
		return err_set(err, -EINVAL,
			       "%s: \"%s\": the longest time is %uus",
			       knob->name, text, COALESCING_MOST_US);
	if (!below)
		return err_set(
			err, -EINVAL,
			"%s: \"%s\": time counts in 100us: write off or 100us",
			knob->name, text);
	return err_set(err, -EINVAL,
		       "%s: \"%s\": time counts in 100us: write %uus or %uus",
		       knob->name, text, below, below + COALESCING_UNIT_US);
}

static int parse(const struct knob *knob, const char *param, const char *text,
		 struct value *ret, struct err *err)
{
	struct coalescing asked = { 0 };
	char canonical[VALUE_TEXT_SIZE];
	int r = coalescing_parse(text, &asked);

	(void)param;
	if (r == -EINVAL)
		return err_set(
			err, r,
			"%s: \"%s\" is not off, COMPLETIONS/TIME (8/100us) or keep",
			knob->name, text);
	if (r == -ERANGE)
		return err_set(
			err, -EINVAL,
			"%s: \"%s\": legal is an interrupt after 1..%u completions",
			knob->name, text, COALESCING_MOST_COMPLETIONS);
	if (r < 0)
		return bad_time(knob, text, asked.time_us, err);
	coalescing_to_text(&asked, canonical);
	return value_text(canonical, ret) ? 0 : -EINVAL;
}

static bool same(const struct knob *knob, const struct value *have,
		 const struct value *want)
{
	struct coalescing left, right;

	(void)knob;
	if (value_equal(have, want))
		return true;
	return coalescing_parse(have->u.text, &left) == 0 &&
	       coalescing_parse(want->u.text, &right) == 0 &&
	       coalescing_is_off(&left) && coalescing_is_off(&right);
}

static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	struct coalescing now;
	char text[VALUE_TEXT_SIZE];

	(void)knob;
	(void)arena;
	if (!ctrl || !ctrl->coalescing.known) {
		ret->why = ctrl ? ctrl->coalescing.why : 0;
		return;
	}
	now = coalescing_from_dword((uint32_t)ctrl->coalescing.value);
	coalescing_to_text(&now, text);
	(void)value_text(text, &ret->value);
}

/* A drive that makes nothing wait is off. */
static bool moot(const struct knob *knob, const struct facts *facts,
		 const struct target *target, const struct value *asked)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	struct coalescing value;

	(void)knob;
	return ctrl && coalescing_parse(asked->u.text, &value) == 0 &&
	       coalescing_is_off(&value) &&
	       (ctrl->coalescing.why == EOPNOTSUPP ||
		(ctrl->transport && strcmp(ctrl->transport, "pcie") != 0));
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	const int why = ctrl ? ctrl->coalescing.why : 0;

	(void)knob;
	if (ctrl && !text_equal(ctrl->transport, "pcie"))
		return "only a PCIe drive interrupts this host";
	if (why == EOPNOTSUPP)
		return "the drive has no interrupt coalescing";
	if (why == EACCES || why == EPERM)
		return "only root may ask the drive for it (feature 08h)";
	if (why == EAGAIN)
		return "the controller is not live, so it was not asked";
	if (!why)
		return "the drive was not asked for it (feature 08h)";
	return arena_printf(arena, "the drive could not be asked for it: %s",
			    strerror(why));
}

/* What a drive says of itself spares it a command that it would refuse. */
static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	const struct observation *seen =
		facts_observed(facts, knob->name, target);
	const struct num caps = ctrl ? ctrl->coalescing_caps : num_unknown(0);

	(void)param;
	if (seen && same(knob, &seen->value, asked)) {
		*ret = seen->value;
		return 0;
	}
	if (caps.known && !(caps.value & CAN_BE_CHANGED))
		return err_set(err, -EOPNOTSUPP,
			       "%s: the drive says that it cannot be changed",
			       knob->name);
	*ret = *asked;
	return 0;
}

static const char *note(const struct knob *knob, struct arena *arena,
			const struct facts *facts, const struct target *target,
			const struct value *want)
{
	const struct observation *seen =
		facts_observed(facts, knob->name, target);
	struct coalescing now = { 0 }, then = { 0 };

	if (coalescing_parse(want->u.text, &then) < 0)
		return NULL;
	if (!coalescing_is_off(&then))
		return arena_printf(
			arena,
			"adds up to %u us to a read that waits alone; the admin queue is exempt",
			then.time_us);
	if (seen && coalescing_parse(seen->value.u.text, &now) == 0 &&
	    !coalescing_is_off(&now))
		return arena_printf(
			arena, "%s adds up to %u us to a read that waits alone",
			seen->value.u.text, now.time_us);
	if (coalescing_to_dword(&then))
		return arena_printf(arena, "%s makes nothing wait: it is off",
				    want->u.text);
	return NULL;
}

/* A reset leads to off, unless somebody saved another value in the drive. */
static bool returns(const struct facts *facts, const struct target *target,
		    const struct value *want)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	struct coalescing value;

	return ctrl && ctrl->coalescing_caps.known &&
	       !(ctrl->coalescing_caps.value & CAN_BE_SAVED) &&
	       coalescing_parse(want->u.text, &value) == 0 &&
	       coalescing_is_off(&value);
}

static const char *explain(const struct value *want)
{
	struct coalescing value;

	if (coalescing_parse(want->u.text, &value) == 0 &&
	    coalescing_is_off(&value))
		return "Each completion is told at once: no read waits for others.";
	return "Several completions share one interrupt: fewer of them at many IOPS.";
}

static bool waits_less(const struct coalescing *a, const struct coalescing *b)
{
	return a->completions <= b->completions && a->time_us <= b->time_us;
}

/* More completions behind one interrupt are fewer interrupts, if the drive
 * does what it says.  Where one number rises and the other falls, who knows. */
static struct interrupt_shift interrupts(struct arena *arena,
					 const struct value *before,
					 const struct value *after)
{
	struct interrupt_shift shift = { .change = INTERRUPTS_ANY };
	struct coalescing then, now;
	bool was_off, is_off;

	(void)arena;
	if (coalescing_parse(before->u.text, &then) < 0 ||
	    coalescing_parse(after->u.text, &now) < 0)
		return shift;
	was_off = coalescing_is_off(&then);
	is_off = coalescing_is_off(&now);
	if (!is_off && (was_off || waits_less(&then, &now)))
		shift.change = INTERRUPTS_FEWER;
	else if (!was_off && (is_off || waits_less(&now, &then)))
		shift.change = INTERRUPTS_MORE;
	return shift;
}

const struct knob knob_irq_coalescing = {
	.name = "irq.coalescing",
	.scope = SCOPE_CTRL,
	.type = VALUE_TEXT,
	.attr = "feature/08",
	.legal = "off, or COMPLETIONS/TIME: 1..256 and 100us..25500us in steps of 100us, as in 8/100us",
	.kept = KEPT_BY_HELPER,
	.unkept = "a reset of the controller loses it",
	.evidence = EVIDENCE_LOAD,
	.interrupts = interrupts,
	.doc = {
		.summary = "completions that share one interrupt",
		.effect =
			"Fewer interrupts at many IOPS, or, when off, no completion that waits for others.",
		.cost = "When on, a read that waits alone takes up to TIME longer, which is 100 us at least.  When off, each completion may be an interrupt.",
		.source = "NVMe Base 2.0, section 5.27.1.6, feature 08h",
	},
	.parse = parse,
	.resolve = resolve,
	.same = same,
	.explain = explain,
	.recall = recall,
	.returns = returns,
	.moot = moot,
	.absent = absent,
	.note = note,
};
