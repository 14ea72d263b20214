/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/intents.h"
#include "core/knob.h"
#include "core/problems.h"
#include "core/profile.h"

/*
 * facts + profile + knobs (+ what was applied before) -> what to do, in the
 * order in which it is done.  Pure: same input, same plan, byte for byte.
 */

/* What keeps a setting after a reboot. */
enum persistence {
	PERSIST_NONE,	/* nothing to keep (verdict cannot, side effects) */
	PERSIST_RULE,	/* our udev rule */
	PERSIST_OPTION, /* our modprobe.d line */
	PERSIST_SYSCTL, /* our sysctl.d line */
	PERSIST_HELPER, /* the device helper, from applied.ini */
	PERSIST_UNIT,	/* our drop-in of a unit */
	PERSIST_SCRIPT, /* our script */
	PERSIST_WORD,	/* our word of the kernel command line */
	PERSIST_KERNEL, /* the kernel gives this value by itself */
	PERSIST_CANNOT, /* nothing can; see persist_reason */
};

const char *persistence_name(enum persistence persistence);

enum change_origin {
	ORIGIN_PROFILE, /* a setting of the profile */
	ORIGIN_RETURN,	/* only the profile applied before had it */
	ORIGIN_EFFECT,	/* the kernel changes it with another change */
};

enum need {
	NEED_RELOAD = 1 << 0,	 /* reload of the module, or a reboot */
	NEED_INITRAMFS = 1 << 1, /* rebuild it, or the option is not seen */
	NEED_GRUB = 1 << 3,	 /* grub.cfg made anew, or a word is not seen */
	NEED_REBOOT = 1 << 4,	 /* nothing less will do */
	NEED_RESTART = 1 << 2,	 /* of the service that reads it, see restart */
};

struct change {
	const char *id;	 /* "queue.scheduler@nvme0n1" */
	const char *key; /* "queue.scheduler" */
	const struct knob *knob;
	const char *param; /* "nvme.poll_queues", or NULL */
	struct target target;
	enum change_origin origin;
	const char *asked; /* as the profile spells it, or NULL */
	const char *file;  /* the profile's line; NULL unless ORIGIN_PROFILE */
	unsigned int line;
	struct value have; /* VALUE_NONE: unknown or absent */
	struct value want;
	enum verdict verdict;
	bool settled;	    /* keep, and nobody could change it; see reason */
	bool pending;	    /* later, and already persisted */
	const char *reason; /* one sentence, no period */
	const char *note;   /* what is to be known of want here, or NULL */
	VEC(const char *) set_by; /* "FILE:LINE: text" that set have */
	/* Rules of others that assign it here, in the order in which they run:
	 * "FILE:LINE sets VALUE", and when, if not at each add. */
	VEC(const char *) rules;
	enum persistence persistence;
	const char *persist_reason; /* or NULL */
	/* PERSIST_CANNOT: what will set another value, where it is no rule. */
	const struct attr_writer *overridden_by;
	unsigned int needs;  /* enum need */
	const char *restart; /* NEED_RESTART: the unit, "irqbalance.service" */
	/*
	 * An earlier change of this plan may reset the attribute: want is
	 * written again after it, even where have equals want.  A change of
	 * ORIGIN_EFFECT without this is only recorded: the kernel's new value
	 * stands, and rollback restores the old one.
	 */
	bool put_back;
};

/* An owned file against what it should be. */
enum file_action {
	FILE_SAME,
	FILE_CREATE,
	FILE_REPLACE,
	FILE_REMOVE,
	FILE_CONFLICT, /* not ours, or changed by hand: never overwritten */
};

const char *file_action_name(enum file_action action);

struct planned_file {
	const char *path; /* "/etc/udev/rules.d/90-nvmetune.rules" */
	enum file_action action;
	const char *have;  /* NULL: absent */
	const char *want;  /* NULL: must be absent */
	unsigned int mode; /* of want; 0: as it is, or the usual one */
	const char *reason;
};

struct advice {
	const char *id;	      /* "link.trained-down" */
	const char *severity; /* info warning */
	const char *subject;  /* nvme0, host */
	const char *text;
};

/* What a kind of advice is about; for "nvmetune explain". */
struct advice_doc {
	const char *id;
	const char *severity;
	const char *confidence; /* certain likely hint */
	const char *summary;	/* one line, no period */
	const char *evidence;	/* what must be seen for it to be said */
	const char *remedy;
	const char *source;
};

/* Every kind, in the order in which a plan gives them. */
const struct advice_doc *advice_doc(size_t nr); /* NULL behind the last */

/* The queue split that a controller will have after a reload. */
struct split {
	const char *ctrl;
	struct num now_default, now_read, now_poll;
	bool predicted; /* false: reason says what is unknown */
	unsigned int next_default, next_read, next_poll;
	const char *reason; /* a warning, or why nothing is predicted */
};

struct plan {
	const char *profile;
	VEC(const char *) only; /* these drives; empty: all */
	VEC(struct change) changes;
	VEC(struct planned_file) files;
	VEC(struct split) splits;
	VEC(struct advice) advice;
	struct intents intents;
	unsigned int needs;	 /* of all changes, the pending ones too */
	unsigned int file_needs; /* of what is to become of the files */
};

/* What earlier transactions left, newest state; see write/history.h. */
struct applied_change {
	const char *key;
	int64_t target_kind;
	const char *target_id;
	struct value before; /* before the first transaction that had it */
	struct value left;   /* what it read at the end of the newest one */
};

/* A line that our file of module options had and has no more. */
struct dropped_option {
	const char *module;
	const char *param;
	const char *value;
};

struct applied {
	const char *profile; /* of the newest transaction; NULL: none */
	const char *boot_id; /* under which it was committed */
	bool persist_only;   /* it left the values as they were */
	VEC(struct applied_change) changes;
	/* In the boot of boot_id: a module may have been loaded with these. */
	VEC(struct dropped_option) dropped;
	/* Owned files as nvmetune left them, to tell edits by hand. */
	VEC(struct own_file) files;
};

struct plan_input {
	const struct facts *facts;
	const struct profile *profile;
	const struct knob_set *knobs;
	const struct applied *applied; /* NULL: nothing applied before */
	/*
	 * Only what the device helper sets on these drives: no modules, no
	 * files, no advice, and nothing of what udev rules do already.
	 */
	bool by_helper;
	/* Only these drives (controllers or disks); empty: all. */
	struct {
		const char *const *names;
		size_t n;
	} only;
};

/*
 * 0, or -EINVAL when the profile cannot be meant for this host: problems
 * holds a line for each setting that is wrong and *ret is not to be used.
 * Files are not planned here: see render/files.h.
 */
int plan_build(struct arena *arena, const struct plan_input *input,
	       struct plan *ret, struct problems *problems);

/* Something to write now: a change, a return, a file. */
bool plan_has_work(const struct plan *plan);
/* Changes of this verdict, without what is only an effect of another. */
size_t plan_count(const struct plan *plan, enum verdict verdict);

/* The units to restart, each once: "a.service, b.service"; NULL: none. */
char *plan_restarts(struct arena *arena, const struct plan *plan);

const struct change *plan_find(const struct plan *plan, const char *id);
