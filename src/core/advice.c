/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>

#include "core/advisor.h"
#include "core/planner.h"

/* The order in which a plan gives them. */
static const struct advice_rows *const subjects[] = {
	&advice_drive, &advice_idle,	&advice_link,  &advice_log,
	&advice_queue, &advice_samples, &advice_mount, &advice_boot,
	&advice_host,  &advice_writer,
};

#define NR_SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))
#define TEXT_SIZE 512

void advise(const struct advisor *advisor, const char *subject, const char *fmt,
	    ...)
{
	char text[TEXT_SIZE];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	*vec_add(advisor->arena, &advisor->plan->advice) = (struct advice){
		.id = advisor->doc->id,
		.severity = advisor->doc->severity,
		.subject = subject,
		.text = arena_strdup(advisor->arena, text),
	};
}

const struct advice_doc *advice_doc(size_t nr)
{
	for (size_t i = 0; i < NR_SUBJECTS; i++) {
		if (nr < subjects[i]->n)
			return &subjects[i]->rows[nr].doc;
		nr -= subjects[i]->n;
	}
	return NULL;
}

static void run(struct planner *planner, const struct advice_row *row)
{
	const struct advisor advisor = {
		.arena = planner->arena,
		.facts = planner->facts,
		.plan = planner->plan,
		.doc = &row->doc,
	};

	if (row->check_host)
		row->check_host(&advisor);
	if (row->check_ctrl)
		VEC_EACH(&planner->facts->ctrls, struct ctrl, ctrl)
			row->check_ctrl(&advisor, ctrl);
}

void plan_advice(struct planner *planner)
{
	for (size_t i = 0; i < NR_SUBJECTS; i++)
		for (size_t j = 0; j < subjects[i]->n; j++)
			run(planner, &subjects[i]->rows[j]);
}
