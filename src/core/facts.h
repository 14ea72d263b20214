/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/cpuset.h"
#include "base/vec.h"
#include "core/target.h"
#include "core/value.h"

/*
 * One host as plain data; nothing in here is a judgement.
 *
 * Everything belongs to one arena.  What could not be read is absent with
 * the reason: a NULL string, a num that is not known.  A zeroed struct is a
 * host of which nothing is known: never zero, never node 0.
 *
 * Strings are as the kernel gives them, without padding and the final
 * newline, and foreign: whoever prints them escapes them.
 *
 * json/facts_json.c has one row for each field here; a field without a row
 * is lost in a saved host.
 */

/* A number that may be unknown. */
struct num {
	bool known;
	int why; /* unknown: a positive errno, or 0 when nobody looked */
	int64_t value;
};

static inline struct num num_known(int64_t value)
{
	return (struct num){ .known = true, .value = value };
}

static inline struct num num_unknown(int why)
{
	return (struct num){ .why = why };
}

/* value when known, otherwise fallback. */
static inline int64_t num_or(struct num num, int64_t fallback)
{
	return num.known ? num.value : fallback;
}

struct node {
	int64_t id;
	struct cpuset cpus;	/* empty: a node of memory only */
	struct num memory_kb;	/* 0: a node of CPUs only */
	VEC(int64_t) distances; /* to the nodes in the order of facts.nodes */
};

/* One PCIe link as one of its ends sees it. */
struct link {
	struct num speed_mts; /* MT/s: 8000 is 8.0 GT/s */
	struct num width;     /* lanes */
	struct num max_speed_mts;
	struct num max_width;
};

/*
 * A port between a drive and the root, and the link that it is one end of:
 * of a port that looks towards the drive the link below it, of the port at
 * the top of a switch the link above.
 */
struct pci_port {
	const char *address;
	struct link link;
};

struct named_num {
	const char *name;
	struct num value;
};

/* One interrupt vector of a controller. */
struct vector {
	int64_t irq;
	struct num queue;   /* 0 is the admin queue; from the action's name */
	struct num managed; /* 1: the kernel places it and refuses writes */
	struct num shared;  /* 1: a device beside this one uses it too */
	struct cpuset mask; /* CPUs it may go to */
	struct cpuset effective; /* CPUs it does go to */
	struct num node;	 /* of the descriptor */
	struct num count;	 /* interrupts so far, all CPUs */
};

/* An NVMe power state (NVMe Base 2.0, figure 276), 0 being the first. */
struct power_state {
	struct num max_power_mw;
	struct num entry_us;
	struct num exit_us;
	struct num non_operational; /* 1: no I/O in this state */
	/* Idle for so long in this state, it goes on to idle_state by itself,
	 * as the table of feature 0Ch has it now; 0: it stays. */
	struct num idle_ms;
	struct num idle_state;
};

/* The SMART / health log, log page 02h (NVMe Base 2.0, figure 207). */
struct smart {
	struct num critical_warning; /* bits */
	struct num temperature_c;
	struct num available_spare_percent;
	struct num spare_threshold_percent;
	struct num used_percent;
	struct num data_units_read; /* 1000 x 512 bytes */
	struct num data_units_written;
	struct num host_reads;
	struct num host_writes;
	struct num busy_minutes;
	struct num power_cycles;
	struct num power_on_hours;
	struct num unsafe_shutdowns;
	struct num media_errors;
	struct num error_log_entries;
	struct num warning_temperature_minutes;
	struct num critical_temperature_minutes;
	struct num thermal_1_count;
	struct num thermal_2_count;
	struct num thermal_1_seconds;
	struct num thermal_2_seconds;
};

/* A DMA pool of device/pools: drivers/base, mm/dmapool.c show_pools(). */
struct dma_pool {
	const char *name;
	int64_t blocks_used;
	int64_t blocks_ever;
};

struct ctrl {
	const char *name; /* nvme0 */
	const char *dev;  /* "241:0" */
	const char *model;
	const char *serial;
	const char *firmware;
	const char *subsystem; /* nvme-subsys0 */
	const char *nqn;
	struct num cntlid;
	const char *transport; /* pcie tcp rdma fc loop apple-nvme */
	const char *state;     /* live new resetting connecting ... */

	/* Where it sits; transport pcie only. */
	const char *address; /* 0000:41:00.0; domains may have 5 digits */
	const char *driver;
	const char *pci_class; /* "0x010802" */
	const char *pci_vendor;
	const char *pci_device;
	struct num node;  /* unknown where the kernel says -1 */
	struct link link; /* as the drive sees it */
	struct link port; /* as the port above the drive sees it */
	/* From that port up to the root port: one, or three behind a switch. */
	VEC(struct pci_port) path;
	VEC(struct named_num) aspm; /* link/l1_aspm ...: 0 or 1 */
	const char *runtime_pm;	    /* power/control: on, auto */
	struct num d3cold_allowed;
	const char *iommu_type; /* DMA DMA-FQ identity, NULL: no IOMMU */

	/* Queues. */
	struct num queue_count;	   /* online, the admin queue included */
	struct num sqsize;	   /* entries less one */
	struct num queue_grant;	   /* feature 07h: I/O queues the drive gives */
	struct num msix_size;	   /* vectors in its MSI-X table */
	struct num queues_default; /* of the split, from the CPU maps */
	struct num queues_read;
	struct num queues_poll;
	VEC(struct vector) vectors;
	VEC(struct dma_pool) pools;

	/* Identify controller, CNS 01h. */
	struct num mdts; /* power of two of the smallest page, 0 no limit */
	struct num npss; /* power states less one */
	struct num apsta;
	struct num sgls;
	struct num maxcmd;
	struct num oacs;
	struct num oncs;
	struct num cmic;
	VEC(struct power_state) power_states;

	/* Features, current values. */
	struct num coalescing;	    /* 08h: THR in bits 7:0, TIME in 15:8 */
	struct num coalescing_caps; /* 08h, select 3: bit 2 changeable */
	struct num apst_enabled;    /* 0Ch: bit 0 */
	/* power/pm_qos_latency_tolerance_us; "any" is 2147483647, "auto" -1 */
	struct num pm_qos_latency_us;
	const char *quirks;

	struct smart smart;
};

enum ns_kind {
	NS_PLAIN, /* a disk with its own request queue */
	NS_HEAD,  /* multipath: the disk that is seen */
	NS_PATH,  /* multipath: a hidden disk with the request queue */
};

struct hw_queue {
	struct cpuset cpus;
	struct num nr_tags;
};

/* Of an XFS; all unknown for other file systems. */
struct xfs_geometry {
	struct num agcount; /* allocation groups */
	struct num ag_bytes;
	struct num log_bytes;
};

struct mount {
	const char *device; /* what is mounted: nvme0n1p2, md0, dm-3 */
	const char *where;
	const char *type;
	struct xfs_geometry xfs;
};

struct partition {
	const char *name;
	const char *dev;
	struct num size_bytes;
};

/* One disk of a namespace. */
struct ns {
	const char *name; /* nvme0n1, nvme0c0n1 */
	int64_t kind;	  /* enum ns_kind */
	const char *ctrl; /* of a plain disk or a path; NULL for a head */
	const char *head; /* of a path: the head's name */
	const char *subsystem;
	const char *dev; /* "259:0"; a path has none */
	struct num nsid;
	const char *wwid;
	struct num size_bytes;
	struct num block_size; /* logical, bytes */
	const char *zoned;     /* none host-aware host-managed */
	struct num has_mq;     /* 1: there is a request queue below mq/ */
	struct num io_poll;    /* 1: a poll queue serves it */
	struct num max_hw_sectors_kb;
	VEC(struct hw_queue) hw_queues;
	VEC(struct partition) partitions;
	VEC(const char *) holders; /* of the disk and its partitions: md0 */
	VEC(struct mount) mounts;  /* of all of these */
	VEC(const char *) swaps;   /* of all of these */
};

/* A block device that stands on others, with a drive of ours at the bottom. */
struct layer {
	const char *name;  /* md0, dm-3 */
	const char *dev;   /* "9:0" */
	const char *alias; /* dm: the name below /dev/mapper */
	/* md: the level, raid1; dm: the start of its uuid, LVM CRYPT-LUKS2
	 * mpath ...; otherwise NULL. */
	const char *kind;
	VEC(const char *) below; /* all of them: nvme0n1p2, md0, sda1 */
};

/* Where a file system is mounted, one that can hold files of a program; of
 * two on one place the later is seen. */
struct mount_point {
	const char *where;
	const char *type;
	/* What of ours it lies on, nvme0n1p2, dm-3: several for a file system
	 * that spans devices; none when it lies elsewhere. */
	VEC(const char *) devices;
};

/* A name that somebody uses for a drive, and what it leads to here. */
struct alias {
	const char *name;     /* "/dev/disk/by-id/...", "/var/lib/postgresql" */
	const char *leads_to; /* kernel name or path; NULL: to nothing */
};

/* What one knob reads on one target. */
struct observation {
	const char *knob;
	int64_t target_kind; /* enum target_kind */
	const char *target;  /* today's name */
	struct value value;  /* VALUE_NONE: see why */
	int64_t why;	     /* positive errno when there is no value */
	const char *choices; /* what the kernel offers, space separated */
};

struct module_param {
	const char *name;
	const char *description; /* modinfo's text */
	const char *live;	 /* /sys/module/M/parameters/P, or NULL */
};

struct module {
	const char *name;
	const char *state; /* builtin live loadable absent */
	VEC(struct module_param) params;
};

/* One of the kernels that an image may boot. */
struct image_kernel {
	const char *release;
	const char *initramfs; /* its image; NULL: none found */
	VEC(struct module) modules;
};

/* One option in modprobe.d or on the kernel command line, in the order in
 * which they are given to the module: the last one wins. */
struct module_option {
	const char *module;
	const char *param;
	const char *value; /* NULL: given without "=" */
	const char *file;  /* "/proc/cmdline" for the command line */
	int64_t line;
};

/*
 * A line of a udev rules file that assigns an attribute, once for each
 * attribute; and, of the files that hold such a line, the GOTO and LABEL lines,
 * which decide whether it runs.  In udev's order.
 */
struct rule_line {
	const char *file;
	int64_t line;
	const char *attr;  /* queue/scheduler; NULL: it assigns none */
	const char *value; /* as written */
	const char *text;  /* the rule, continuation lines joined */
};

/* Something beside udev that writes an attribute of ours. */
struct attr_writer {
	const char *who; /* "tuned profile oltp" */
	const char *file;
	int64_t line;
	const char *attr;   /* queue/scheduler, kernel/numa_balancing */
	const char *device; /* a glob of names; NULL: every one */
	const char *value;  /* tuned: perhaps ">4096", at least that */
	const char *when; /* tuned: while it runs; tmpfiles, sysctl, service: at
			     boot */
};

/* A file that nvmetune owns, or would own. */
struct own_file {
	const char *path;    /* "/etc/modprobe.d/nvmetune.conf" */
	struct num present;  /* 1 or 0; unknown when it could not be read */
	const char *content; /* NULL when absent */
	struct num mtime;    /* seconds since 1970; only of the live machine */
	const char *store;   /* its folder is this one of a store of generated
			      * files, "/nix/store/..."; NULL: it is not */
	struct num mode;     /* its permission bits */
};

/* A PCI function of class NVM Express that no nvme driver serves. */
struct unmanaged {
	const char *address;
	const char *driver; /* vfio-pci; NULL: none */
};

struct service {
	const char *name;   /* irqbalance tuned multipathd */
	const char *state;  /* running stopped absent */
	const char *detail; /* tuned: the active profile */
};

/* "CPUAffinity=0" of a drop-in. */
struct unit_setting {
	const char *text;
	const char *file;
	int64_t line;
};

/* A service of which a profile, or a file of ours, speaks. */
struct bound_unit {
	const char *name;  /* postgresql.service */
	const char *state; /* running stopped absent; NULL: unknown */
	/* 1: it was started after our drop-in was written; unknown when it is
	 * not running or has none. */
	struct num restarted;
	/* What drop-ins behind ours say of CPUs and memory nodes, in order. */
	VEC(struct unit_setting) later;
};

/*
 * How systemd starts irqbalance: what its unit says with all drop-ins but
 * ours.  A zeroed one: no unit was found, or nobody looked.
 */
struct irqbalance {
	const char *unit;     /* its file; NULL: none */
	const char *enabled;  /* enabled disabled masked */
	const char *command;  /* ExecStart */
	const char *variable; /* the word of it that is "$NAME": its arguments */
	const char *arguments; /* what the variable holds; NULL: not set */
	const char *set_by;    /* "FILE:LINE" that set it, or NULL */
	/* "FILE:LINE" behind a drop-in of ours that sets it again, or NULL. */
	const char *overridden;
	const char *running;	 /* how the process was called; NULL: unknown */
	struct num bans_modules; /* 1: the program knows --banmod */
};

/*
 * Counts of kinds of kernel log lines that concern NVMe: timeout reset
 * apst-error aer controller-down, and aspm-firmware of the host.  And, where
 * they are not 0, sysfs's counts of PCIe errors since boot: aer-correctable
 * aer-nonfatal aer-fatal.
 */
struct log_count {
	const char *kind;
	const char *device; /* NULL: the host */
	int64_t count;
};

struct subsystem {
	const char *name;
	const char *nqn;
	const char *type; /* nvm discovery */
	const char *iopolicy;
};

/*
 * What happened between two looks, on CPUs: counts has a number for each CPU
 * of cpus, in their order.  A CPU on which nothing happened is left out.
 */
struct cpu_counts {
	struct cpuset cpus;
	VEC(int64_t) counts;
};

struct vector_sample {
	const char *ctrl;
	int64_t irq;
	struct num queue;
	struct cpu_counts interrupts;
};

struct softirq_sample {
	const char *name; /* BLOCK */
	struct cpu_counts raised;
};

/* Where a CPU's time went, in milliseconds. */
struct cpu_sample {
	int64_t cpu;
	struct num user_ms; /* of nice programs and of guests, too */
	struct num system_ms;
	struct num irq_ms;
	struct num softirq_ms;
	struct num iowait_ms;
	struct num idle_ms;
	struct num steal_ms; /* given to others by the hypervisor */
};

/* Documentation/block/stat.rst */
struct disk_sample {
	const char *disk;
	struct num reads;
	struct num read_kb;
	struct num read_ms; /* of all requests, added up */
	struct num writes;
	struct num written_kb;
	struct num write_ms;
	struct num discards;
	struct num flushes;
	struct num busy_ms;
	struct num in_flight; /* at the second look */
};

/*
 * The differences between two looks at the host's counters.  What is not
 * here was not looked at, or could not be read both times.
 */
struct samples {
	struct num interval_ms; /* between the looks; unknown: no samples */
	VEC(struct vector_sample) vectors;
	VEC(struct softirq_sample) softirqs;
	VEC(struct cpu_sample) cpus;
	VEC(struct disk_sample) disks;
};

struct facts {
	/* The machine and its kernel. */
	const char *hostname;
	const char *kernel;  /* uname -r */
	const char *machine; /* x86_64 */
	const char *cmdline;
	const char *boot_id;
	const char *os_id;	/* os-release ID */
	const char *os_version; /* os-release VERSION_ID */
	const char *os_name;	/* os-release PRETTY_NAME */
	const char *container;	/* NULL: none seen */
	const char *lockdown;	/* none integrity confidentiality */
	const char *hypervisor; /* NULL: none seen */
	struct num root;	/* 1: read with root's rights */
	/* update-initramfs dracut mkinitcpio rpm-ostree */
	const char *initramfs_tool;
	const char *initramfs;	    /* the kernel's image; NULL: none found */
	struct num initramfs_mtime; /* as own_file.mtime */
	/* Where the kernel command line comes from: grub.d grub cmdline.txt
	 * kernel-install rpm-ostree; NULL: none of these. */
	const char *cmdline_tool;
	struct num grub_mtime; /* of grub.cfg, as own_file.mtime */
	struct num page_size;  /* bytes; only of the live machine */
	/* 1: the kernel keeps zoned writes in order by itself
	 * (blk_zone_plug_bio in kallsyms; since 6.10).  Only looked for where
	 * a zoned namespace is. */
	struct num zone_write_plugging;
	struct num multipath; /* nvme_core.multipath: 1 on */
	/* 1: udev runs "nvmetune device" for drives that come, see owner.h. */
	struct num device_helper;

	struct cpuset possible; /* empty: unknown */
	struct cpuset online;
	struct cpuset isolated;
	struct cpuset allowed;		/* this process may run on them */
	VEC(const char *) cpu_policies; /* policy0 ... of cpufreq */
	VEC(struct node) nodes;
	const char *governor;	/* of CPU 0's policy; "mixed" if they differ */
	const char *iommu;	/* hardware of /sys/class/iommu; NULL: none */
	const char *iommu_type; /* groups' type; "mixed" if they differ */

	VEC(struct ctrl) ctrls;
	VEC(struct ns) namespaces;
	VEC(struct layer) layers;	      /* in no order */
	VEC(struct mount_point) mount_points; /* in the order of mounting */
	VEC(struct alias) aliases;
	VEC(struct subsystem) subsystems;
	VEC(struct unmanaged) unmanaged;

	/*
	 * 1: the root of a system that does not run.  It has no devices and
	 * no kernel, but every one of kernels; modules then has what any of
	 * them knows, and possible is the CPUs that were promised.
	 */
	struct num image;
	VEC(struct image_kernel) kernels;
	VEC(struct module) modules; /* nvme, nvme_core */
	VEC(struct module_option) options;
	/* In files of modprobe.d whose names do not end in .conf: not read. */
	VEC(struct module_option) ignored_options;
	VEC(struct rule_line) rules;
	VEC(struct attr_writer) writers;
	VEC(struct own_file) own_files;
	VEC(struct service) services;
	struct irqbalance irqbalance;
	VEC(struct bound_unit) units;
	/* Paths of commands that have the names of wrappers. */
	VEC(const char *) commands;
	VEC(struct log_count) log;
	VEC(const char *) jobs; /* md resync, trim: "md0: resync 12.1%" */

	VEC(struct observation) observed;
	struct samples samples;

	/* What could not be seen, one sentence each, for status and plan. */
	VEC(const char *) blind;
};

const struct ctrl *facts_ctrl(const struct facts *facts, const char *name);
const struct ns *facts_ns(const struct facts *facts, const char *name);
const struct node *facts_node(const struct facts *facts, int64_t id);
const struct module *facts_module(const struct facts *facts, const char *name);
const struct module_param *module_find(const struct module *module,
				       const char *param);

/*
 * The controller behind a disk: of a plain disk or a path its own, of a head
 * the one of its first path; NULL when there is none.
 */
const struct ctrl *facts_ns_ctrl(const struct facts *facts,
				 const struct ns *ns);

/* The n-th path of a head, or NULL. */
const struct ns *facts_head_path(const struct facts *facts,
				 const struct ns *head, size_t n);

/* Identities, see target.h.  In the arena; never NULL. */
char *facts_ctrl_id(struct arena *arena, const struct ctrl *ctrl);
char *facts_ns_id(struct arena *arena, const struct facts *facts,
		  const struct ns *ns);

struct target facts_ctrl_target(struct arena *arena, const struct ctrl *ctrl);
struct target facts_vector_target(struct arena *arena, const struct ctrl *ctrl,
				  const struct vector *vector);
struct target facts_ns_target(struct arena *arena, const struct facts *facts,
			      const struct ns *ns);

/* NULL when nobody looked. */
const struct observation *facts_observed(const struct facts *facts,
					 const char *knob,
					 const struct target *target);
