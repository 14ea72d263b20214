/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/params.h"

#include <string.h>

/*
 * drivers/nvme/host/pci.c and core.c, 5.10 to 7.3: io_queue_count_set()
 * refuses more than num_possible_cpus(), io_queue_depth_set() less than 2 and
 * (by 6.1) more than NVME_PCI_MAX_QUEUE_SIZE - 1, kernel/params.c what its
 * type does not hold.  A refused value keeps the module from loading: no
 * drive, perhaps no boot.
 */
static const struct param_rule rules[] = {
	{ "nvme", "poll_queues", LIMIT_POSSIBLE_CPUS, 0, 0 },
	{ "nvme", "write_queues", LIMIT_POSSIBLE_CPUS, 0, 0 },
	{ "nvme", "io_queue_depth", LIMIT_RANGE, 2, 4095 },
	{ "nvme", "use_threaded_interrupts", LIMIT_RANGE, 0, INT32_MAX },
	{ "nvme", "use_cmb_sqes", LIMIT_BOOL, 0, 0 },
	{ "nvme", "max_host_mem_size_mb", LIMIT_RANGE, 0, UINT32_MAX },
	{ "nvme", "sgl_threshold", LIMIT_RANGE, 0, UINT32_MAX },
	{ "nvme", "noacpi", LIMIT_BOOL, 0, 0 },
	{ "nvme_core", "admin_timeout", LIMIT_RANGE, 0, UINT32_MAX },
	{ "nvme_core", "io_timeout", LIMIT_RANGE, 0, UINT32_MAX },
	{ "nvme_core", "shutdown_timeout", LIMIT_RANGE, 0, UINT8_MAX },
	{ "nvme_core", "max_retries", LIMIT_RANGE, 0, UINT8_MAX },
	{ "nvme_core", "default_ps_max_latency_us", LIMIT_RANGE, 0,
	  UINT64_MAX },
	{ "nvme_core", "force_apst", LIMIT_BOOL, 0, 0 },
	{ "nvme_core", "apst_primary_timeout_ms", LIMIT_RANGE, 0, UINT64_MAX },
	{ "nvme_core", "apst_secondary_timeout_ms", LIMIT_RANGE, 0,
	  UINT64_MAX },
	{ "nvme_core", "apst_primary_latency_tol_us", LIMIT_RANGE, 0,
	  UINT64_MAX },
	{ "nvme_core", "apst_secondary_latency_tol_us", LIMIT_RANGE, 0,
	  UINT64_MAX },
	{ "nvme_core", "streams", LIMIT_BOOL, 0, 0 },
	{ "nvme_core", "multipath", LIMIT_BOOL, 0, 0 },
	{ "nvme_core", "multipath_always_on", LIMIT_BOOL, 0, 0 },
	{ "nvme_core", "disable_pi_offsets", LIMIT_BOOL, 0, 0 },
	{ "nvme_core", "iopolicy", LIMIT_POLICY, 0, 0 },
};

static const char *const policies[] = { "numa", "round-robin", "queue-depth",
					NULL };
static const char *const booleans[] = { "1", "0", "y", "n", "Y", "N", NULL };

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

bool param_rule_is_number(const struct param_rule *rule)
{
	return rule->limit == LIMIT_POSSIBLE_CPUS || rule->limit == LIMIT_RANGE;
}

bool param_rule_takes(const struct param_rule *rule, const char *word,
		      const char **ret_legal)
{
	const bool policy = rule->limit == LIMIT_POLICY;
	const char *const *words = policy ? policies : booleans;

	*ret_legal = policy ? "numa, round-robin, queue-depth" : "1, 0";
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

const char *param_legend(const char *module, const char *param)
{
	for (size_t i = 0; i < sizeof(legends) / sizeof(legends[0]); i++)
		if (strcmp(legends[i].module, module) == 0 &&
		    strcmp(legends[i].param, param) == 0)
			return legends[i].words;
	return NULL;
}
