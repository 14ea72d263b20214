/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/table.h"

/* The columns of a before/after table; a row is a struct bench_pair. */
extern const struct column confirm_columns[];
