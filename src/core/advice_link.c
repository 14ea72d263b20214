/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Advice on the PCIe link of a drive. */

#include <inttypes.h>

#include "base/strbuf.h"
#include "core/advisor.h"
#include "core/link.h"

static const char *link_text(const struct advisor *advisor, struct num speed,
			     struct num width)
{
	struct strbuf out;

	strbuf_init(&out, advisor->arena);
	link_to_text(speed, width, &out);
	return out.text;
}

/* "3.94" of 3940. */
static const char *gigabytes(const struct advisor *advisor, int64_t mbs)
{
	return arena_printf(advisor->arena, "%" PRId64 ".%02" PRId64,
			    mbs / 1000, mbs % 1000 / 10);
}

/* What such a link lets through at most, of large reads and of small ones. */
static const char *bounds(const struct advisor *advisor, int64_t mbs)
{
	return arena_printf(advisor->arena,
			    ", and carries %s GB/s, at most %" PRId64
			    "k reads of 4 KiB a second",
			    gigabytes(advisor, mbs), mbs * 1000 / 4096);
}

/* Both ends could do better than the link does. */
static void trained_down(const struct advisor *advisor, const struct ctrl *ctrl)
{
	const struct link *link = &ctrl->link;
	struct link most;
	struct num now;

	if (link_judge(link, &ctrl->port, &most) != LINK_DOWN)
		return;
	now = link_bandwidth_mbs(link->speed_mts, link->width);
	advise(advisor, ctrl->name,
	       "the link runs at %s of %s that both ends can%s: no setting helps; reseat the drive, look at slot, riser and cable",
	       link_text(advisor, link->speed_mts, link->width),
	       link_text(advisor, most.max_speed_mts, most.max_width),
	       now.known ? bounds(advisor, now.value) : "");
}

/* The slot is what it is; whoever compares with the data sheet should know. */
static void by_slot(const struct advisor *advisor, const struct ctrl *ctrl)
{
	const struct link *link = &ctrl->link;
	struct num now = link_bandwidth_mbs(link->speed_mts, link->width);
	struct num can =
		link_bandwidth_mbs(link->max_speed_mts, link->max_width);

	if (link_judge(link, &ctrl->port, NULL) != LINK_SLOT || !now.known ||
	    !can.known)
		return;
	advise(advisor, ctrl->name,
	       "the slot is %s: %s of the %s GB/s that the drive's own link carries, by design",
	       link_text(advisor, link->speed_mts, link->width),
	       gigabytes(advisor, now.value), gigabytes(advisor, can.value));
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "link.trained-down",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary =
			   "the PCIe link is slower or narrower than both of its ends can",
		   .evidence =
			   "The current speed or width is below the lesser of the drive's and the port's maximum.",
		   .remedy =
			   "No setting helps: reseat the drive, look at slot, riser and cable.",
		   .source =
			   "drivers/pci/pci-sysfs.c, current_link_speed_show(); PCI Express Base, 7.5.3.8" },
	  .check_ctrl = trained_down },
	{ .doc = { .id = "link.slot",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "the slot carries less than the drive could",
		   .evidence =
			   "The link runs at the port's maximum, which is below the drive's.",
		   .remedy = "Another slot, where there is one; it is no fault.",
		   .source =
			   "drivers/pci/pci-sysfs.c, max_link_speed_show(); PCI Express Base, 7.5.3.6" },
	  .check_ctrl = by_slot },
};

const struct advice_rows advice_link = ADVICE_ROWS(rows);
