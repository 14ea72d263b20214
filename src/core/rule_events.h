/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/knob.h"
#include "core/rules_device.h"
#include "core/sites.h"

/*
 * The udev rules of the facts, for the attribute of one site.  A rule reaches
 * it from the device's own event, or from below with ATTR{device/...}; what
 * can happen when is one table here, so a new kind of target is made known
 * here and nowhere else in what speaks of rules.
 */

/* In the order of time, when a drive comes or a host boots. */
enum rule_event {
	RULE_AT_FUNCTION,  /* "add" of the PCI function */
	RULE_AT_CPU,	   /* "add" of a CPU */
	RULE_AT_CTRL,	   /* "add" of the controller */
	RULE_AT_SUBSYSTEM, /* "add" of its subsystem */
	RULE_AT_BOUND,	   /* "bind": the function has its driver */
	RULE_AT_DISK,	   /* "add" of a disk */
};

/* One assignment to the attribute. */
struct rule_word {
	const struct rule_effect *effect; /* on_add: on the event of at */
	enum rule_event at;
};

/* In the order in which they run. */
struct rule_words {
	VEC(struct rule_word) words;
};

struct rule_events;

/* Evaluates nothing yet; each device's rules once, when they are asked for. */
struct rule_events *rule_events_new(struct arena *arena,
				    const struct facts *facts);

struct rule_words rule_events_about(struct rule_events *events,
				    const struct knob *knob,
				    const struct site *site);

/* When our own rule for the knob has its last turn at this site. */
enum rule_event rule_events_ours(const struct rule_events *events,
				 const struct knob *knob,
				 const struct site *site);

/*
 * Does a file of this attribute, in the folder of a device whose name fits the
 * glob (NULL: any), hold the knob's value at the site?
 */
bool rule_events_file(const struct rule_events *events, const struct knob *knob,
		      const struct site *site, const char *device,
		      const char *attr);
