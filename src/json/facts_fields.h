/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct field_table;

/* One row for each field of struct facts and of all below it. */
const struct field_table *facts_fields(void);
