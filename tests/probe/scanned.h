/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "tree.h"

#include "core/facts.h"

/* The facts of a tree, with knobs of the tests' own: "queue.scheduler" and
 * "queue.nr_requests" of real queues, "queue.read_ahead_kb" of disks,
 * "cpu.governor". */
const struct facts *scanned(struct tree *tree);
/* The tree as an image whose hosts have so many CPUs. */
const struct facts *scanned_image(struct tree *tree, unsigned int min_cpus);
const struct facts *scanned_with_log(struct tree *tree, const char *file);

/* Lines that are put together, for a whole list in one comparison. */
const char *mounts_of(struct tree *tree, const struct ns *ns);
const char *blind_of(struct tree *tree, const struct facts *facts);
const char *log_of(struct tree *tree, const struct facts *facts);
const char *cpus_of(struct tree *tree, const struct cpuset *cpus);
const struct observation *observed(struct tree *tree, const struct facts *facts,
				   const char *knob, const char *ns);
