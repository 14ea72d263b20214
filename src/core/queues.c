/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queues.h"

#include <string.h>

#include "base/parse.h"
#include "core/owner.h"

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

struct queue_split queue_split(const struct queue_input *in)
{
	unsigned int asked =
		in->possible_cpus + in->write_queues + in->poll_queues;
	unsigned int total = least(asked, in->grant);
	unsigned int poll, irq;

	if (total == 0)
		return (struct queue_split){ 0 };
	poll = least(in->poll_queues, total - 1);
	irq = least(total - poll, in->vectors > 1 ? in->vectors - 1 : 1);
	if (irq == 1 || in->write_queues == 0)
		return (struct queue_split){ irq, 0, poll };
	if (in->write_queues >= irq)
		return (struct queue_split){ irq - 1, 1, poll };
	return (struct queue_split){ in->write_queues, irq - in->write_queues,
				     poll };
}

static bool is_local(const struct ctrl *ctrl)
{
	return ctrl->transport && strcmp(ctrl->transport, "pcie") == 0;
}

bool queue_split_predict(const struct facts *facts, const struct ctrl *ctrl,
			 unsigned int write_queues, unsigned int poll_queues,
			 struct queue_split *ret, const char **ret_missing)
{
	struct queue_input in = {
		.possible_cpus = cpuset_count(&facts->possible),
		.write_queues = write_queues,
		.poll_queues = poll_queues,
	};

	*ret_missing = NULL;
	if (!is_local(ctrl))
		*ret_missing = "it is not a local PCIe drive";
	else if (in.possible_cpus == 0)
		*ret_missing = "the possible CPUs are unknown";
	else if (!ctrl->queue_grant.known)
		*ret_missing = "the queues that the drive gives are unknown";
	else if (!ctrl->msix_size.known)
		*ret_missing = "the size of its MSI-X table is unknown";
	if (*ret_missing)
		return false;
	in.grant = (unsigned int)ctrl->queue_grant.value;
	in.vectors = (unsigned int)ctrl->msix_size.value;
	*ret = queue_split(&in);
	return true;
}

/* Does a drive that could give each CPU a default queue still do so, and one
 * that could not keep half of what it has? */
static bool is_enough(const struct facts *facts, const struct ctrl *ctrl,
		      unsigned int write_queues, unsigned int poll_queues)
{
	struct queue_split without, with;
	const char *missing;

	if (!queue_split_predict(facts, ctrl, write_queues, 0, &without,
				 &missing) ||
	    !queue_split_predict(facts, ctrl, write_queues, poll_queues, &with,
				 &missing))
		return true;
	if (without.nr_default < cpuset_count(&facts->possible))
		return with.nr_default >= without.nr_default / 2;
	return with.nr_default >= without.nr_default;
}

unsigned int queue_share(const struct facts *facts, unsigned int percent,
			 unsigned int write_queues)
{
	unsigned int count = cpuset_count(&facts->possible) * percent / 100;

	if (percent == 0)
		return 0;
	while (count > 1) {
		bool enough = true;

		VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
			enough = enough &&
				 is_enough(facts, ctrl, write_queues, count);
		if (enough)
			return count;
		count--;
	}
	return 1;
}

bool queue_option_is_behind_ours(const struct module_option *option)
{
	const char *name = strrchr(option->file, '/');

	return strcmp(option->file, "/proc/cmdline") == 0 ||
	       (name && strcmp(name, strrchr(OWNER_OPTIONS, '/')) > 0);
}

unsigned int queue_count_at_load(const struct facts *facts, const char *param,
				 const char *own)
{
	unsigned int before = 0, after = 0;
	bool has_after = false;

	VEC_EACH(&facts->options, struct module_option, option) {
		bool behind = queue_option_is_behind_ours(option);

		if (!text_equal(option->module, "nvme") ||
		    !text_equal(option->param, param) || !option->value ||
		    text_equal(option->file, OWNER_OPTIONS))
			continue;
		if (parse_uint(option->value, behind ? &after : &before) == 0)
			has_after = has_after || behind;
	}
	if (own && !has_after)
		(void)parse_uint(own, &before);
	return has_after ? after : before;
}
