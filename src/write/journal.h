/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "core/target.h"
#include "core/value.h"

/*
 * What a transaction is going to do, what it has done, and all that is needed
 * to take it back.  The format is docs/journal.md: JSON lines, each behind
 * the first 16 hex digits of its SHA-256.
 *
 * The file appears whole, with every step recorded, before the machine is
 * touched; after that lines are only added.  A last line that is torn was
 * never durable, so what it announces has not happened.
 */

struct err;
struct knob;

#define JOURNAL_SCHEMA "nvmetune.journal/1"
#define JOURNAL_SIZE_LIMIT (64U << 20)

/* By whom, and when. */
struct journal_who {
	const char *time; /* UTC, ISO 8601; NULL: of an image, or unknown */
	int64_t uid;	  /* -1 likewise */
	const char *sudo_user; /* or NULL */
};

struct journal_head {
	unsigned int id;
	const char *time;      /* UTC, ISO 8601; NULL: of an image */
	int64_t uid;	       /* -1 likewise */
	const char *sudo_user; /* or NULL */
	const char *profile;
	const char *profile_hash; /* of its resolved text */
	const char *plan_hash;
	const char *boot_id;   /* or NULL: unknown */
	const char *kernel;    /* or NULL: unknown */
	const char *initramfs; /* the tool that builds it, or NULL */
	bool persist_only;     /* values were left as they were, on purpose */
	bool trial; /* values to and fro to measure them, and then back */
	unsigned int confirmed_by; /* the trial that came before; 0: none */
};

enum step_kind {
	STEP_VALUE,  /* an attribute */
	STEP_FILE,   /* a file of ours */
	STEP_FOLDER, /* a folder that a file of ours needs */
	STEP_ACTION, /* what is no value and no file, see step_action */
};

enum step_role {
	ROLE_SET,      /* a setting of the profile */
	ROLE_RETURN,   /* only the profile before had it */
	ROLE_PUT_BACK, /* another step moves it, so it is written again */
	ROLE_RECORD,   /* another step moves it, and it may stay moved */
};

/* Done when all files are in their places, in this order. */
enum step_action {
	ACTION_INITRAMFS, /* build it anew; taken back by the same */
	ACTION_RELOAD,	  /* nvme.ko out and in again; nothing takes it back */
	ACTION_UNITS,	  /* systemd reads its units again; likewise */
	ACTION_GRUB,	  /* grub.cfg anew; taken back by the same */
};

enum step_progress {
	STEP_PLANNED,
	STEP_STARTED, /* may have happened */
	STEP_DONE,
	STEP_REFUSED, /* the kernel or the drive would not */
};

struct step {
	unsigned int nr; /* from 1, the order in which it is done */
	enum step_kind kind;

	/* STEP_VALUE: values as the attribute takes them. */
	enum step_role role;
	const char *key;
	const struct knob *knob; /* NULL: this version does not know the key */
	struct target target;
	const char *attr; /* below the target's folder */
	const char *before;
	const char *after; /* NULL for ROLE_RECORD */
	bool nudge;	   /* see attr_write_nudged() */
	bool unsettled;	   /* some other step may move it too */
	bool lasts;	   /* after a boot it is as written here */

	/* STEP_ACTION */
	enum step_action action;

	/* STEP_FILE, STEP_FOLDER: with a leading slash; STEP_ACTION: for the
	 * eye, "initramfs", "module nvme", "systemd units" */
	const char *path;
	const char *old_text;
	const char *new_text; /* both NULL: absent */
	unsigned int old_mode;
	unsigned int new_mode;

	/* From here on: what came of it. */
	enum step_progress progress;
	bool has_left;
	char left[VALUE_TEXT_SIZE]; /* what was read after it */
	bool kept; /* undone without it: no longer ours, or by force in vain */
	bool gone; /* undone without it: its drive was not there */
};

struct step_list {
	VEC(struct step) steps;
};

/* Is one value of a step's attribute as good as the other?  Text for text,
 * or as the knob knows (the kernel rounds some). */
bool step_same(const struct step *step, const char *a, const char *b);

enum journal_state {
	JOURNAL_OPEN, /* some steps may have happened */
	JOURNAL_COMMITTED,
	JOURNAL_UNDOING, /* it is being taken back */
	JOURNAL_UNDONE,
};

const char *journal_state_name(enum journal_state state);

struct journal {
	struct journal_head head;
	struct step_list list;
	enum journal_state state;
	bool was_committed;	      /* before it was undone */
	struct journal_who undone_by; /* who began to, the last time */
	size_t size; /* bytes of whole lines; a torn one is behind */
};

/* Its state in one word; of a trial that is over: "trial". */
const char *journal_word(const struct journal *journal);

/* A trial that is over and left nothing behind: nothing to take back. */
bool journal_is_past_trial(const struct journal *journal);

/*
 * 0, or -EBADMSG: a damaged line before the last, an unknown record, steps
 * that do not add up.  Nothing may be written on the word of such a journal.
 */
int journal_parse(struct arena *arena, const char *text, struct journal *ret,
		  struct err *err);

/* Append one line, newline included. */
void journal_put_head(struct strbuf *out, const struct journal_head *head);
void journal_put_step(struct strbuf *out, const struct step *step);
void journal_put_start(struct strbuf *out, const struct step *step);
void journal_put_done(struct strbuf *out, const struct step *step);
void journal_put_refused(struct strbuf *out, const struct step *step,
			 const char *why);
void journal_put_commit(struct strbuf *out, const struct journal *journal);
void journal_put_undo(struct strbuf *out, bool force,
		      const struct journal_who *who);
void journal_put_undone(struct strbuf *out, const struct journal *journal);

/* Bytes that the lines still to come may take, generously. */
size_t journal_room(const struct step_list *list);
