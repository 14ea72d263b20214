/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/rule_events.h"

#include <string.h>

#include "base/glob.h"
#include "base/parse.h"

#define NR_EVENTS (RULE_AT_DISK + 1)

/* A device with events, and whose it is. */
struct event_device {
	const char *name;
	const struct ctrl *ctrl;
	const struct ns *ns;
	const struct subsystem *subsystem;
	bool done;
	struct rule_effects effects;
};

struct rule_events {
	struct arena *arena;
	const struct facts *facts;
	struct rule_set set;
	struct {
		VEC(struct event_device) devices;
	} at[NR_EVENTS];
};

/*
 * How a target's attribute is named from a device that has an event: prefix,
 * and the attribute without what strip takes off its front.
 */
struct door {
	enum target_kind target;
	enum rule_event at;
	const char *strip;
	const char *prefix;
	bool (*is_for)(const struct event_device *device,
		       const struct site *site);
};

static bool is_ns(const struct event_device *device, const struct site *site)
{
	return device->ns == site->ns;
}

static bool is_ctrl(const struct event_device *device, const struct site *site)
{
	return device->ctrl == site->ctrl;
}

/* A head's device is its subsystem, and no controller. */
static bool is_disk_of_ctrl(const struct event_device *device,
			    const struct site *site)
{
	return device->ctrl == site->ctrl && device->ns->kind == NS_PLAIN;
}

static bool is_named(const struct event_device *device, const struct site *site)
{
	return strcmp(device->name, site->target.name) == 0;
}

static bool is_head_of_subsystem(const struct event_device *device,
				 const struct site *site)
{
	return device->ns->kind == NS_HEAD &&
	       text_equal(device->ns->subsystem, site->target.name);
}

/* cpufreq_policy_alloc(): a policy is named after its first CPU. */
static bool is_first_cpu(const struct event_device *device,
			 const struct site *site)
{
	return text_has_prefix(site->target.name, "policy") &&
	       strcmp(device->name + strlen("cpu"),
		      site->target.name + strlen("policy")) == 0;
}

static const struct door doors[] = {
	{ TARGET_QUEUE, RULE_AT_DISK, "", "", is_ns },
	{ TARGET_QUEUE, RULE_AT_DISK, "queue/", "bdi/", is_ns },
	{ TARGET_CTRL, RULE_AT_CTRL, "", "", is_ctrl },
	{ TARGET_CTRL, RULE_AT_DISK, "", "device/", is_disk_of_ctrl },
	{ TARGET_FUNCTION, RULE_AT_FUNCTION, "", "", is_ctrl },
	{ TARGET_FUNCTION, RULE_AT_CTRL, "", "device/", is_ctrl },
	{ TARGET_FUNCTION, RULE_AT_BOUND, "", "", is_ctrl },
	{ TARGET_FUNCTION, RULE_AT_DISK, "", "device/device/",
	  is_disk_of_ctrl },
	{ TARGET_SUBSYSTEM, RULE_AT_SUBSYSTEM, "", "", is_named },
	{ TARGET_SUBSYSTEM, RULE_AT_DISK, "", "device/", is_head_of_subsystem },
	{ TARGET_CPUS, RULE_AT_CPU, "", "cpufreq/", is_first_cpu },
};

#define NR_DOORS (sizeof(doors) / sizeof(*doors))

static struct event_device *add(struct rule_events *events, enum rule_event at,
				const char *name)
{
	struct event_device *device =
		vec_add(events->arena, &events->at[at].devices);

	device->name = name;
	return device;
}

/* Hidden paths send no uevents: no rule ever runs for them. */
static void add_disks(struct rule_events *events)
{
	VEC_EACH(&events->facts->namespaces, struct ns, ns) {
		struct event_device *device;

		if (ns->kind == NS_PATH)
			continue;
		device = add(events, RULE_AT_DISK, ns->name);
		device->ns = ns;
		device->ctrl = facts_ns_ctrl(events->facts, ns);
	}
}

static void add_ctrls(struct rule_events *events)
{
	VEC_EACH(&events->facts->ctrls, struct ctrl, ctrl) {
		add(events, RULE_AT_CTRL, ctrl->name)->ctrl = ctrl;
		if (!text_equal(ctrl->transport, "pcie") || !ctrl->address)
			continue;
		add(events, RULE_AT_FUNCTION, ctrl->address)->ctrl = ctrl;
		add(events, RULE_AT_BOUND, ctrl->address)->ctrl = ctrl;
	}
}

static void add_others(struct rule_events *events)
{
	VEC_EACH(&events->facts->subsystems, struct subsystem, it)
		add(events, RULE_AT_SUBSYSTEM, it->name)->subsystem = it;
	VEC_EACH(&events->facts->cpu_policies, const char *, it)
		if (text_has_prefix(*it, "policy"))
			(void)add(events, RULE_AT_CPU,
				  arena_printf(events->arena, "cpu%s",
					       *it + strlen("policy")));
}

struct rule_events *rule_events_new(struct arena *arena,
				    const struct facts *facts)
{
	struct rule_events *events = ARENA_NEW(arena, struct rule_events);

	events->arena = arena;
	events->facts = facts;
	rules_of_facts(arena, facts, &events->set);
	add_disks(events);
	add_ctrls(events);
	add_others(events);
	return events;
}

static void describe(const struct rule_events *events, enum rule_event at,
		     const struct event_device *device, struct rule_device *ret)
{
	struct arena *arena = events->arena;
	const struct facts *facts = events->facts;

	switch (at) {
	case RULE_AT_FUNCTION:
	case RULE_AT_BOUND:
		rules_device_of_function(arena, device->ctrl,
					 at == RULE_AT_BOUND, ret);
		break;
	case RULE_AT_CPU:
		rules_device_of_cpu(arena, device->name, ret);
		break;
	case RULE_AT_CTRL:
		rules_device_of_ctrl(arena, device->ctrl, ret);
		break;
	case RULE_AT_SUBSYSTEM:
		rules_device_of_subsystem(arena, facts, device->subsystem, ret);
		break;
	case RULE_AT_DISK:
		rules_device_of_ns(arena, facts, device->ns, ret);
		break;
	}
}

static const struct rule_effects *effects_of(struct rule_events *events,
					     enum rule_event at,
					     struct event_device *device)
{
	struct rule_device described;

	if (!device->done) {
		device->done = true;
		describe(events, at, device, &described);
		rules_evaluate(events->arena, &events->set, &described,
			       &device->effects);
	}
	return &device->effects;
}

/* Is name what the knob's attribute is called behind this door? */
static bool is_called(const struct door *door, const char *attr,
		      const char *name)
{
	const size_t n = strlen(door->prefix);

	return text_has_prefix(attr, door->strip) &&
	       strncmp(name, door->prefix, n) == 0 &&
	       strcmp(name + n, attr + strlen(door->strip)) == 0;
}

/* Through one of the doors that lead from the device to the site. */
static bool is_reached(enum rule_event at, const struct event_device *device,
		       const struct knob *knob, const struct site *site,
		       const char *name)
{
	for (size_t i = 0; i < NR_DOORS; i++)
		if (doors[i].target == site->target.kind && doors[i].at == at &&
		    doors[i].is_for(device, site) &&
		    is_called(&doors[i], knob->attr, name))
			return true;
	return false;
}

static bool has_door(const struct site *site, enum rule_event at)
{
	for (size_t i = 0; i < NR_DOORS; i++)
		if (doors[i].target == site->target.kind && doors[i].at == at)
			return true;
	return false;
}

/* Whatever the attribute: is the device one from which rules reach the site? */
static bool leads_to(enum rule_event at, const struct event_device *device,
		     const struct site *site)
{
	for (size_t i = 0; i < NR_DOORS; i++)
		if (doors[i].target == site->target.kind && doors[i].at == at &&
		    doors[i].is_for(device, site))
			return true;
	return false;
}

static void add_words(struct rule_events *events, enum rule_event at,
		      const struct knob *knob, const struct site *site,
		      struct rule_words *ret)
{
	VEC_EACH(&events->at[at].devices, struct event_device, device) {
		const struct rule_effects *effects;

		if (!leads_to(at, device, site))
			continue;
		effects = effects_of(events, at, device);
		VEC_EACH(&effects->effects, struct rule_effect, it)
			if (is_reached(at, device, knob, site, it->attr))
				*vec_add(events->arena, &ret->words) =
					(struct rule_word){ .effect = it,
							    .at = at };
	}
}

struct rule_words rule_events_about(struct rule_events *events,
				    const struct knob *knob,
				    const struct site *site)
{
	struct rule_words words = { { 0 } };

	for (unsigned int at = 0; knob->attr && at < NR_EVENTS; at++)
		if (has_door(site, (enum rule_event)at))
			add_words(events, (enum rule_event)at, knob, site,
				  &words);
	return words;
}

/* Of the last block of our file that holds the knob. */
static const struct {
	enum knob_kept kept;
	enum rule_event at;
} ours[] = {
	{ KEPT_BY_DISK_RULE, RULE_AT_DISK },
	{ KEPT_BY_CTRL_RULE, RULE_AT_CTRL },
	{ KEPT_BY_FUNCTION_RULE, RULE_AT_CTRL },
	{ KEPT_BY_SUBSYSTEM_RULE, RULE_AT_SUBSYSTEM },
	{ KEPT_BY_CPU_RULE, RULE_AT_CPU },
};

enum rule_event rule_events_ours(const struct rule_events *events,
				 const struct knob *knob,
				 const struct site *site)
{
	enum rule_event at = RULE_AT_DISK;

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (ours[i].kept == knob->kept)
			at = ours[i].at;
	/* It runs once more for each disk. */
	if (knob->kept == KEPT_BY_CTRL_RULE)
		VEC_EACH(&events->at[RULE_AT_DISK].devices, struct event_device,
			 device)
			if (is_disk_of_ctrl(device, site))
				return RULE_AT_DISK;
	return at;
}

bool rule_events_file(const struct rule_events *events, const struct knob *knob,
		      const struct site *site, const char *device,
		      const char *attr)
{
	if (!knob->attr)
		return false;
	if (strcmp(attr, knob->attr) == 0 &&
	    (!device || glob_match(device, site->target.name)))
		return true;
	for (unsigned int at = 0; device && at < NR_EVENTS; at++)
		VEC_EACH(&events->at[at].devices, struct event_device, it)
			if (glob_match(device, it->name) &&
			    is_reached((enum rule_event)at, it, knob, site,
				       attr))
				return true;
	return false;
}
