/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/binding.h"

#include <errno.h>
#include <string.h>

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

static void add_memory(struct arena *arena, struct binding *binding,
		       int64_t node)
{
	if (node >= 0 && node <= (int64_t)CPUSET_LAST)
		cpuset_add(arena, &binding->memory_nodes, (unsigned int)node);
}

/* A node without usable CPUs gives its memory; the last reason stays in err. */
static void add_node(struct arena *arena, const struct facts *facts,
		     const struct node *node, struct binding *binding,
		     struct err *err)
{
	struct cpuset cpus;

	if (usable_cpus(arena, facts, node, &cpus, err) == 0)
		binding->cpus = cpuset_or(arena, &binding->cpus, &cpus);
	add_memory(arena, binding,
		   has_memory(node) || !node->memory_kb.known ?
			   node->id :
			   nearest_memory(facts, node));
}

int binding_of_nodes(struct arena *arena, const struct facts *facts,
		     const struct cpuset *nodes, struct binding *ret,
		     struct err *err)
{
	struct binding binding = { .node = BINDING_NO_NODE,
				   .memory_node = BINDING_NO_NODE };

	if (cpuset_count(nodes) == 1)
		return binding_of_node(arena, facts, cpuset_next(nodes, 0), ret,
				       err);
	CPUSET_EACH(nodes, id) {
		const struct node *node = facts_node(facts, id);

		if (!node)
			return err_set(err, -ENODEV, "this host has no node %d",
				       id);
		add_node(arena, facts, node, &binding, err);
	}
	if (cpuset_is_empty(&binding.cpus))
		return err->code ? err->code :
				   err_set(err, -ENODATA, "no node is known");
	*err = (struct err){ 0 };
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

struct binding binding_of_number(int64_t node)
{
	return (struct binding){ .node = node, .memory_node = node };
}

char *binding_numactl_text(struct arena *arena, const struct binding *binding)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	strbuf_puts(&out, "numactl ");
	if (cpuset_is_empty(&binding->cpus)) {
		strbuf_printf(&out, "--cpunodebind=%lld",
			      (long long)binding->node);
	} else {
		strbuf_puts(&out, "--physcpubind=");
		cpuset_to_text(&binding->cpus, &out);
	}
	if (!cpuset_is_empty(&binding->memory_nodes)) {
		strbuf_puts(&out, " --membind=");
		cpuset_to_text(&binding->memory_nodes, &out);
	}
	if (binding->memory_node != BINDING_NO_NODE)
		strbuf_printf(&out, " --%s=%lld",
			      binding->memory_preferred ? "preferred" :
							  "membind",
			      (long long)binding->memory_node);
	return out.text;
}

char *binding_numactl_cpus_text(struct arena *arena,
				const struct binding *binding)
{
	struct binding cpus = { .node = binding->node,
				.cpus = binding->cpus,
				.memory_node = BINDING_NO_NODE };

	return binding_numactl_text(arena, &cpus);
}

/* Hundreds of CPUs with every other number would fill pages. */
#define LONGEST_LIST 64U

static void put_list(struct arena *arena, const struct cpuset *set,
		     const char *word, struct strbuf *out)
{
	const char *list = cpuset_text(arena, set);
	const unsigned int n = cpuset_count(set);

	if (strlen(list) > LONGEST_LIST)
		strbuf_printf(out, "%u %ss", n, word);
	else
		strbuf_printf(out, "%s%s %s", word, n == 1 ? "" : "s", list);
}

char *binding_text(struct arena *arena, const struct binding *binding)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	if (cpuset_is_empty(&binding->cpus))
		strbuf_printf(&out, "CPUs of node %lld",
			      (long long)binding->node);
	else
		put_list(arena, &binding->cpus, "CPU", &out);
	if (!cpuset_is_empty(&binding->memory_nodes)) {
		strbuf_puts(&out, ", memory of ");
		put_list(arena, &binding->memory_nodes, "node", &out);
	} else if (binding->memory_node != BINDING_NO_NODE) {
		strbuf_printf(&out, ", memory of node %lld%s",
			      (long long)binding->memory_node,
			      binding->memory_preferred ? " preferred" : "");
	}
	return out.text;
}
