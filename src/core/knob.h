/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/facts.h"
#include "core/match.h"
#include "core/value.h"

/*
 * A knob is one thing nvmetune can turn: its name in profiles, how to read
 * it, judge it and turn it, how it survives a reboot, and the words that
 * explain it.  Each lives in its own file below knobs/ and has one row in
 * knobs/knob_list.h.
 *
 * The hooks in the first group are pure: arguments in, results out.  The
 * planner calls only those.  observe touches the machine: cmd/ lets it run
 * before planning.  Turning is a write of attr through the transaction; a
 * knob never undoes itself, the journal does.
 *
 * A NULL hook means the default for the knob's type and attr, so a knob that
 * is a number in one sysfs file is a table entry with no code at all.
 */

struct intents;
struct setting;
struct sysroot;

/* What one setting applies to; also the order in which a plan is applied. */
enum knob_scope {
	SCOPE_MODULE,	 /* a parameter of nvme or nvme_core: "module.M.P" */
	SCOPE_HOST,	 /* one setting a host; attr is below the root */
	SCOPE_CPUS,	 /* CPUs that share a frequency: policy0 */
	SCOPE_SUBSYSTEM, /* nvme-subsys0 */
	SCOPE_CTRL,	 /* nvme0 */
	SCOPE_FUNCTION,	 /* its PCI function; attr is below the device */
	SCOPE_VECTOR,	 /* an interrupt vector: nvme0q0; those that the kernel
			  * places are one target, their controller */
	SCOPE_QUEUE,	 /* a request queue: nvme0n1 */
	SCOPE_RUNNER,	 /* a service or a wrapper: a section of its own */
};

/* What keeps a knob's setting over a reboot. */
enum knob_kept {
	KEPT_NOT,		/* nothing; unkept says why */
	KEPT_BY_DISK_RULE,	/* udev, SUBSYSTEM block, whole disks */
	KEPT_BY_CTRL_RULE,	/* udev, SUBSYSTEM nvme; and once more when a
				 * disk of it comes, for attributes that are
				 * late */
	KEPT_BY_FUNCTION_RULE,	/* udev, SUBSYSTEM pci, class 0x010802 */
	KEPT_BY_SUBSYSTEM_RULE, /* udev, SUBSYSTEM nvme-subsystem */
	KEPT_BY_CPU_RULE,	/* udev, SUBSYSTEM cpu */
	KEPT_BY_OPTION,		/* modprobe.d */
	KEPT_BY_SYSCTL,		/* sysctl.d; attr is below proc/sys */
	KEPT_BY_HELPER,		/* the device helper alone; unkept says why
				 * nothing else can */
	KEPT_BY_UNIT,		/* a drop-in of the unit of restarts */
	KEPT_BY_RUNNER,		/* a drop-in of the service, or a script */
};

/* Where a queue attribute lives under native multipath. */
enum knob_place {
	PLACE_MQ = 1 << 0,   /* the hidden path: it has the request queue */
	PLACE_HEAD = 1 << 1, /* the disk that is seen */
};

enum knob_flags {
	KNOB_ALLOWS_MAX = 1 << 0,   /* "max" is a value */
	KNOB_ALLOWS_SHARE = 1 << 1, /* "25%" is a value */
	/*
	 * The kernel takes a write of the value it already shows for no
	 * change, though the hardware may hold another: write one less first.
	 */
	KNOB_NUDGE = 1 << 2,
	/*
	 * Whether a value can be had is known by trying: one that the kernel
	 * calls invalid, or takes and does not show, is a refusal and no
	 * failure.
	 */
	KNOB_MAY_REFUSE = 1 << 3,
	/* A reset of the controller may bring the kernel's value back. */
	KNOB_RESET_LOSES = 1 << 4,
	/*
	 * Some kernels forget it at a reset, and it is then their default: the
	 * device helper takes that for lost, and any other value for
	 * somebody's.
	 */
	KNOB_RESET_DEFAULT = 1 << 5,
	/*
	 * With one of its values the kernel does not count requests: how long
	 * a drive's users wait cannot be seen then.
	 */
	KNOB_HIDES_WAITING = 1 << 6,
};

/* A word that profiles may use for a number. */
struct knob_word {
	const char *word; /* NULL: the end of the list */
	uint64_t number;
	/* No number yet: the word is asked for as text, for resolve. */
	bool differs; /* from drive to drive */
};

/* The unit of a number, in profiles and in the attribute. */
enum knob_unit {
	UNIT_NONE, /* a plain count */
	UNIT_MS,   /* profile: 30s, 500ms; attribute: milliseconds */
	UNIT_USEC, /* profile: 2000us, 2ms or plain; attribute: microseconds */
	UNIT_KIB,  /* profile: 128k, 1M or plain; attribute: KiB */
};

/* How a change can be measured, see the benchmark's documentation. */
enum evidence {
	EVIDENCE_LOAD,	    /* under load */
	EVIDENCE_IDLE_WAKE, /* reads spaced wider than the idle time-out */
	EVIDENCE_NONE,	    /* not at all */
};

/*
 * What the interrupts of a drive do when one value takes the place of another
 * and takes hold.
 */
enum interrupt_change {
	INTERRUPTS_ANY,	  /* whatever they do, it says nothing */
	INTERRUPTS_FEWER, /* for each I/O */
	INTERRUPTS_MORE,
	INTERRUPTS_ELSEWHERE, /* some CPUs take a larger share of them */
};

struct interrupt_shift {
	enum interrupt_change change;
	struct cpuset cpus; /* INTERRUPTS_ELSEWHERE: these */
};

enum verdict {
	VERDICT_KEEP,	/* already as wanted */
	VERDICT_CHANGE, /* differs, and can be changed now */
	VERDICT_LATER,	/* persisted now, true after reload or reboot */
	VERDICT_CANNOT, /* differs, and the reason says why it stays */
};

const char *verdict_name(enum verdict verdict); /* keep change later cannot */

/*
 * Shown by "nvmetune explain".  Plain sentences.  source is what a reader can
 * check: a kernel file, a document under Documentation/, a section of the
 * NVMe specification.  None is NULL.
 */
struct knob_doc {
	const char *summary; /* one line, no period */
	const char *effect;  /* what gets better */
	const char *cost;    /* what gets worse */
	const char *source;
};

struct knob {
	const char *name; /* "queue.io_timeout"; "module." for parameters */
	enum knob_scope scope;
	unsigned int place;   /* SCOPE_QUEUE: enum knob_place bits */
	enum value_type type; /* VALUE_UINT or VALUE_TEXT */
	const char *attr;     /* below the target, "queue/io_timeout" */
	enum knob_unit unit;
	uint64_t min; /* VALUE_UINT: closed range, in the attribute's unit */
	uint64_t max;
	const char *const *choices;    /* VALUE_TEXT: ends with NULL */
	const char *legal;	       /* with parse: its values, for the eye */
	const struct knob_word *words; /* VALUE_UINT: more spellings */
	/*
	 * A setting of this knob is one of these too, where its section does
	 * not speak of them; NULL-ended, and of the same type.
	 */
	const char *const *members;
	unsigned int flags; /* enum knob_flags */
	enum evidence evidence;
	/* Pure.  Of this target, where it differs; NULL: it does not. */
	enum evidence (*evidence_of)(const struct facts *facts,
				     const struct target *target);
	/*
	 * Pure.  A value that reads back may still do nothing: how it shows in
	 * the drive's interrupts that after took the place of before.  NULL:
	 * it does not, and reading back is all there is.
	 */
	struct interrupt_shift (*interrupts)(struct arena *arena,
					     const struct value *before,
					     const struct value *after);
	enum knob_kept kept;
	const char *unkept; /* KEPT_NOT, KEPT_BY_HELPER: why, half a sentence;
			     * KEPT_BY_UNIT: where no unit takes it */
	/* KEPT_NOT: what the kernel command line calls it, or NULL. */
	const char *word;
	/*
	 * KEPT_BY_UNIT: "irqbalance.service", which reads our files when it
	 * starts.  Nothing is written live: a change is true after a restart.
	 */
	const char *restarts;
	/* Knobs whose attribute a write of this one may reset; NULL-ended. */
	const char *const *disturbs;
	struct knob_doc doc;

	/* Pure. */

	/* param is the part after "module.", otherwise NULL. */
	int (*parse)(const struct knob *knob, const char *param,
		     const char *text, struct value *ret, struct err *err);
	/*
	 * Settle "max" and "25%" to a plain value for this target.
	 * -EINVAL: the profile is wrong for every host (an error line).
	 * -EOPNOTSUPP, -ERANGE: this target cannot have it: the sentence in
	 * err becomes the reason of the verdict "cannot".
	 */
	int (*resolve)(const struct knob *knob, const char *param,
		       const struct facts *facts, const struct target *target,
		       const struct value *asked, struct value *ret,
		       struct err *err);
	/*
	 * A rule sets its value at boot, under whatever kernel, on drives that
	 * nobody has looked at: one for which this term does not hold is left
	 * alone.  *ret_why is the sentence that says so; false: every drive
	 * may have this value.
	 */
	bool (*spare)(const struct value *value, struct match_term *ret,
		      const char **ret_why);
	/* Are they the same for the kernel (rounding, jiffies)? */
	bool (*same)(const struct knob *knob, const struct value *have,
		     const struct value *want);

	/* What this value is good for; NULL: doc.effect says it. */
	const char *(*explain)(const struct value *want);

	/*
	 * What the facts say of it already: sets value, why and choices of
	 * *ret.  Then nothing is read for it.
	 */
	void (*recall)(const struct knob *knob, struct arena *arena,
		       const struct facts *facts, const struct target *target,
		       struct observation *ret);
	/*
	 * The kernel keeps this target as it is, whatever a profile asks for:
	 * the sentence that says how.  NULL: it can be written.
	 */
	const char *(*settled)(const struct knob *knob, struct arena *arena,
			       const struct facts *facts,
			       const struct target *target);
	/* The same two: a boot or a reset leads to this very value anyway. */
	bool (*returns)(const struct facts *facts, const struct target *target,
			const struct value *want);

	/* KEPT_BY_UNIT: do the files that restarts reads say so already? */
	bool (*written)(const struct facts *facts, const struct value *want);
	/* KEPT_BY_UNIT: what our files are to say of the setting, into *out;
	 * false: nothing, it holds without them. */
	bool (*intend)(struct arena *arena, const struct facts *facts,
		       const struct setting *setting, struct intents *out);

	/* What an attribute's text says, -EBADMSG: nothing.  NULL: the word
	 * in brackets or the only one, or the number. */
	int (*read)(const char *text, struct value *ret);

	/* Is there such a thing at all?  NULL: for every controller. */
	bool (*lives)(const struct knob *knob, const struct ctrl *ctrl);
	/*
	 * Of a target without a value: is there nothing that asked could
	 * change?  It is then "not applicable" and kept, otherwise "cannot".
	 */
	bool (*moot)(const struct knob *knob, const struct facts *facts,
		     const struct target *target, const struct value *asked);
	/* Why this target has no value, in the arena; NULL: as errno says. */
	const char *(*absent)(const struct knob *knob, struct arena *arena,
			      const struct facts *facts,
			      const struct target *target);
	/* What is to be known of this very value here ("keeps PS3"), or NULL.
	 * The facts are as the changes planned before leave them. */
	const char *(*note)(const struct knob *knob, struct arena *arena,
			    const struct facts *facts,
			    const struct target *target,
			    const struct value *want);

	/*
	 * Touches the machine, after a write that read back right: did the
	 * drive take it?  -EOPNOTSUPP: it refused.  NULL: reading back is
	 * enough.
	 */
	int (*check)(const struct knob *knob, const struct sysroot *root,
		     const struct target *target, const char *written,
		     struct err *err);
	/* Touches the machine: sets value, why and choices of *ret. */
	void (*observe)(const struct knob *knob, const struct sysroot *root,
			struct arena *arena, const struct target *target,
			struct observation *ret);
};

/* The knobs a run works with: the registry, or two or three in a test. */
struct knob_set {
	const struct knob *const *items;
	size_t n;
};

/*
 * The knob that a profile's key names.  For "module.nvme.poll_queues" that is
 * the family "module." and *ret_param is "nvme.poll_queues"; otherwise
 * *ret_param is NULL.  NULL when there is none; then nearest_knob() may know
 * what was meant.
 */
const struct knob *knob_set_find(const struct knob_set *set, const char *key,
				 const char **ret_param);
const char *knob_set_nearest(const struct knob_set *set, const char *key);

/*
 * Read one setting as a profile spells it; "keep" is legal for every knob.
 * On failure *ret is untouched and err names the key, the value and what is
 * legal; the caller puts file and line in front.
 */
int knob_parse(const struct knob *knob, const char *param, const char *text,
	       struct value *ret, struct err *err);

int knob_resolve(const struct knob *knob, const char *param,
		 const struct facts *facts, const struct target *target,
		 const struct value *asked, struct value *ret, struct err *err);
bool knob_same(const struct knob *knob, const struct value *have,
	       const struct value *want);
const char *knob_effect(const struct knob *knob, const struct value *want);

/*
 * Read what an attribute's text says: a number for VALUE_UINT, the bracketed
 * word ("[none] mq-deadline") or the bare one for VALUE_TEXT.  -EBADMSG.
 */
int knob_read_value(const struct knob *knob, const char *text,
		    struct value *ret);

/* There is no such attribute, or program, on this target. */
bool knob_is_nowhere(const struct knob *knob, const struct facts *facts,
		     const struct target *target);
/* The same as a moot hook: whatever is asked, nothing could be changed. */
bool knob_moot_nowhere(const struct knob *knob, const struct facts *facts,
		       const struct target *target, const struct value *asked);

enum evidence knob_evidence(const struct knob *knob, const struct facts *facts,
			    const struct target *target);

/* One setting for the whole host: it belongs into [host], not [drives]. */
bool knob_is_host_wide(const struct knob *knob);

/* Does a queue knob's attribute live on a disk of this kind? */
bool knob_lives_on(const struct knob *knob, const struct ns *ns);

/* "128 KiB", "30000 ms", "none": for the eye. */
void knob_value_to_text(const struct knob *knob, const struct value *value,
			struct strbuf *out);
