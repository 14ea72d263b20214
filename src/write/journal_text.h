/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/* What writing and reading a journal must agree on, see docs/journal.md. */

#define JOURNAL_SUM_SIZE 16 /* hex digits in front of each line */

/* By enum step_action and enum step_role; each ends with NULL. */
extern const char *const journal_action_names[];
extern const char *const journal_role_names[];
