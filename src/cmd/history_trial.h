/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "json/read.h"
#include "json/write.h"

/*
 * What a trial measured, as it lies beside its journal: nothing of it is
 * needed to take anything back.
 */

/* *ret_found is false where the transaction measured nothing. */
int history_trial_read(struct context *ctx, unsigned int id,
		       struct json_node *ret, bool *ret_found, struct err *err);

/* "queue.scheduler CONFIRMED, ..."; NULL: nothing is kept of it that can be
 * read. */
const char *history_trial_verdicts(struct context *ctx, unsigned int id);

/* The verdicts, a line each. */
void history_trial_put(const struct context *ctx,
		       const struct json_node *result, struct strbuf *out);

/* All of it, each single slice too, as member "confirm". */
void history_trial_to_json(const struct json_node *result,
			   struct json_writer *json);
