/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/rules_device.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/glob.h"
#include "base/parse.h"
#include "core/owner.h"

/* What devices of the other kinds have, and these never. */
static const char *const function_lacks[] = {
	"queue",      "mq",	   "model", "serial",  "firmware_rev",
	"transport",  "cntlid",	   "state", "address", "nsid",
	"wwid",	      "subsysnqn", "size",  "hidden",  "iopolicy",
	"subsystype", NULL,
};

static const char *const ctrl_lacks[] = {
	"queue",  "mq",	    "nsid",  "wwid",	 "size",
	"hidden", "vendor", "class", "iopolicy", NULL,
};

static const char *const disk_lacks[] = {
	"model",     "serial", "firmware_rev", "transport", "cntlid",
	"subsysnqn", "vendor", "class",	       "address",   NULL,
};

static const char *const bare_lacks[] = { "queue", "mq", NULL };

static void put_fact(struct arena *arena, struct rule_level *level,
		     const char *name, const char *value)
{
	struct rule_fact *fact = vec_add(arena, &level->attrs);

	*fact = (struct rule_fact){ .name = name, .value = value };
}

/* An unknown value says nothing, not even that the attribute is there. */
static void put_known(struct arena *arena, struct rule_level *level,
		      const char *name, const char *value)
{
	if (value)
		put_fact(arena, level, name, value);
}

static void put_num(struct arena *arena, struct rule_level *level,
		    const char *name, const struct num *num)
{
	if (num->known)
		put_fact(arena, level, name,
			 arena_printf(arena, "%" PRId64, num->value));
}

static void put_absent(struct arena *arena, struct rule_level *level,
		       const char *name)
{
	*vec_add(arena, &level->attrs) =
		(struct rule_fact){ .name = name, .absent = true };
}

static void put_env(struct arena *arena, struct rule_device *device,
		    const char *name, const char *value)
{
	*vec_add(arena, &device->env) =
		(struct rule_fact){ .name = name, .value = value };
}

/* 60-persistent-storage.rules, which may replace blanks; perhaps it is gone. */
static void put_id(struct arena *arena, struct rule_device *device,
		   const char *name, const char *text)
{
	char *joined;

	if (!text)
		return;
	joined = arena_strdup(arena, text);
	for (char *p = joined; *p; p++)
		if (*p == ' ')
			*p = '_';
	put_env(arena, device, name, text);
	put_env(arena, device, name, joined);
}

static void put_kind(struct arena *arena, struct rule_device *device,
		     const char *name, const char *subsystem,
		     const char *devtype)
{
	put_env(arena, device, "SUBSYSTEM", subsystem);
	put_env(arena, device, "DEVTYPE", devtype);
	put_env(arena, device, "DEVNAME", arena_printf(arena, "/dev/%s", name));
}

/*
 * What knobs read is there, but which value udev found in it when a rule
 * looked is another question: rules change it.
 */
static void put_observed(struct arena *arena, const struct facts *facts,
			 const struct ns *ns, struct rule_level *level)
{
	VEC_EACH(&facts->observed, struct observation, seen) {
		char *name;

		if (seen->target_kind != TARGET_QUEUE ||
		    strcmp(seen->target, ns->name) != 0 ||
		    !text_has_prefix(seen->knob, "queue."))
			continue;
		name = arena_strdup(arena, seen->knob);
		name[strlen("queue")] = '/';
		if (seen->value.type != VALUE_NONE)
			put_fact(arena, level, name, NULL);
		else if (seen->why == ENOENT)
			put_absent(arena, level, name);
	}
}

static void put_disk(struct arena *arena, const struct facts *facts,
		     const struct ns *ns, struct rule_device *device)
{
	struct rule_level level = { .kernel = ns->name,
				    .subsystem = "block",
				    .driver = "",
				    .lacks = disk_lacks };

	put_kind(arena, device, ns->name, "block", "disk");
	put_num(arena, &level, "nsid", &ns->nsid);
	put_known(arena, &level, "wwid", ns->wwid);
	put_known(arena, &level, "queue/zoned", ns->zoned);
	put_num(arena, &level, "queue/logical_block_size", &ns->block_size);
	/* There are no NVMe drives with turning disks to be bought. */
	put_fact(arena, &level, "queue/rotational", "0");
	put_fact(arena, &level, "removable", "0");
	put_fact(arena, &level, "hidden", ns->kind == NS_PATH ? "1" : "0");
	put_fact(arena, &level, "queue", NULL);
	put_observed(arena, facts, ns, &level);
	if (num_or(ns->has_mq, 0))
		put_fact(arena, &level, "mq", NULL);
	else if (ns->has_mq.known)
		put_absent(arena, &level, "mq");
	*vec_add(arena, &device->levels) = level;
}

static void put_drive(struct arena *arena, const struct ctrl *ctrl,
		      struct rule_level *level)
{
	put_known(arena, level, "model", ctrl->model);
	put_known(arena, level, "serial", ctrl->serial);
	put_known(arena, level, "firmware_rev", ctrl->firmware);
	put_known(arena, level, "subsysnqn", ctrl->nqn);
}

static void put_ctrl(struct arena *arena, const struct ctrl *ctrl,
		     struct rule_device *device)
{
	struct rule_level level = { .kernel = ctrl->name,
				    .subsystem = "nvme",
				    .driver = "",
				    .lacks = ctrl_lacks };

	put_drive(arena, ctrl, &level);
	put_known(arena, &level, "transport", ctrl->transport);
	put_num(arena, &level, "cntlid", &ctrl->cntlid);
	put_known(arena, &level, "address", ctrl->address);
	put_num(arena, &level, "numa_node", &ctrl->node);
	*vec_add(arena, &device->levels) = level;
}

/* The PCI function, and the bridges above it, of which nothing is known. */
static void put_function(struct arena *arena, const struct ctrl *ctrl,
			 struct rule_device *device)
{
	struct rule_level level = { .kernel = ctrl->address,
				    .subsystem = "pci",
				    .driver = ctrl->driver,
				    .lacks = function_lacks };

	put_num(arena, &level, "numa_node", &ctrl->node);
	*vec_add(arena, &device->levels) = level;
	*vec_add(arena, &device->levels) =
		(struct rule_level){ .subsystem = "pci",
				     .lacks = function_lacks };
}

static void put_subsystem(struct arena *arena, const struct ctrl *ctrl,
			  const struct ns *ns, struct rule_device *device)
{
	struct rule_level level = { .kernel = ns->subsystem,
				    .subsystem = "nvme-subsystem",
				    .driver = "",
				    .lacks = function_lacks };

	if (ctrl) {
		level.lacks = NULL;
		put_drive(arena, ctrl, &level);
		put_absent(arena, &level, "transport");
	}
	*vec_add(arena, &device->levels) = level;
}

void rules_device_of_ns(struct arena *arena, const struct facts *facts,
			const struct ns *ns, struct rule_device *ret)
{
	const struct ctrl *ctrl = facts_ns_ctrl(facts, ns);
	struct rule_device device = { 0 };

	put_disk(arena, facts, ns, &device);
	if (ctrl) {
		put_id(arena, &device, "ID_MODEL", ctrl->model);
		put_id(arena, &device, "ID_SERIAL_SHORT", ctrl->serial);
		put_id(arena, &device, "ID_REVISION", ctrl->firmware);
	}
	if (ns->kind == NS_HEAD) {
		put_subsystem(arena, ctrl, ns, &device);
	} else if (ctrl) {
		put_ctrl(arena, ctrl, &device);
		if (text_equal(ctrl->transport, "pcie"))
			put_function(arena, ctrl, &device);
	}
	*ret = device;
}

bool rules_name_is_partition(const char *name)
{
	return glob_match("nvme[0-9]*n[0-9]*p[0-9]*|sd[a-z]*[0-9]", name);
}

void rules_device_named(struct arena *arena, const char *name, bool bare,
			struct rule_device *ret)
{
	const bool is_nvme = text_has_prefix(name, "nvme");
	const bool is_ctrl = is_nvme && !strchr(name + strlen("nvme"), 'n');
	const bool is_part = rules_name_is_partition(name);
	struct rule_device device = { 0 };
	struct rule_level level = { .kernel = name,
				    .subsystem = is_ctrl ? "nvme" : "block",
				    .driver = "",
				    .lacks = is_ctrl	     ? ctrl_lacks :
					     is_part || bare ? bare_lacks :
							       NULL };

	if (is_ctrl) {
		put_env(arena, &device, "SUBSYSTEM", "nvme");
		put_env(arena, &device, "DEVTYPE", "");
	} else {
		put_kind(arena, &device, name, "block",
			 is_part ? "partition" : "disk");
	}
	if (!is_ctrl && !is_part && !bare)
		put_fact(arena, &level, "mq", NULL);
	*vec_add(arena, &device.levels) = level;
	/* Of what is above it, only this is known: */
	*vec_add(arena, &device.levels) = (struct rule_level){
		.subsystem = is_nvme ? "pci" : "scsi",
		.driver = is_nvme ? "nvme" : "sd",
	};
	*vec_add(arena, &device.levels) = (struct rule_level){ 0 };
	*ret = device;
}

void rules_of_facts(struct arena *arena, const struct facts *facts,
		    struct rule_set *ret)
{
	struct rule_set set = { 0 };

	VEC_EACH(&facts->rules, struct rule_line, it)
		if (strcmp(it->file, OWNER_RULES) != 0)
			rule_set_add(arena, &set, it->file, it->line, it->text);
	rule_set_done(&set);
	*ret = set;
}
