/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * What one setting applies to.  All strings belong to the arena of the facts.
 */

enum target_kind {
	TARGET_HOST,
	TARGET_MODULE, /* a kernel module: nvme, nvme_core */
	TARGET_CTRL,   /* nvme0 */
	TARGET_QUEUE,  /* a request queue: nvme0n1, nvme0c0n1 */
};

struct target {
	enum target_kind kind;
	const char *name; /* today's name: for the eye and for paths */
	const char *dir;  /* its sysfs folder below the root, "sys/..." */
	/*
	 * Who it is across boots: "nqn.../1" for a controller, the wwid (or
	 * "serial/nsid") for a namespace, both for a path, the module's name
	 * for a module, "host".  Names, numbers and PCI addresses move
	 * between boots; this does not.
	 */
	const char *id;
};
