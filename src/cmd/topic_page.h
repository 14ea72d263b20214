/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/knob.h"
#include "core/plan.h"

/*
 * What there is to say of one knob or advice, as labelled sentences: "explain"
 * and the manual pages show the same.  All of it is the arena's.
 */

struct topic_item {
	const char *label; /* of the page; the member of JSON has "_" */
	const char *text;
};

struct topic_page {
	const char *kind; /* knob advice change */
	const char *name;
	const char *headline;
	VEC(struct topic_item) items;
};

/* "module.MODULE.PARAMETER" for the family, otherwise the name. */
const char *knob_shown_name(struct arena *arena, const struct knob *knob);

/* "none, mq-deadline, kyber, bfq or keep"; "1ms..4294967295ms or keep". */
const char *knob_legal_values(struct arena *arena, const struct knob *knob);

/* A NULL or empty text is left out. */
void topic_page_add(struct arena *arena, struct topic_page *page,
		    const char *label, const char *text);

/* param: "nvme.poll_queues" of a module's parameter, "" or NULL otherwise. */
void topic_page_add_knob(struct arena *arena, struct topic_page *page,
			 const struct knob *knob, const char *param);
void topic_page_knob(struct arena *arena, const struct knob *knob,
		     const char *param, struct topic_page *ret);
void topic_page_advice(struct arena *arena, const struct advice_doc *doc,
		       struct topic_page *ret);
