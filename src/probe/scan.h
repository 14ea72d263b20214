/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "probe/probe.h"

/*
 * One run of the probes.  Each source is one file with one function, called
 * in the order below; each adds to facts and none can fail.
 */

struct iommu_group {
	const char *name;
	const char *type;
};

/* The PCI port above a controller; its own errors concern the drive's link. */
struct port_above {
	const char *ctrl;
	const char *address;
};

/* The first process of a service that systemd started. */
struct service_pid {
	const char *service;
	const char *pid;
};

struct scan {
	const struct sysroot *root;
	const struct knob_set *knobs;
	const struct probe_options *options;
	struct arena *arena;
	struct facts *facts;
	/* Only what this controller's settings depend on; NULL: the host. */
	const char *only;
	/* For later sources, so that no attribute is opened twice. */
	VEC(struct iommu_group) groups;
	VEC(struct port_above) ports;
	VEC(struct service_pid) pids;
	VEC(struct pci_port) bridges; /* each read once for all drives */
};

void host_scan(struct scan *scan);	    /* kernel, CPUs, nodes, IOMMU */
void host_scan_cpus(struct scan *scan);	    /* of these: kernel, CPUs, nodes */
void host_scan_governor(struct scan *scan); /* from what knobs observed */
void ctrl_scan(struct scan *scan);	    /* controllers and subsystems */
void ctrl_scan_one(struct scan *scan, const char *name);
void pci_scan(struct scan *scan); /* links, power, MSI-X table */
void ns_scan(struct scan *scan);  /* disks and their users */
void ns_scan_one(struct scan *scan, const char *name);
/* The facts of the disks are all there: what follows from them. */
void ns_scan_end(struct scan *scan);
void vectors_scan(struct scan *scan);	 /* interrupts */
void split_scan(struct scan *scan);	 /* default, read, poll queues */
void kmod_scan(struct scan *scan);	 /* modules and parameters */
void config_scan(struct scan *scan);	 /* who sets what, where */
void runners_scan(struct scan *scan);	 /* services and wrappers */
void services_scan(struct scan *scan);	 /* who else sets it */
void irqbalance_scan(struct scan *scan); /* how it is started */
void boot_scan(struct scan *scan);	 /* initramfs, command line */
void writers_scan(struct scan *scan);	 /* tuned, tmpfiles.d, sysctl.d */
void observe_scan(struct scan *scan);	 /* knobs */
void admin_scan(struct scan *scan);	 /* commands to drives */
void jobs_scan(struct scan *scan);	 /* md, trim */
int log_scan(struct scan *scan, struct err *err); /* kernel log */

/* Of the services that services_scan() looks for, or NULL. */
const char *scan_service_pid(const struct scan *scan, const char *name);

/* A sentence for facts.blind; the same one is kept once. */
void scan_blind(struct scan *scan, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Attributes by a path that is put together; otherwise as in sysroot.h. */
char *scan_text(struct scan *scan, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
struct num scan_num(struct scan *scan, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A CPU list; empty when it cannot be read. */
struct cpuset scan_cpus(struct scan *scan, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A number that only the live host tells, kept for a tree that is made of it;
 * on such a tree what was kept, elsewhere unknown.
 */
struct num scan_keep(struct scan *scan, const char *name, struct num live);
/* When a file was written last: of the live host, as above. */
struct num scan_mtime(struct scan *scan, const char *path);

/* Of the PCI function whose folder this is. */
struct link scan_link(struct scan *scan, const char *dir);

bool scan_is_pcie(const struct ctrl *ctrl);

/* What a disk's name says: nvme0n1 or, for a path, nvme0c1n1. */
struct disk_name {
	uint64_t instance; /* of the controller; of the subsystem in a path */
	bool is_path;
	uint64_t nsid_index;
};

/* False for everything else: partitions too, nvme0n1p1. */
bool scan_disk_name(const char *name, struct disk_name *ret);

/* The folder above the disk's own: nvme0, or nvme-subsys0 of a head; NULL:
 * there is no such disk. */
const char *scan_disk_owner(struct scan *scan, const char *name);

/* nvme0: a prefix and nothing but a number. */
bool scan_is_numbered(const char *name, const char *prefix);

/* The word in brackets of "a [b] c", or the text itself without brackets. */
const char *scan_chosen_word(struct arena *arena, const char *text);
