/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/params.h"

#include <string.h>

/*
 * drivers/nvme/host/pci.c, 5.10 to 7.3: io_queue_count_set() refuses more
 * than num_possible_cpus(), io_queue_depth_set() less than 2 and (by 6.1)
 * more than NVME_PCI_MAX_QUEUE_SIZE - 1.  A refused value keeps nvme.ko from
 * loading: no drive, perhaps no boot.
 */
static const struct param_rule rules[] = {
	{ "nvme", "poll_queues", LIMIT_POSSIBLE_CPUS, 0, 0 },
	{ "nvme", "write_queues", LIMIT_POSSIBLE_CPUS, 0, 0 },
	{ "nvme", "io_queue_depth", LIMIT_RANGE, 2, 4095 },
};

struct legend {
	const char *module;
	const char *param;
	const char *words;
};

static const struct legend legends[] = {
	{ "nvme", "io_queues",
	  "the driver makes one queue for each possible CPU; see nvme.write_queues and nvme.poll_queues" },
	{ "nvme", "read_queues",
	  "nvme.write_queues = W gives the reads all other queues" },
	{ "nvme", "io_poll",
	  "polling needs nvme.poll_queues and an application that polls" },
	{ "nvme", "io_poll_delay",
	  "it was a queue attribute and does nothing since 6.4" },
	{ "nvme", "nr_io_queues",
	  "that is an option of nvme connect for fabrics" },
};

const struct param_rule *param_rule_find(const char *module, const char *param)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(rules[i].module, module) == 0 &&
		    strcmp(rules[i].param, param) == 0)
			return &rules[i];
	return NULL;
}

const char *param_legend(const char *module, const char *param)
{
	for (size_t i = 0; i < sizeof(legends) / sizeof(legends[0]); i++)
		if (strcmp(legends[i].module, module) == 0 &&
		    strcmp(legends[i].param, param) == 0)
			return legends[i].words;
	return NULL;
}
