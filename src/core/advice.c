/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What matters but is no setting.  One row a check; a check that cannot see
 * enough says nothing.
 */

#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "core/health.h"
#include "core/link.h"
#include "core/planner.h"

struct advice_row {
	struct advice_doc doc;
	/* The sentence, in the arena, or NULL: nothing to say. */
	const char *(*check)(struct arena *arena, const struct facts *facts,
			     const struct ctrl *ctrl);
};

static bool is_pcie(const struct ctrl *ctrl)
{
	return text_equal(ctrl->transport, "pcie");
}

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

static const char *not_well(struct arena *arena, const struct facts *facts,
			    const struct ctrl *ctrl)
{
	const struct num *bits = &ctrl->smart.critical_warning;
	struct strbuf words;

	(void)facts;
	if (num_or(*bits, 0) == 0)
		return NULL;
	strbuf_init(&words, arena);
	health_to_text(bits->value, &words);
	return arena_printf(
		arena,
		"the drive warns of itself: %s; look after its data before its speed",
		words.text);
}

static const char *unknown_node(struct arena *arena, const struct facts *facts,
				const struct ctrl *ctrl)
{
	if (ctrl->node.known || facts->nodes.n < 2 || !is_pcie(ctrl))
		return NULL;
	return arena_strdup(
		arena,
		"the firmware does not say to which NUMA node the drive belongs: nothing here can be bound to its node");
}

/* Both ends could do better than the link does. */
static const char *trained_down(struct arena *arena, const struct facts *facts,
				const struct ctrl *ctrl)
{
	const struct link *link = &ctrl->link;
	struct strbuf now, can;
	struct link most;

	(void)facts;
	if (link_judge(link, &ctrl->port, &most) != LINK_DOWN)
		return NULL;
	strbuf_init(&now, arena);
	strbuf_init(&can, arena);
	link_to_text(link->speed_mts, link->width, &now);
	link_to_text(most.max_speed_mts, most.max_width, &can);
	return arena_printf(
		arena,
		"the link runs at %s of %s that both ends can: no setting helps; reseat the drive, look at slot, riser and cable",
		now.text, can.text);
}

static const char *one_queue(struct arena *arena, const struct facts *facts,
			     const struct ctrl *ctrl)
{
	(void)facts;
	if (!is_pcie(ctrl) || !ctrl->queue_count.known ||
	    ctrl->queue_count.value != 2)
		return NULL;
	return arena_strdup(
		arena,
		"the controller has one I/O queue, which all CPUs share; the kernel's default there is mq-deadline");
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "controller.not-live",
		   .severity = "warning",
		   .summary = "the controller does not take commands now",
		   .evidence =
			   "The controller's state attribute reads anything but live.",
		   .remedy =
			   "Wait until a reset is over; the kernel log tells why a controller stays so.",
		   .source = "drivers/nvme/host, nvme_sysfs_show_state()" },
	  .check = not_live },
	{ .doc = { .id = "drive.critical-warning",
		   .severity = "warning",
		   .summary = "the drive's SMART log holds a critical warning",
		   .evidence =
			   "The critical warning of log page 02h is not zero.",
		   .remedy =
			   "\"nvme smart-log\" has the details; back up, cool or replace the drive.",
		   .source = "NVMe Base 2.0, figure 207" },
	  .check = not_well },
	{ .doc = { .id = "node.unknown",
		   .severity = "warning",
		   .summary =
			   "the firmware does not say to which node the drive belongs",
		   .evidence =
			   "The host has several NUMA nodes and the PCI device's numa_node reads -1.",
		   .remedy =
			   "A firmware (BIOS) update or setting; until then nothing can be bound to the drive's node.",
		   .source =
			   "Documentation/ABI/testing/sysfs-bus-pci, numa_node" },
	  .check = unknown_node },
	{ .doc = { .id = "link.trained-down",
		   .severity = "warning",
		   .summary =
			   "the PCIe link is slower or narrower than both of its ends can",
		   .evidence =
			   "The current speed or width is below the lesser of the drive's and the port's maximum.",
		   .remedy =
			   "No setting helps: reseat the drive, look at slot, riser and cable.",
		   .source =
			   "drivers/pci/pci-sysfs.c, current_link_speed_show(); PCI Express Base, 7.5.3.8" },
	  .check = trained_down },
	{ .doc = { .id = "queues.one",
		   .severity = "info",
		   .summary = "all CPUs share the controller's only I/O queue",
		   .evidence =
			   "The controller's queue_count reads 2: the admin queue and one for I/O.",
		   .remedy =
			   "None on the host: the drive, or the hypervisor that presents it, gives no more.",
		   .source =
			   "block/elevator.c, elevator_get_default(): one queue gets mq-deadline" },
	  .check = one_queue },
};

const struct advice_doc *advice_doc(size_t nr)
{
	return nr < sizeof(rows) / sizeof(rows[0]) ? &rows[nr].doc : NULL;
}

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
						.id = rows[i].doc.id,
						.severity =
							rows[i].doc.severity,
						.subject = ctrl->name,
						.text = text,
					};
		}
}
