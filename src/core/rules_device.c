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

static const char *const subsystem_lacks[] = {
	"queue", "mq",	  "nsid",   "wwid",    "size",	    "hidden", "vendor",
	"class", "state", "cntlid", "address", "transport", NULL,
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

/* There, or known not to be; rules change the value. */
static void put_seen(struct arena *arena, struct rule_level *level,
		     const char *name, const struct num *num)
{
	if (num->known)
		put_fact(arena, level, name, NULL);
	else if (num->why == ENOENT)
		put_absent(arena, level, name);
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
	put_seen(arena, &level, "power/pm_qos_latency_tolerance_us",
		 &ctrl->pm_qos_latency_us);
	*vec_add(arena, &device->levels) = level;
}

/* The PCI function, and the bridges above it, of which little is known. */
static void put_function(struct arena *arena, const struct ctrl *ctrl,
			 struct rule_device *device)
{
	struct rule_level level = { .kernel = ctrl->address,
				    .subsystem = "pci",
				    .driver = ctrl->driver,
				    .lacks = function_lacks };
	struct rule_level bridge = { .subsystem = "pci",
				     .lacks = function_lacks };

	put_num(arena, &level, "numa_node", &ctrl->node);
	put_known(arena, &level, "class", ctrl->pci_class);
	put_known(arena, &level, "vendor", ctrl->pci_vendor);
	put_known(arena, &level, "device", ctrl->pci_device);
	if (ctrl->runtime_pm)
		put_fact(arena, &level, "power/control", NULL);
	put_seen(arena, &level, "d3cold_allowed", &ctrl->d3cold_allowed);
	VEC_EACH(&ctrl->aspm, struct named_num, it)
		put_seen(arena, &level,
			 arena_printf(arena, "link/%s", it->name), &it->value);
	*vec_add(arena, &device->levels) = level;
	put_fact(arena, &bridge, "class", "0x060400");
	*vec_add(arena, &device->levels) = bridge;
}

static void put_subsystem(struct arena *arena, const struct ctrl *ctrl,
			  const char *name, const char *type,
			  struct rule_device *device)
{
	struct rule_level level = { .kernel = name,
				    .subsystem = "nvme-subsystem",
				    .driver = "",
				    .lacks = subsystem_lacks };

	if (ctrl)
		put_drive(arena, ctrl, &level);
	put_known(arena, &level, "subsystype", type);
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
		put_subsystem(arena, ctrl, ns->subsystem, NULL, &device);
	} else if (ctrl) {
		put_ctrl(arena, ctrl, &device);
		if (text_equal(ctrl->transport, "pcie"))
			put_function(arena, ctrl, &device);
	}
	*ret = device;
}

void rules_device_of_ctrl(struct arena *arena, const struct ctrl *ctrl,
			  struct rule_device *ret)
{
	struct rule_device device = { 0 };

	put_env(arena, &device, "SUBSYSTEM", "nvme");
	put_env(arena, &device, "DEVTYPE", "");
	put_env(arena, &device, "DEVNAME",
		arena_printf(arena, "/dev/%s", ctrl->name));
	if (ctrl->transport)
		put_env(arena, &device, "NVME_TRTYPE", ctrl->transport);
	put_ctrl(arena, ctrl, &device);
	if (text_equal(ctrl->transport, "pcie"))
		put_function(arena, ctrl, &device);
	*ret = device;
}

/* The driver of today may have come after the "add" of then. */
void rules_device_of_function(struct arena *arena, const struct ctrl *ctrl,
			      bool bound, struct rule_device *ret)
{
	struct rule_device device = { .comes = bound ? "bind" : NULL };

	put_env(arena, &device, "SUBSYSTEM", "pci");
	put_env(arena, &device, "DEVTYPE", "");
	if (ctrl->address)
		put_env(arena, &device, "PCI_SLOT_NAME", ctrl->address);
	put_function(arena, ctrl, &device);
	if (!bound)
		device.levels.items[0].driver = NULL;
	*ret = device;
}

void rules_device_of_subsystem(struct arena *arena, const struct facts *facts,
			       const struct subsystem *subsystem,
			       struct rule_device *ret)
{
	struct rule_device device = { 0 };
	const struct ctrl *member = NULL;

	VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
		if (!member && text_equal(ctrl->subsystem, subsystem->name))
			member = ctrl;
	put_env(arena, &device, "SUBSYSTEM", "nvme-subsystem");
	put_env(arena, &device, "DEVTYPE", "");
	put_subsystem(arena, member, subsystem->name, subsystem->type, &device);
	*ret = device;
}

/* cpu_subsys_match() and acpi/processor_driver.c: the driver is processor, or
 * there is none. */
void rules_device_of_cpu(struct arena *arena, const char *name,
			 struct rule_device *ret)
{
	struct rule_device device = {
		.devpath = arena_printf(arena, "/devices/system/cpu/%s", name)
	};
	struct rule_level level = { .kernel = name,
				    .subsystem = "cpu",
				    .lacks = function_lacks };

	put_env(arena, &device, "SUBSYSTEM", "cpu");
	put_env(arena, &device, "DEVTYPE", "");
	put_fact(arena, &level, "cpufreq", NULL);
	put_fact(arena, &level, "cpufreq/scaling_governor", NULL);
	*vec_add(arena, &device.levels) = level;
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
