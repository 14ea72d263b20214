/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/link.h"

#include "base/strbuf.h"

#define MOST_LANES 32

struct num link_bandwidth_mbs(struct num speed_mts, struct num width)
{
	static const struct {
		int64_t speed_mts;
		int64_t lane_mbs;
	} generations[] = {
		{ 2500, 250 },	 { 5000, 500 },	  { 8000, 985 },
		{ 16000, 1969 }, { 32000, 3938 }, { 64000, 7563 },
	};

	if (!speed_mts.known || !width.known)
		return num_unknown(speed_mts.known ? width.why : speed_mts.why);
	if (width.value < 0 || width.value > MOST_LANES)
		return num_unknown(0);
	for (size_t i = 0; i < sizeof(generations) / sizeof(generations[0]);
	     i++) {
		if (generations[i].speed_mts == speed_mts.value)
			return num_known(generations[i].lane_mbs * width.value);
	}
	return num_unknown(0);
}

const char *link_state_name(enum link_state state)
{
	static const char *const names[] = {
		[LINK_UNKNOWN] = "unknown",   [LINK_FULL] = "full",
		[LINK_SLOT] = "slot-limited", [LINK_DOWN] = "trained-down",
		[LINK_LESS] = "below-drive",
	};

	return names[state];
}

static struct num less(struct num a, struct num b)
{
	if (!a.known || !b.known)
		return a.known ? a : b;
	return a.value < b.value ? a : b;
}

enum link_state link_judge(const struct link *drive, const struct link *port,
			   struct link *ret_most)
{
	struct num speed = less(drive->max_speed_mts, port->max_speed_mts);
	struct num width = less(drive->max_width, port->max_width);

	if (ret_most) {
		*ret_most = (struct link){ .max_speed_mts = speed,
					   .max_width = width };
	}
	if (!drive->speed_mts.known || !drive->width.known ||
	    !drive->max_speed_mts.known || !drive->max_width.known)
		return LINK_UNKNOWN;
	if (drive->speed_mts.value >= drive->max_speed_mts.value &&
	    drive->width.value >= drive->max_width.value)
		return LINK_FULL;
	if (!port->max_speed_mts.known || !port->max_width.known)
		return LINK_LESS;
	if (drive->speed_mts.value < speed.value ||
	    drive->width.value < width.value)
		return LINK_DOWN;
	return LINK_SLOT;
}

static bool agree(struct num a, struct num b)
{
	return !a.known || !b.known || a.value == b.value;
}

/* A switch is two ports of the path: with the drive's own port in front, the
 * ends of an uplink are at 1 and 2, at 3 and 4 ... */
bool link_uplink(const struct ctrl *ctrl, size_t nr, struct uplink *ret)
{
	const struct pci_port *lower, *upper;

	if (2 * nr + 2 >= ctrl->path.n)
		return false;
	lower = &ctrl->path.items[2 * nr + 1];
	upper = &ctrl->path.items[2 * nr + 2];
	if (!agree(lower->link.speed_mts, upper->link.speed_mts) ||
	    !agree(lower->link.width, upper->link.width))
		return false;
	*ret = (struct uplink){
		.address = lower->address,
		.lower = &lower->link,
		.upper = &upper->link,
	};
	return true;
}

void link_to_text(struct num speed_mts, struct num width, struct strbuf *out)
{
	if (speed_mts.known)
		strbuf_printf(out, "%lld.%lld GT/s",
			      (long long)(speed_mts.value / 1000),
			      (long long)(speed_mts.value % 1000 / 100));
	else
		strbuf_puts(out, "unknown speed");
	if (width.known)
		strbuf_printf(out, " x%lld", (long long)width.value);
	else
		strbuf_puts(out, " unknown width");
}
