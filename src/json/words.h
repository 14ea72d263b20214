/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/* What enums are called in JSON, by their number; each ends with NULL. */
extern const char *const json_ns_kinds[]; /* enum ns_kind */
