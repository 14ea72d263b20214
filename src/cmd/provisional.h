/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/boots.h"
#include "cmd/context.h"
#include "cmd/table.h"
#include "json/write.h"

/*
 * What only a reboot switches, measured over reboots: "apply --confirm"
 * measures the boot in which it is written, "confirm --resume" each boot
 * after that, and boots.json in the transaction's folder holds them all.
 */

struct provisional_change {
	const char *id; /* "module.nvme.poll_queues" */
	const char *want;
};

struct provisional {
	unsigned int id; /* of the transaction whose folder it is in */
	VEC(struct provisional_change) changes;
	struct boots boots;
	/* As they were given first, and so for each boot after it. */
	const char *workload;
	const char *block;
	int64_t time;
	int64_t depth;
	int64_t jobs;
	int64_t passes;
};

/* Does the plan leave something to a reboot that could be measured? */
bool provisional_is_wanted(const struct plan *plan);

/*
 * Behind a transaction that was committed, under its lock: measure this boot,
 * the first of before, and write it down.  Boots of an earlier transaction
 * that had the same changes go on counting.  *ret is what there is now.
 */
int provisional_begin(struct context *ctx, unsigned int id,
		      struct provisional *ret, struct err *err);

/* "confirm --resume", under the lock: measure this boot, whichever it is. */
int provisional_resume(struct context *ctx, struct provisional *ret,
		       struct err *err);

/* What a change asks for, as the record has it. */
const char *provisional_want(struct arena *arena, const struct change *change);

/*
 * How the changes are set in this boot, by a plan of their profile: all as
 * wanted (BENCH_AFTER) or none (BENCH_BEFORE).  -EXDEV: neither.
 */
int provisional_find_arm(struct context *ctx,
			 const struct provisional *provisional, int *ret,
			 struct err *err);
/* Behind a boot of before: what is applied and has not arrived in it. */
void provisional_tell_astray(struct context *ctx,
			     const struct provisional *provisional);

/* Of one transaction; *ret_has is false where it has none. */
int provisional_read(const struct sysroot *root, struct arena *arena,
		     unsigned int id, struct provisional *ret, bool *ret_has,
		     struct err *err);
int provisional_write(const struct sysroot *root, struct arena *arena,
		      const struct provisional *provisional, struct err *err);

void provisional_put(const struct context *ctx,
		     const struct provisional *provisional, struct strbuf *out);
/* Members of the open object; what is in the file, too. */
void provisional_to_json(struct arena *arena,
			 const struct provisional *provisional,
			 struct json_writer *json);

/* Rows are struct boot. */
extern const struct column boot_columns[];
