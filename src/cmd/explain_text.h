/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "cmd/topic_page.h"

/*
 * One knob, advice or change in full, in the format that the user chose.
 * Raw is "name<TAB>text" lines, as in the page.
 */

/* param: "nvme.poll_queues" of a module's parameter, "" or NULL otherwise. */
void explain_put_knob(struct context *ctx, const struct knob *knob,
		      const char *param, struct strbuf *out);
void explain_put_advice(struct context *ctx, const struct advice_doc *doc,
			struct strbuf *out);
void explain_put_change(struct context *ctx, const struct change *change,
			struct strbuf *out);
