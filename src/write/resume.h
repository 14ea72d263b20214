/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/txn.h"

/*
 * May an open transaction be carried on with?  Reads only; the codes are
 * those of execute_resume().
 */
int resume_check(const struct txn *txn, struct err *err);
