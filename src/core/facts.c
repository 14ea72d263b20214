/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"

const char *const target_kind_names[] = {
	[TARGET_HOST] = "host",
	[TARGET_MODULE] = "module",
	[TARGET_CTRL] = "controller",
	[TARGET_QUEUE] = "queue",
	[TARGET_FUNCTION] = "function",
	[TARGET_VECTOR] = "vector",
	[TARGET_SUBSYSTEM] = "subsystem",
	[TARGET_CPUS] = "cpus",
	[TARGET_SERVICE] = "service",
	[TARGET_WRAPPER] = "wrapper",
	NULL,
};

const struct ctrl *facts_ctrl(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
		if (text_equal(ctrl->name, name))
			return ctrl;
	return NULL;
}

const struct ns *facts_ns(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->namespaces, struct ns, ns)
		if (text_equal(ns->name, name))
			return ns;
	return NULL;
}

const struct node *facts_node(const struct facts *facts, int64_t id)
{
	VEC_EACH(&facts->nodes, struct node, node)
		if (node->id == id)
			return node;
	return NULL;
}

const struct module *facts_module(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->modules, struct module, module)
		if (text_equal(module->name, name))
			return module;
	return NULL;
}

const struct module_param *module_find(const struct module *module,
				       const char *param)
{
	VEC_EACH(&module->params, struct module_param, it)
		if (text_equal(it->name, param))
			return it;
	return NULL;
}

const struct ns *facts_head_path(const struct facts *facts,
				 const struct ns *head, size_t n)
{
	VEC_EACH(&facts->namespaces, struct ns, ns)
		if (ns->kind == NS_PATH && text_equal(ns->head, head->name) &&
		    n-- == 0)
			return ns;
	return NULL;
}

const struct ctrl *facts_ns_ctrl(const struct facts *facts, const struct ns *ns)
{
	if (ns->kind == NS_HEAD)
		ns = facts_head_path(facts, ns, 0);
	return ns && ns->ctrl ? facts_ctrl(facts, ns->ctrl) : NULL;
}

char *facts_ctrl_id(struct arena *arena, const struct ctrl *ctrl)
{
	const char *subsystem = ctrl->nqn ? ctrl->nqn : ctrl->serial;

	if (ctrl->cntlid.known && subsystem)
		return arena_printf(arena, "%s/%" PRId64, subsystem,
				    ctrl->cntlid.value);
	return arena_printf(arena, "%s/%s", subsystem ? subsystem : "?",
			    ctrl->address ? ctrl->address : "?");
}

static char *namespace_id(struct arena *arena, const struct facts *facts,
			  const struct ns *ns)
{
	const struct ctrl *ctrl = facts_ns_ctrl(facts, ns);

	if (ns->wwid)
		return arena_strdup(arena, ns->wwid);
	return arena_printf(arena, "%s/%" PRId64,
			    ctrl && ctrl->serial ? ctrl->serial : "?",
			    num_or(ns->nsid, -1));
}

char *facts_ns_id(struct arena *arena, const struct facts *facts,
		  const struct ns *ns)
{
	/* Without native multipath each port of a drive is a disk of its own,
	 * with the same namespace behind it. */
	const bool several = ns->kind == NS_PATH ||
			     (ns->kind == NS_PLAIN && facts->multipath.known &&
			      facts->multipath.value == 0);
	const struct ctrl *ctrl;
	char *id = namespace_id(arena, facts, ns);

	if (!several)
		return id;
	ctrl = facts_ns_ctrl(facts, ns);
	return arena_printf(arena, "%s via %s", id,
			    ctrl ? facts_ctrl_id(arena, ctrl) : "?");
}

struct target facts_ctrl_target(struct arena *arena, const struct ctrl *ctrl)
{
	return (struct target){
		.kind = TARGET_CTRL,
		.name = ctrl->name,
		.dir = arena_printf(arena, "sys/class/nvme/%s", ctrl->name),
		.id = facts_ctrl_id(arena, ctrl),
	};
}

/* The number of an interrupt changes from boot to boot; which queue of which
 * controller it serves does not. */
struct target facts_vector_target(struct arena *arena, const struct ctrl *ctrl,
				  const struct vector *vector)
{
	return (struct target){
		.kind = TARGET_VECTOR,
		.name = arena_printf(arena, "%sq%" PRId64, ctrl->name,
				     vector->queue.value),
		.dir = arena_printf(arena, "proc/irq/%" PRId64, vector->irq),
		.id = arena_printf(arena, "%s/q%" PRId64,
				   facts_ctrl_id(arena, ctrl),
				   vector->queue.value),
	};
}

struct target facts_ns_target(struct arena *arena, const struct facts *facts,
			      const struct ns *ns)
{
	return (struct target){
		.kind = TARGET_QUEUE,
		.name = ns->name,
		.dir = arena_printf(arena, "sys/class/block/%s", ns->name),
		.id = facts_ns_id(arena, facts, ns),
	};
}

const struct observation *facts_observed(const struct facts *facts,
					 const char *knob,
					 const struct target *target)
{
	VEC_EACH(&facts->observed, struct observation, it)
		if (it->target_kind == (int64_t)target->kind &&
		    text_equal(it->target, target->name) &&
		    text_equal(it->knob, knob))
			return it;
	return NULL;
}
