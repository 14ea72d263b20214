/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/restore.h"

/*
 * What happens to values and files while they are brought back, one line of
 * talk each.
 */
void restore_note(const struct restore_event *event);

/* "nvme0n1: queue.scheduler", or a file's path. */
char *step_name(struct arena *arena, const struct step *step);

/* STEP_ACTION: "rebuilt", "reloaded", "read again". */
const char *step_outcome(const struct step *step);
