/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"
#include "core/knob.h"

/*
 * Where the settings of a knob apply on a host: one site for each request
 * queue, controller, PCI function, vector ... of the knob's scope.  Probing
 * and planning go through the same list, so a new scope is made known here
 * and nowhere else.
 */

struct site {
	struct target target;
	/* Whose it is, for the match of a profile; NULL where it is nobody's. */
	const struct ctrl *ctrl;
	const struct ns *ns;
};

struct site_list {
	VEC(struct site) sites;
};

/* All sites of this knob, in the order of the facts. */
struct site_list sites_of(struct arena *arena, const struct facts *facts,
			  const struct knob *knob);
