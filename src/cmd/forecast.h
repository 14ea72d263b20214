/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/calibrate.h"
#include "cmd/confirm.h"

/*
 * apply --dry-run --confirm: the host as it is, measured as its changes would
 * be, and from its noise what could be seen of each and how long that takes.
 * Only reads; nothing is switched or written.
 */

/* One way of measuring, and what it showed. */
struct forecast_look {
	enum evidence evidence; /* whose changes are measured so */
	const char *method;	/* in words */
	struct bench_trial trial;
	VEC(struct calibrated) metrics; /* those that are known */
};

struct forecast {
	VEC(struct forecast_look) looks;
	uint64_t least_ms; /* all of it, if each first look decides */
	uint64_t most_ms;  /* to all the last looks */
};

/* Of an open confirm that is not idle. */
int forecast_run(struct confirm *confirm, struct forecast *ret,
		 struct err *err);

/* What a unit would be judged by; NULL: it is not measured, or what it would
 * be judged by is not known here. */
const struct calibrated *forecast_of(const struct confirm *confirm,
				     const struct confirm_unit *unit);

void forecast_put(const struct confirm *confirm, struct strbuf *out);
/* A member "forecast" of the open object. */
void forecast_to_json(const struct confirm *confirm, struct json_writer *json);
