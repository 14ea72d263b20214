/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What is left to the device helper. */

#include "base/parse.h"
#include "core/planner.h"

/*
 * A rule of ours holds constants, for disks that udev sees, and not where the
 * knob spares a drive at boot; what it sets once a reset may lose.
 */
static bool is_helpers_on_disk(const struct planner *planner,
			       const struct setting *setting,
			       const struct ns *ns)
{
	const struct knob *knob = setting->knob;
	struct match_term spare;
	const char *why;

	if (ns->kind != NS_PLAIN || knob->flags & KNOB_RESET_LOSES ||
	    setting->asked.type != knob->type)
		return true;
	return knob->spare && knob->spare(&setting->asked, &spare, &why) &&
	       !match_term_holds(&spare, facts_ns_ctrl(planner->facts, ns), ns);
}

bool plan_is_helpers(const struct planner *planner,
		     const struct setting *setting, const struct site *site)
{
	switch (setting->knob->kept) {
	case KEPT_BY_HELPER:
	case KEPT_BY_CTRL_RULE: /* its attribute may come after all events */
		return true;
	case KEPT_BY_DISK_RULE:
		return is_helpers_on_disk(planner, setting, site->ns);
	case KEPT_BY_FUNCTION_RULE:
		return setting->asked.type != setting->knob->type;
	case KEPT_NOT:
	case KEPT_BY_SUBSYSTEM_RULE:
	case KEPT_BY_CPU_RULE:
	case KEPT_BY_OPTION:
	case KEPT_BY_SYSCTL:
	case KEPT_BY_UNIT:
	case KEPT_BY_RUNNER:
		break;
	}
	return false;
}

/*
 * A controller that has come to life says so from 5.18 on.  Nothing shows
 * whether a kernel does, so this goes by its number; one with the change ported
 * back is better than its plan.
 */
static bool is_silent_at_reset(const char *kernel)
{
	const char *text = kernel;
	uint64_t major, minor;

	if (!text || parse_u64_prefix(&text, &major) < 0 || *text++ != '.' ||
	    parse_u64_prefix(&text, &minor) < 0)
		return false;
	return major < 5 || (major == 5 && minor < 18);
}

void plan_keep_by_helper(struct planner *planner, struct change *change,
			 const char *why)
{
	const struct num installed = planner->facts->device_helper;

	if (num_or(installed, 0)) {
		change->persistence = PERSIST_HELPER;
		if (is_silent_at_reset(planner->facts->kernel))
			change->persist_reason =
				"when the drive appears; a kernel before 5.18 does not start it after a reset";
		return;
	}
	change->persistence = PERSIST_CANNOT;
	change->persist_reason = arena_printf(
		planner->arena,
		installed.known ?
			"%s, and the device helper's rule is not installed" :
			"%s, and whether the device helper is installed is not known",
		why);
}
