/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "cmd/load.h"
#include "cmd/progress.h"
#include "core/bench_result.h"
#include "write/arms.h"
#include "json/write.h"

/*
 * apply --confirm: the drives whose values change are read at random while
 * the values of before and after take turns, within the transaction.  First
 * form: both are shown with their ratio, and nothing is decided from it.
 */
struct confirm {
	struct context *ctx;
	struct load load;
	struct progress progress;
	const struct arms *arms; /* NULL: a dry run, both are the same */
	struct bench_compare result;
	bool measured;
};

/*
 * Opens the drives that the context's plan changes; before the first write.
 * -EBUSY: one is in use.  confirm_close() is to be called also on failure.
 */
int confirm_open(struct context *ctx, struct confirm *ret, struct err *err);
void confirm_close(struct confirm *confirm);

/* No drive's values change: there is nothing to compare. */
bool confirm_is_idle(const struct confirm *confirm);

/* Measure; arms NULL measures the host as it is against itself. */
int confirm_run(struct confirm *confirm, const struct arms *arms,
		struct err *err);

/* What [confirm] of a profile asks for and this version does not do, as a
 * note; nothing for a profile without it. */
void confirm_tell_required(struct arena *arena, const struct profile *profile);

void confirm_put(const struct confirm *confirm, struct strbuf *out);
void confirm_to_json(const struct confirm *confirm, struct json_writer *json);
