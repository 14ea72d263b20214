/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/vec.h"
#include "core/binding.h"
#include "core/knob.h"
#include "core/match.h"

/*
 * What must persist, as data; render/ turns it into the text of files.
 * Built from the profile's selectors, not from today's drive names, so that
 * a replacement drive gets the same settings.
 */

/*
 * One section's word on one queue attribute.  The intents of one knob stand
 * together, in the order of the profile: the last one that matches a drive
 * counts.
 */
struct udev_intent {
	const struct knob *knob;
	struct match match;
	bool keep;	   /* leave the drives that match alone */
	const char *value; /* as the attribute takes it; NULL when keep */
	const char *file;  /* the profile's line */
	unsigned int line;
};

struct module_intent {
	const char *module;
	const char *param;
	const char *value;
	const char *asked; /* as the profile spells it: "25%" */
	const char *file;
	unsigned int line;
};

struct sysctl_intent {
	const struct knob *knob; /* its attr is below proc/sys */
	const char *value;
	const char *file;
	unsigned int line;
};

/* How irqbalance is to be started. */
struct irqbalance_intent {
	const char *variable;  /* of its unit's ExecStart */
	const char *arguments; /* for it; NULL: it is not to start at all */
	const char *set_by;    /* the host's own, or NULL */
	const char *file;
	unsigned int line;
};

/* A service or a wrapper, and where it is to run. */
struct runner_intent {
	bool is_service;
	const char *name; /* "postgresql.service" */
	const char *path; /* of its file */
	/* It cannot be told where now: what the file says stays. */
	bool stays;
	struct binding binding;
	/* What counts in the file: the settings of the unit, or the command
	 * that numactl starts with, each line ending with a newline. */
	const char *lines;
	const char *about; /* "/data: nvme0n1p2; node 3", or NULL */
	const char *file;
	unsigned int line;
};

/* A word of the kernel command line. */
struct word_intent {
	const char *word; /* "nvme.poll_queues=2" */
	const char *file;
	unsigned int line;
};

struct intents {
	const char *profile;
	VEC(struct udev_intent) udev;
	VEC(struct module_intent) options;
	VEC(struct sysctl_intent) sysctls;
	VEC(struct word_intent) words;		    /* where grub.d is read */
	const struct irqbalance_intent *irqbalance; /* NULL: as it is */
	VEC(struct runner_intent) runners;
	const char *resolved; /* the text of applied.ini */
};
