/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What matters but is no setting.  One row a check; a check that cannot see
 * enough says nothing.
 */

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "core/planner.h"

struct advice_row {
	const char *id;
	const char *severity;
	/* The sentence, in the arena, or NULL: nothing to say. */
	const char *(*check)(struct arena *arena, const struct facts *facts,
			     const struct ctrl *ctrl);
};

static const char *not_live(struct arena *arena, const struct facts *facts,
			    const struct ctrl *ctrl)
{
	(void)facts;
	if (!ctrl->state || strcmp(ctrl->state, "live") == 0)
		return NULL;
	return arena_printf(
		arena,
		"the controller is %s: it is left alone until it is live",
		ctrl->state);
}

static const char *unknown_node(struct arena *arena, const struct facts *facts,
				const struct ctrl *ctrl)
{
	if (ctrl->node.known || facts->nodes.n < 2)
		return NULL;
	return arena_strdup(
		arena,
		"the firmware does not say to which NUMA node the drive belongs: nothing here can be bound to its node");
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static bool is_link_known(const struct link *link)
{
	return link->speed_mts.known && link->width.known &&
	       link->max_speed_mts.known && link->max_width.known;
}

/* Both ends could do better than the link does. */
static const char *trained_down(struct arena *arena, const struct facts *facts,
				const struct ctrl *ctrl)
{
	const struct link *link = &ctrl->link, *port = &ctrl->port;
	int64_t speed, width;

	(void)facts;
	if (!is_link_known(link) || !port->max_speed_mts.known ||
	    !port->max_width.known)
		return NULL;
	speed = least(link->max_speed_mts.value, port->max_speed_mts.value);
	width = least(link->max_width.value, port->max_width.value);
	if (link->speed_mts.value >= speed && link->width.value >= width)
		return NULL;
	return arena_printf(
		arena,
		"the link runs at %" PRId64 ".%" PRId64 " GT/s x%" PRId64
		" of %" PRId64 ".%" PRId64 " GT/s x%" PRId64
		" that both ends can: no setting helps; reseat the drive, look at slot, riser and cable",
		link->speed_mts.value / 1000,
		link->speed_mts.value % 1000 / 100, link->width.value,
		speed / 1000, speed % 1000 / 100, width);
}

static const char *one_queue(struct arena *arena, const struct facts *facts,
			     const struct ctrl *ctrl)
{
	(void)facts;
	if (!ctrl->queue_count.known || ctrl->queue_count.value != 2 ||
	    !text_equal(ctrl->transport, "pcie"))
		return NULL;
	return arena_strdup(
		arena,
		"the controller has one I/O queue, which all CPUs share; the kernel's default there is mq-deadline");
}

static const struct advice_row rows[] = {
	{ "controller.not-live", "warning", not_live },
	{ "node.unknown", "warning", unknown_node },
	{ "link.trained-down", "warning", trained_down },
	{ "queues.one", "info", one_queue },
};

void plan_advice(struct planner *planner)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		VEC_EACH(&planner->facts->ctrls, struct ctrl, ctrl) {
			const char *text = rows[i].check(planner->arena,
							 planner->facts, ctrl);

			if (text)
				*vec_add(planner->arena,
					 &planner->plan->advice) =
					(struct advice){
						.id = rows[i].id,
						.severity = rows[i].severity,
						.subject = ctrl->name,
						.text = text,
					};
		}
}
