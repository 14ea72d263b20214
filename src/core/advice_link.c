/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Advice on the PCIe link of a drive. */

#include <inttypes.h>

#include "base/parse.h"
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

/* Both ends could do better than the link does; where is NULL for the link
 * of the drive itself. */
static void say_trained_down(const struct advisor *advisor,
			     const struct ctrl *ctrl, const char *where,
			     const struct link *lower, const struct link *upper)
{
	struct link most;
	struct num now;

	if (link_judge(lower, upper, &most) != LINK_DOWN)
		return;
	now = link_bandwidth_mbs(lower->speed_mts, lower->width);
	advise(advisor, ctrl->name,
	       "the link%s%s runs at %s of %s that both ends can%s: no setting helps; reseat the %s, look at slot, riser and cable",
	       where ? " above switch " : "", where ? where : "",
	       link_text(advisor, lower->speed_mts, lower->width),
	       link_text(advisor, most.max_speed_mts, most.max_width),
	       now.known ? bounds(advisor, now.value) : "",
	       where ? "card" : "drive");
}

static void trained_down(const struct advisor *advisor, const struct ctrl *ctrl)
{
	struct uplink up;

	say_trained_down(advisor, ctrl, NULL, &ctrl->link, &ctrl->port);
	for (size_t i = 0; link_uplink(ctrl, i, &up); i++)
		say_trained_down(advisor, ctrl, up.address, up.lower, up.upper);
}

/* The slot of a switch carries less than the link of the drive behind it. */
static void slot_of_switch(const struct advisor *advisor,
			   const struct ctrl *ctrl, const struct uplink *up,
			   struct num drive)
{
	struct num now =
		link_bandwidth_mbs(up->lower->speed_mts, up->lower->width);
	enum link_state state = link_judge(up->lower, up->upper, NULL);

	if ((state != LINK_FULL && state != LINK_SLOT) || !now.known ||
	    !drive.known || now.value >= drive.value)
		return;
	advise(advisor, ctrl->name,
	       "switch %s is in a slot of %s: %s of the %s GB/s that the drive's link carries, by design",
	       up->address,
	       link_text(advisor, up->lower->speed_mts, up->lower->width),
	       gigabytes(advisor, now.value), gigabytes(advisor, drive.value));
}

/* The slot is what it is; whoever compares with the data sheet should know. */
static void by_slot(const struct advisor *advisor, const struct ctrl *ctrl)
{
	const struct link *link = &ctrl->link;
	struct num now = link_bandwidth_mbs(link->speed_mts, link->width);
	struct num can =
		link_bandwidth_mbs(link->max_speed_mts, link->max_width);
	struct uplink up;

	if (link_judge(link, &ctrl->port, NULL) == LINK_SLOT && now.known &&
	    can.known)
		advise(advisor, ctrl->name,
		       "the slot is %s: %s of the %s GB/s that the drive's own link carries, by design",
		       link_text(advisor, link->speed_mts, link->width),
		       gigabytes(advisor, now.value),
		       gigabytes(advisor, can.value));
	for (size_t i = 0; link_uplink(ctrl, i, &up); i++)
		slot_of_switch(advisor, ctrl, &up, now);
}

/* What the links of all drives behind a switch carry together, as far as it
 * is known. */
static int64_t behind(const struct facts *facts, const char *address,
		      unsigned int *ret_drives)
{
	int64_t sum = 0;

	*ret_drives = 0;
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl) {
		struct uplink up;

		for (size_t i = 0; link_uplink(ctrl, i, &up); i++) {
			if (!text_equal(up.address, address))
				continue;
			sum += num_or(link_bandwidth_mbs(ctrl->link.speed_mts,
							 ctrl->link.width),
				      0);
			(*ret_drives)++;
		}
	}
	return sum;
}

static void shared_uplink(const struct advisor *advisor,
			  const struct ctrl *ctrl)
{
	struct uplink up;

	for (size_t i = 0; link_uplink(ctrl, i, &up); i++) {
		struct num now = link_bandwidth_mbs(up.lower->speed_mts,
						    up.lower->width);
		unsigned int drives;
		int64_t sum = behind(advisor->facts, up.address, &drives);

		if (drives < 2 || !now.known || sum <= now.value)
			continue;
		advise(advisor, ctrl->name,
		       "behind switch %s, whose uplink of %s carries %s GB/s, are %u drives whose links carry %s GB/s: read all at once, they share it",
		       up.address,
		       link_text(advisor, up.lower->speed_mts, up.lower->width),
		       gigabytes(advisor, now.value), drives,
		       gigabytes(advisor, sum));
	}
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "link.trained-down",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary =
			   "the PCIe link is slower or narrower than both of its ends can",
		   .evidence =
			   "The current speed or width is below the lesser of the maxima of both ends, for the drive's link or one above a switch.",
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
			   "The link runs at the port's maximum, which is below the drive's; or a switch's uplink that is not trained down carries less than the drive's link.",
		   .remedy = "Another slot, where there is one; it is no fault.",
		   .source =
			   "drivers/pci/pci-sysfs.c, max_link_speed_show(); PCI Express Base, 7.5.3.6" },
	  .check_ctrl = by_slot },
	{ .doc = { .id = "link.shared-uplink",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "drives behind one switch share an uplink",
		   .evidence =
			   "Two drives or more are behind one switch port, and what their links carry now adds up to more than its link does.",
		   .remedy =
			   "None for one drive at a time; drives that are read at once belong below different ports.",
		   .source =
			   "drivers/pci/pci-sysfs.c, current_link_speed_show(); PCI Express Base, 1.3.3" },
	  .check_ctrl = shared_uplink },
};

const struct advice_rows advice_link = ADVICE_ROWS(rows);
