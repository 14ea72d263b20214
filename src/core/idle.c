/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/idle.h"

/*
 * Timers of drives are coarse, and entering a state takes its time.  The least
 * makes 150 ms of the 100 ms of apst_primary_timeout_ms of nvme_core.
 */
#define MARGIN_MS 50
#define MARGIN_PART 4

/* Each state is left once at most: a table that leads round is cut there. */
static struct num walk(const struct ctrl *ctrl)
{
	int64_t ms = 0, at = 0;

	for (size_t i = 0; i < ctrl->power_states.n; i++) {
		const struct power_state *state = &ctrl->power_states.items[at];

		if (!state->idle_ms.known)
			return num_unknown(state->idle_ms.why);
		if (!state->idle_state.known || state->idle_state.value <= at ||
		    state->idle_state.value >= (int64_t)ctrl->power_states.n)
			break;
		ms += state->idle_ms.value;
		at = state->idle_state.value;
	}
	return num_known(ms);
}

struct num idle_time_ms(const struct ctrl *ctrl)
{
	if (ctrl->apsta.known && !(ctrl->apsta.value & 1))
		return num_known(0);
	if (!num_or(ctrl->apst_enabled, 0) || ctrl->power_states.n == 0)
		return num_unknown(ctrl->apst_enabled.why);
	return walk(ctrl);
}

struct idle_gap idle_gap_of(const struct ctrl *ctrl)
{
	const struct num idle = idle_time_ms(ctrl);
	const int64_t ms = num_or(idle, 0);
	const int64_t part = ms / MARGIN_PART;
	const int64_t wanted = ms + (part > MARGIN_MS ? part : MARGIN_MS);
	struct idle_gap gap = { .ms = IDLE_GAP_LEAST_MS,
				.unknown = !idle.known };

	gap.cut = ms + MARGIN_MS > IDLE_GAP_MOST_MS;
	if (wanted > IDLE_GAP_MOST_MS)
		gap.ms = IDLE_GAP_MOST_MS;
	else if (wanted > IDLE_GAP_LEAST_MS)
		gap.ms = (uint32_t)wanted;
	return gap;
}
