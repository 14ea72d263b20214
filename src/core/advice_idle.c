/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Models that do not always come back from an idle state.  The driver's own
 * quirks deal with those that it knows; these are known from their owners.
 */

#include "base/glob.h"
#include "base/parse.h"
#include "core/advisor.h"

static const char *const models[] = {
	"Micron_2400_*",
	"Samsung SSD 990 PRO*",
};

static bool is_known_to_hang(const struct ctrl *ctrl)
{
	for (size_t i = 0; ctrl->model && i < sizeof(models) / sizeof(*models);
	     i++)
		if (glob_match(models[i], ctrl->model))
			return true;
	return false;
}

/* Of a drive that hides its states, any latency is taken for enough. */
static bool may_enter_deepest(const struct ctrl *ctrl)
{
	const int64_t latency = num_or(ctrl->pm_qos_latency_us, 0);
	int64_t exit_us = 1;

	VEC_EACH(&ctrl->power_states, const struct power_state, it)
		if (num_or(it->non_operational, 0))
			exit_us = num_or(it->exit_us, 1);
	/* Negative is no limit. */
	return ctrl->pm_qos_latency_us.known &&
	       (latency < 0 || latency >= exit_us);
}

static void hangs(const struct advisor *advisor, const struct ctrl *ctrl)
{
	if (is_known_to_hang(ctrl) && may_enter_deepest(ctrl))
		advise(advisor, ctrl->name,
		       "owners of this model report that it does not come back from its deepest idle state: where it was lost or timed out, try power.apst = off; module.nvme_core.default_ps_max_latency_us = 0 counts from the driver's load on, before any rule does");
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "drive.idle-hangs",
		   .severity = "info",
		   .confidence = "hint",
		   .summary =
			   "the model is known for not waking up from its deepest idle state",
		   .evidence =
			   "The model is in a short list, and the kernel lets the drive enter that state.",
		   .remedy =
			   "power.apst = off, or no-deepest-state; nvme_core is in the initramfs, so what must hold before the first rule runs is its parameter. Firmware may cure it.",
		   .source =
			   "github.com/omacom/omarchy, issue 11917 (Micron 2400); blog.bspwr.com, samsung-990-pro-nvme-disconnect" },
	  .check_ctrl = hangs },
};

const struct advice_rows advice_idle = ADVICE_ROWS(rows);
