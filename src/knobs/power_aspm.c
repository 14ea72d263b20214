/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The power states of the drive's link.  power.aspm is L1 and implies the
 * others, which only links have that can do them at both ends; what is shown
 * and written is of the whole link.
 *
 * The kernel takes every write and then does what policy and firmware allow,
 * so only reading back tells.
 */
#include <errno.h>

#include "base/parse.h"
#include "knobs/aspm.h"
#include "knobs/knob_list.h"

static const struct knob_word words[] = {
	{ .word = "off", .number = 0 },
	{ .word = "on", .number = 1 },
	{ .word = NULL },
};

/* aspm_attr_store_common(): L1 off switches its substates off as well, and a
 * substate on brings back L1. */
#define SUBSTATES                                                      \
	"power.aspm_l1_1", "power.aspm_l1_2", "power.aspm_l1_1_pcipm", \
		"power.aspm_l1_2_pcipm"

static const char *const members[] = { "power.aspm_l0s", SUBSTATES, NULL };
static const char *const disturbs[] = { SUBSTATES, NULL };

static const struct named_num *find_state(const struct knob *knob,
					  const struct ctrl *ctrl)
{
	VEC_EACH(&ctrl->aspm, const struct named_num, it)
		if (text_equal(it->name, knob->attr + sizeof("link/") - 1))
			return it;
	return NULL;
}

static bool lives(const struct knob *knob, const struct ctrl *ctrl)
{
	return find_state(knob, ctrl);
}

static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);
	const struct named_num *state = ctrl ? find_state(knob, ctrl) : NULL;

	(void)arena;
	if (!state)
		ret->why = ENOENT;
	else if (state->value.known)
		ret->value = value_uint((uint64_t)state->value.value);
	else
		ret->why = state->value.why;
}

/* Another link of this host shows its states: the kernel is in charge. */
static bool any_link_has_states(const struct facts *facts)
{
	VEC_EACH(&facts->ctrls, const struct ctrl, it)
		if (it->aspm.n)
			return true;
	return false;
}

static bool has_port(const struct ctrl *ctrl)
{
	return ctrl->port.width.known || ctrl->port.speed_mts.known;
}

/* Nothing that could be switched off, and nobody else who might have. */
static bool moot(const struct knob *knob, const struct facts *facts,
		 const struct target *target, const struct value *asked)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);

	(void)knob;
	if (!ctrl || asked->u.number != 0)
		return false;
	if (!has_port(ctrl) || ctrl->aspm.n)
		return true;
	return any_link_has_states(facts) && !aspm_is_told_off(facts);
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);

	(void)knob;
	(void)arena;
	if (!ctrl)
		return NULL;
	if (!has_port(ctrl))
		return "no port is seen above the drive, and so no link that could save power";
	if (ctrl->aspm.n)
		return "one end of this link has no L1";
	if (aspm_is_told_off(facts))
		return ASPM_TOLD_OFF;
	if (aspm_is_firmwares(facts))
		return ASPM_FIRMWARES;
	if (any_link_has_states(facts))
		return "one end of this link has no power states";
	return "the kernel shows no power states of this link: the firmware keeps ASPM to itself, or one end has none";
}

static const char *explain(const struct value *want)
{
	return want->u.number ?
		       "The link saves power when idle, where firmware and policy allow it." :
		       "The first request after a pause does not wait for the link to wake up.";
}

static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	(void)param;
	(void)target;
	if (asked->u.number && aspm_policy_is(facts, "performance"))
		return err_set(
			err, -EOPNOTSUPP,
			"%s: the policy \"performance\" keeps every link awake: see pcie.aspm_policy",
			knob->name);
	*ret = *asked;
	return 0;
}

/* clang-format off */
#define COMMON                                                                 \
	.scope = SCOPE_FUNCTION,                                               \
	.type = VALUE_UINT,                                                    \
	.min = 0,                                                              \
	.max = 1,                                                              \
	.words = words,                                                        \
	.flags = KNOB_MAY_REFUSE,                                              \
	.kept = KEPT_BY_FUNCTION_RULE,                                         \
	.evidence = EVIDENCE_IDLE_WAKE,                                        \
	.resolve = resolve,                                                    \
	.explain = explain,                                                    \
	.recall = recall

#define SOURCE                                                                 \
	"Documentation/ABI/testing/sysfs-bus-pci; drivers/pci/pcie/aspm.c, aspm_attr_store_common()"
/* clang-format on */

const struct knob knob_power_aspm = {
	COMMON,
	.name = "power.aspm",
	.attr = "link/l1_aspm",
	.members = members,
	.disturbs = disturbs,
	.doc = {
		.summary = "whether the drive's link saves power when idle (ASPM)",
		.effect =
			"off spares the first request after a pause the wake-up of the link, and a drive with a bad link its errors.",
		.cost = "An awake link draws more power at both ends.  on helps only where firmware and policy allow it.",
		.source = SOURCE,
	},
	.moot = moot,
	.absent = absent,
};

/* clang-format off */
#define STATE(id, file, words_of_it)                                           \
	const struct knob knob_power_aspm_##id = {                             \
		COMMON,                                                        \
		.name = "power.aspm_" #id,                                     \
		.attr = "link/" file,                                          \
		.lives = lives,                                                \
		.doc = {                                                       \
			.summary = words_of_it " of the drive's link; power.aspm sets it too", \
			.effect = "off spares requests the wake-up from " words_of_it ".",     \
			.cost = "An awake link draws more power.",             \
			.source = SOURCE,                                      \
		},                                                             \
	}
/* clang-format on */

STATE(l0s, "l0s_aspm", "L0s");
STATE(l1_1, "l1_1_aspm", "substate L1.1");
STATE(l1_2, "l1_2_aspm", "substate L1.2");
STATE(l1_1_pcipm, "l1_1_pcipm", "substate L1.1 by PCI power management");
STATE(l1_2_pcipm, "l1_2_pcipm", "substate L1.2 by PCI power management");
