/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/facts.h"

/*
 * How nvme.ko divides a controller's queues: nvme_setup_io_queues(),
 * nvme_setup_irqs() and nvme_calc_irq_sets() of drivers/nvme/host/pci.c, the
 * same arithmetic from 5.10 to 7.3, for a controller that is probed anew.
 */

struct queue_input {
	unsigned int possible_cpus;
	unsigned int write_queues; /* the module's parameters */
	unsigned int poll_queues;
	unsigned int grant;   /* I/O queues that the drive gives */
	unsigned int vectors; /* MSI-X vectors, the admin queue's included */
};

struct queue_split {
	unsigned int nr_default;
	unsigned int nr_read;
	unsigned int nr_poll;
};

struct queue_split queue_split(const struct queue_input *in);

/*
 * The same for a controller of these facts, with the given parameters.
 * False when something it needs is unknown; *ret_missing then names it.
 */
bool queue_split_predict(const struct facts *facts, const struct ctrl *ctrl,
			 unsigned int write_queues, unsigned int poll_queues,
			 struct queue_split *ret, const char **ret_missing);

/*
 * A share of the possible CPUs as a count of poll queues, cut so that every
 * controller that can give each possible CPU a default queue still does so,
 * and no other loses more than half of its queues to polling; at least 1,
 * and 0 for 0 %.
 */
unsigned int queue_share(const struct facts *facts, unsigned int percent,
			 unsigned int write_queues);

/* Is the module given it after what our file says?  Files come in the order
 * of their names, the command line after all. */
bool queue_option_is_behind_ours(const struct module_option *option);

/*
 * What nvme.ko will be given as write_queues or poll_queues when it is loaded
 * next: by the files of modprobe.d in their order, with own in our file (NULL:
 * it does not speak of this parameter), then by the kernel command line.
 */
unsigned int queue_count_at_load(const struct facts *facts, const char *param,
				 const char *own);
