/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * What one setting applies to.  All strings belong to the arena of the facts.
 */

enum target_kind {
	TARGET_HOST,
	TARGET_MODULE,	  /* a kernel module: nvme, nvme_core */
	TARGET_CTRL,	  /* nvme0 */
	TARGET_QUEUE,	  /* a request queue: nvme0n1, nvme0c0n1 */
	TARGET_FUNCTION,  /* the PCI function of a controller: nvme0 */
	TARGET_VECTOR,	  /* an interrupt vector: nvme0q0 */
	TARGET_SUBSYSTEM, /* nvme-subsys0 */
	TARGET_CPUS,	  /* CPUs with one frequency: policy0 */
	TARGET_SERVICE,	  /* a unit of systemd: postgresql.service */
	TARGET_WRAPPER,	  /* a command of ours that starts others */
};

/* "queue", "controller" ... in JSON and journals; ends with NULL. */
extern const char *const target_kind_names[];

struct target {
	enum target_kind kind;
	const char *name; /* today's name: for the eye and for paths */
	const char *dir;  /* its sysfs folder below the root, "sys/..." */
	/*
	 * Who it is across boots: "nqn.../1" for a controller, the wwid (or
	 * "serial/nsid") for a namespace, both for a path, "nqn.../1/q0" for a
	 * vector, the module's name for a module, "host".  Names, numbers and
	 * PCI addresses move between boots; this does not.
	 */
	const char *id;
};
