/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/* The name of a positive errno, "EACCES"; NULL for one without a name here. */
const char *errno_name(int code);

/* 0 for an unknown name. */
int errno_parse(const char *name);
