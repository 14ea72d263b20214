/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * Put in front of every source for gcc -fanalyzer, which sees one file at a
 * time: without this it takes "return err_set(err, -EINVAL, ...)" for a
 * possible success, and then the result that was not set for used.
 */

#include "base/err.h"

#define err_set(...) ((void)(err_set)(__VA_ARGS__), -1)
#define err_errno(...) ((void)(err_errno)(__VA_ARGS__), -1)
#define err_context(...) ((void)(err_context)(__VA_ARGS__), -1)
