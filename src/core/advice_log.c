/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Advice from what the kernel said and counted of a drive.  A line of the log
 * is a hint, no verdict: the same lines come from firmware, power saving, the
 * link, heat and a dying drive.
 */

#include <inttypes.h>

#include "base/parse.h"
#include "core/advisor.h"

static int64_t count_of(const struct facts *facts, const struct ctrl *ctrl,
			const char *kind)
{
	int64_t n = 0;

	VEC_EACH(&facts->log, struct log_count, it)
		if (text_equal(it->kind, kind) &&
		    (text_equal(it->device, ctrl->name) ||
		     text_equal(it->device, ctrl->address)))
			n += it->count;
	return n;
}

static void timeouts(const struct advisor *advisor, const struct ctrl *ctrl)
{
	int64_t late = count_of(advisor->facts, ctrl, "timeout");
	int64_t down = count_of(advisor->facts, ctrl, "controller-down");

	if (late + down == 0)
		return;
	advise(advisor, ctrl->name,
	       "the kernel log tells of %" PRId64 " time-outs, and %" PRId64
	       " times of a lost controller: look at health, heat and firmware first, then try power.apst = off, then power.aspm = off, one at a time",
	       late, down);
}

static void refused_apst(const struct advisor *advisor, const struct ctrl *ctrl)
{
	if (count_of(advisor->facts, ctrl, "apst-error"))
		advise(advisor, ctrl->name,
		       "the kernel log tells that the drive did not take its APST table: which idle states it uses is its own choice");
}

#define MEND_LINK \
	"reseat the drive, look at riser and cable, then try power.aspm = off"

static void link_errors(const struct advisor *advisor, const struct ctrl *ctrl)
{
	int64_t mended = count_of(advisor->facts, ctrl, "aer-correctable");
	int64_t worse = count_of(advisor->facts, ctrl, "aer-nonfatal") +
			count_of(advisor->facts, ctrl, "aer-fatal");

	/* Kernels without the counters still log what comes. */
	if (mended + worse == 0 && count_of(advisor->facts, ctrl, "aer"))
		advise(advisor, ctrl->name,
		       "the kernel log tells of %" PRId64
		       " PCIe errors: " MEND_LINK,
		       count_of(advisor->facts, ctrl, "aer"));
	if (mended + worse == 0)
		return;
	advise(advisor, ctrl->name,
	       "PCIe errors since boot: %" PRId64 " corrected, %" PRId64
	       " not; each corrected one was sent twice: " MEND_LINK,
	       mended, worse);
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "log.timeouts",
		   .severity = "warning",
		   .confidence = "hint",
		   .summary =
			   "requests timed out, or the controller was lost, since boot",
		   .evidence =
			   "Such lines about this drive are in the kernel log; how old they are is not judged.",
		   .remedy =
			   "Health, heat and firmware first; then APST off, then ASPM off, one at a time, since one of them alone often helps and both cost power.",
		   .source =
			   "drivers/nvme/host/pci.c, nvme_timeout(), nvme_warn_reset()" },
	  .check_ctrl = timeouts },
	{ .doc = { .id = "log.apst-refused",
		   .severity = "info",
		   .confidence = "likely",
		   .summary = "the drive did not take its table of idle states",
		   .evidence =
			   "\"failed to set APST feature\" is in the kernel log of this drive.",
		   .remedy =
			   "A firmware update; power.apst has no hold on such a drive.",
		   .source = "drivers/nvme/host/core.c, nvme_configure_apst()" },
	  .check_ctrl = refused_apst },
	{ .doc = { .id = "link.errors",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "the PCIe link had errors since boot",
		   .evidence =
			   "The drive's aer_dev_correctable, aer_dev_nonfatal or aer_dev_fatal is not 0, or AER lines of the drive or its port are in the kernel log.",
		   .remedy =
			   "Reseat the drive, look at slot, riser and cable; where the count grows only when idle, power.aspm = off.",
		   .source =
			   "Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats" },
	  .check_ctrl = link_errors },
};

const struct advice_rows advice_log = ADVICE_ROWS(rows);
