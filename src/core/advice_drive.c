/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Advice on the drives themselves. */

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "core/advisor.h"
#include "core/health.h"

static void not_live(const struct advisor *advisor, const struct ctrl *ctrl)
{
	if (ctrl->state && strcmp(ctrl->state, "live") != 0)
		advise(advisor, ctrl->name,
		       "the controller is %s: it is left alone until it is live",
		       ctrl->state);
}

static void not_well(const struct advisor *advisor, const struct ctrl *ctrl)
{
	const struct num *bits = &ctrl->smart.critical_warning;
	struct strbuf words;

	if (num_or(*bits, 0) == 0)
		return;
	strbuf_init(&words, advisor->arena);
	health_to_text(bits->value, &words);
	advise(advisor, ctrl->name,
	       "the drive warns of itself: %s; look after its data before its speed",
	       words.text);
}

static void worn(const struct advisor *advisor, const struct ctrl *ctrl)
{
	int64_t used = num_or(ctrl->smart.used_percent, 0);

	if (used >= 100)
		advise(advisor, ctrl->name,
		       "%" PRId64
		       " %% of the endurance that the drive is rated for is used: plan its replacement",
		       used);
}

static void media_errors(const struct advisor *advisor, const struct ctrl *ctrl)
{
	int64_t errors = num_or(ctrl->smart.media_errors, 0);

	if (errors > 0)
		advise(advisor, ctrl->name,
		       "the drive counts %" PRId64
		       " errors that it could not correct",
		       errors);
}

static void unknown_node(const struct advisor *advisor, const struct ctrl *ctrl)
{
	if (ctrl->node.known || advisor->facts->nodes.n < 2 ||
	    !text_equal(ctrl->transport, "pcie"))
		return;
	advise(advisor, ctrl->name,
	       "the firmware does not say to which NUMA node the drive belongs: nothing here can be bound to its node");
}

#define SMALL_MDTS 7 /* 512 KiB with pages of 4 KiB */

static const struct ns *first_disk(const struct facts *facts,
				   const struct ctrl *ctrl)
{
	VEC_EACH(&facts->namespaces, struct ns, ns)
		if (text_equal(ns->ctrl, ctrl->name) &&
		    ns->max_hw_sectors_kb.known)
			return ns;
	return NULL;
}

/*
 * mdts bounds one command; nothing joins or divides 4 KiB reads by it: each
 * is one PRP entry and uses no list (drivers/nvme/host/pci.c,
 * nvme_setup_prp_simple() and its successors).
 */
static void small_transfers(const struct advisor *advisor,
			    const struct ctrl *ctrl)
{
	const struct ns *ns = first_disk(advisor->facts, ctrl);
	int64_t mdts = num_or(ctrl->mdts, 0);

	if (!ns || mdts == 0 || mdts >= SMALL_MDTS)
		return;
	advise(advisor, ctrl->name,
	       "%" PRId64
	       " KiB is the largest transfer: larger requests are split; it cannot explain a 4 KiB result",
	       ns->max_hw_sectors_kb.value);
}

/* Lists were made, and one pair of pools serves the CPUs of all nodes. */
static void shared_pools(const struct advisor *advisor, const struct ctrl *ctrl)
{
	int64_t blocks = 0;

	VEC_EACH(&ctrl->pools, struct dma_pool, pool)
		blocks += pool->blocks_ever;
	if (blocks == 0 || ctrl->pools.n == 0 || ctrl->pools.n > 2 ||
	    advisor->facts->nodes.n < 2)
		return;
	advise(advisor, ctrl->name,
	       "transfers over 8 KiB took %" PRId64
	       " blocks from one pair of PRP pools for all nodes; a kernel with a pair for each node saves CPU time there, not for smaller transfers",
	       blocks);
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "controller.not-live",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "the controller does not take commands now",
		   .evidence =
			   "The controller's state attribute reads anything but live.",
		   .remedy =
			   "Wait until a reset is over; the kernel log tells why a controller stays so.",
		   .source = "drivers/nvme/host, nvme_sysfs_show_state()" },
	  .check_ctrl = not_live },
	{ .doc = { .id = "drive.critical-warning",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "the drive's SMART log holds a critical warning",
		   .evidence =
			   "The critical warning of log page 02h is not zero.",
		   .remedy =
			   "\"nvme smart-log\" has the details; back up, cool or replace the drive.",
		   .source = "NVMe Base 2.0, figure 207" },
	  .check_ctrl = not_well },
	{ .doc = { .id = "drive.worn",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "the drive's rated endurance is used up",
		   .evidence =
			   "The percentage used of log page 02h is 100 or more.",
		   .remedy =
			   "Plan a replacement; a worn drive may work on for long, or slow down.",
		   .source = "NVMe Base 2.0, figure 207" },
	  .check_ctrl = worn },
	{ .doc = { .id = "drive.media-errors",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "the drive had errors that it could not correct",
		   .evidence =
			   "Media and data integrity errors of log page 02h are not zero.",
		   .remedy =
			   "Look whether the count grows; \"nvme error-log\" may name the blocks.",
		   .source = "NVMe Base 2.0, figure 207" },
	  .check_ctrl = media_errors },
	{ .doc = { .id = "node.unknown",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary =
			   "the firmware does not say to which node the drive belongs",
		   .evidence =
			   "The host has several NUMA nodes and the PCI device's numa_node reads -1.",
		   .remedy =
			   "A firmware (BIOS) update or setting; until then nothing can be bound to the drive's node.",
		   .source =
			   "Documentation/ABI/testing/sysfs-bus-pci, numa_node" },
	  .check_ctrl = unknown_node },
	{ .doc = { .id = "drive.mdts",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "the drive takes small transfers only",
		   .evidence =
			   "Identify's mdts is below 7; the size is max_hw_sectors_kb of its disk.",
		   .remedy =
			   "None: it costs some bandwidth of large sequential transfers, and nothing at 4 KiB.",
		   .source =
			   "NVMe Base 2.0, figure 275; drivers/nvme/host/pci.c, nvme_setup_prp_simple()" },
	  .check_ctrl = small_transfers },
	{ .doc = { .id = "pools.shared",
		   .severity = "info",
		   .confidence = "likely",
		   .summary =
			   "one pair of PRP pools serves all nodes, and was used",
		   .evidence =
			   "Several nodes, at most two rows in device/pools, and blocks were taken from them.",
		   .remedy =
			   "A kernel whose device/pools has a pair for each node; test it by looking there, distributions backport it.",
		   .source =
			   "drivers/nvme/host/pci.c, nvme_setup_prp_pools(); mm/dmapool.c, pools_show()" },
	  .check_ctrl = shared_pools },
};

const struct advice_rows advice_drive = ADVICE_ROWS(rows);
