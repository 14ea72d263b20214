/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/binding.h"

#include <errno.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/facts.h"

/* An empty set of online or allowed CPUs means that nobody knows: a host
 * has at least the CPU that asks. */
static bool narrow(struct arena *arena, struct cpuset *cpus,
		   const struct cpuset *to)
{
	if (!cpuset_is_empty(to))
		*cpus = cpuset_and(arena, cpus, to);
	return !cpuset_is_empty(cpus);
}

/*
 * numactl -N alone would place threads on isolated CPUs and fails on
 * offline ones, so the set is worked out and always printed as ranges.
 */
static int usable_cpus(struct arena *arena, const struct facts *facts,
		       const struct node *node, struct cpuset *ret,
		       struct err *err)
{
	struct cpuset cpus = node->cpus;
	const char *why = NULL;

	if (cpuset_is_empty(&cpus))
		why = "it is a node of memory only";
	else if (!narrow(arena, &cpus, &facts->online))
		why = "all of them are offline";
	else if (!narrow(arena, &cpus, &facts->allowed))
		why = "this process may run on none of them";
	else
		cpus = cpuset_minus(arena, &cpus, &facts->isolated);
	if (!why && cpuset_is_empty(&cpus))
		why = "all that are left are isolated";
	if (why)
		return err_set(err, -ENOENT, "node %lld has no usable CPU: %s",
			       (long long)node->id, why);
	*ret = cpus;
	return 0;
}

static bool has_memory(const struct node *node)
{
	return num_or(node->memory_kb, 0) > 0;
}

static int64_t distance_to(const struct node *node, size_t other)
{
	return other < node->distances.n ? node->distances.items[other] :
					   INT64_MAX;
}

/* Equal distances go to the lower number, so that the answer is stable. */
static int64_t nearest_memory(const struct facts *facts,
			      const struct node *node)
{
	const struct node *best = NULL;
	int64_t best_distance = INT64_MAX;

	for (size_t i = 0; i < facts->nodes.n; i++) {
		const struct node *other = &facts->nodes.items[i];
		int64_t distance = distance_to(node, i);

		if (!has_memory(other))
			continue;
		if (best &&
		    (distance > best_distance ||
		     (distance == best_distance && other->id > best->id)))
			continue;
		best = other;
		best_distance = distance;
	}
	return best ? best->id : BINDING_NO_NODE;
}

int binding_of_node(struct arena *arena, const struct facts *facts, int64_t id,
		    struct binding *ret, struct err *err)
{
	const struct node *node = facts_node(facts, id);
	struct binding binding = { .node = id };
	int r;

	if (!node)
		return err_set(err, -ENODEV, "this host has no node %lld",
			       (long long)id);
	r = usable_cpus(arena, facts, node, &binding.cpus, err);
	if (r < 0)
		return r;
	if (has_memory(node)) {
		binding.memory_node = id;
	} else if (!node->memory_kb.known) {
		/* Preferring a node is harmless when it turns out empty. */
		binding.memory_node = id;
		binding.memory_preferred = true;
	} else {
		binding.memory_node = nearest_memory(facts, node);
		binding.memory_preferred = true;
	}
	*ret = binding;
	return 0;
}

int binding_of_ctrl(struct arena *arena, const struct facts *facts,
		    const struct ctrl *ctrl, struct binding *ret,
		    struct err *err)
{
	int r;

	if (!ctrl->node.known)
		return err_set(err, -ENODATA,
			       "%s: the kernel does not know its node",
			       ctrl->name);
	r = binding_of_node(arena, facts, ctrl->node.value, ret, err);
	return r < 0 ? err_context(err, "%s", ctrl->name) : 0;
}

static int binding_of_head(struct arena *arena, const struct facts *facts,
			   const struct ns *head, struct binding *ret,
			   struct err *err)
{
	const struct ctrl *first = NULL;
	const struct ns *path;

	for (size_t i = 0; (path = facts_head_path(facts, head, i)); i++) {
		const struct ctrl *ctrl = facts_ns_ctrl(facts, path);

		if (!ctrl)
			continue;
		if (!ctrl->node.known)
			return err_set(
				err, -ENODATA,
				"%s: the node of its path over %s is unknown",
				head->name, ctrl->name);
		if (!first)
			first = ctrl;
		else if (first->node.value != ctrl->node.value)
			return err_set(
				err, -EXDEV,
				"%s: has paths on several nodes (%s on node %lld, %s on node %lld), so no node is near all of it",
				head->name, first->name,
				(long long)first->node.value, ctrl->name,
				(long long)ctrl->node.value);
	}
	if (!first)
		return err_set(err, -ENODATA, "%s: no path to it is known",
			       head->name);
	return binding_of_ctrl(arena, facts, first, ret, err);
}

int binding_of_ns(struct arena *arena, const struct facts *facts,
		  const struct ns *ns, struct binding *ret, struct err *err)
{
	const struct ctrl *ctrl;

	if (ns->kind == NS_HEAD)
		return binding_of_head(arena, facts, ns, ret, err);
	ctrl = facts_ns_ctrl(facts, ns);
	if (!ctrl)
		return err_set(err, -ENODATA, "%s: its controller is not known",
			       ns->name);
	return binding_of_ctrl(arena, facts, ctrl, ret, err);
}

char *binding_numactl_text(struct arena *arena, const struct binding *binding)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	strbuf_puts(&out, "numactl --physcpubind=");
	cpuset_to_text(&binding->cpus, &out);
	if (binding->memory_node != BINDING_NO_NODE)
		strbuf_printf(&out, " --%s=%lld",
			      binding->memory_preferred ? "preferred" :
							  "membind",
			      (long long)binding->memory_node);
	return out.text;
}
