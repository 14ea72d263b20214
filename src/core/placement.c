/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/placement.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"

struct survey {
	struct arena *arena;
	const struct facts *facts;
	const struct ctrl *ctrl;
	struct strbuf out;
};

static bool is_placed(const struct vector *vector)
{
	return vector->queue.known && num_or(vector->managed, 1);
}

static unsigned int nr_placed(const struct ctrl *ctrl)
{
	unsigned int n = 0;

	VEC_EACH(&ctrl->vectors, const struct vector, vector)
		n += is_placed(vector);
	return n;
}

static const char *plural(unsigned int n)
{
	return n == 1 ? "" : "s";
}

const struct node *placement_node(const struct facts *facts,
				  const struct ctrl *ctrl)
{
	if (facts->nodes.n == 1)
		return &facts->nodes.items[0];
	return ctrl->node.known ? facts_node(facts, ctrl->node.value) : NULL;
}

/* All of them where it is not known which are online. */
static struct cpuset online_of(const struct survey *survey,
			       const struct cpuset *cpus)
{
	if (cpuset_is_empty(&survey->facts->online))
		return *cpus;
	return cpuset_and(survey->arena, cpus, &survey->facts->online);
}

/* The CPUs that have a queue, and how many share the least and the most
 * crowded one. */
struct coverage {
	struct cpuset cpus;
	unsigned int least, most;
};

static struct coverage cover(const struct survey *survey,
			     const struct cpuset *near)
{
	struct coverage coverage = { 0 };

	VEC_EACH(&survey->ctrl->vectors, const struct vector, vector) {
		struct cpuset served;
		unsigned int sharers;

		if (!is_placed(vector) ||
		    !cpuset_intersects(&vector->mask, near))
			continue;
		served = online_of(survey, &vector->mask);
		sharers = cpuset_count(&served);
		coverage.cpus =
			cpuset_or(survey->arena, &coverage.cpus, &served);
		if (sharers > coverage.most)
			coverage.most = sharers;
		if (!coverage.least || sharers < coverage.least)
			coverage.least = sharers;
	}
	return coverage;
}

/* near has a name: " of node 3", or nothing where that is unknown. */
static void tell_coverage(struct survey *survey, const struct cpuset *near,
			  const char *name)
{
	const struct coverage coverage = cover(survey, near);
	const struct cpuset bare =
		cpuset_minus(survey->arena, near, &coverage.cpus);

	if (cpuset_equal(&bare, near))
		strbuf_printf(&survey->out, "; no CPU%s has a queue", name);
	else if (!cpuset_is_empty(&bare))
		strbuf_printf(&survey->out, "; CPU%s %s%s have no queue",
			      plural(cpuset_count(&bare)),
			      cpuset_text(survey->arena, &bare), name);
	else if (coverage.least < coverage.most)
		strbuf_printf(
			&survey->out,
			"; each CPU%s has a queue, up to %u CPUs share one",
			name, coverage.most);
	else if (coverage.most > 1)
		strbuf_printf(&survey->out,
			      "; each CPU%s has a queue, shared by %u CPUs",
			      name, coverage.most);
	else
		strbuf_printf(&survey->out, "; each CPU%s has its own queue",
			      name);
}

static void tell_near(struct survey *survey)
{
	const struct node *node = placement_node(survey->facts, survey->ctrl);
	struct cpuset near = node ? online_of(survey, &node->cpus) :
				    survey->facts->online;

	if (!node)
		strbuf_puts(&survey->out, "; the drive's node is unknown");
	else if (cpuset_is_empty(&near))
		strbuf_printf(&survey->out, "; node %" PRId64 " has no CPU",
			      node->id);
	if (!cpuset_is_empty(&near))
		tell_coverage(survey, &near,
			      node ? arena_printf(survey->arena,
						  " of node %" PRId64,
						  node->id) :
				     "");
}

/* Interrupts go to one CPU of the mask; of which it is told, that. */
static bool interrupts(const struct ctrl *ctrl, const struct cpuset *cpus)
{
	VEC_EACH(&ctrl->vectors, const struct vector, vector) {
		const struct cpuset *to = cpuset_is_empty(&vector->effective) ?
						  &vector->mask :
						  &vector->effective;

		if (is_placed(vector) && cpuset_intersects(to, cpus))
			return true;
	}
	return false;
}

static void tell_bare_nodes(struct survey *survey)
{
	struct cpuset bare = { 0 };
	unsigned int n;

	VEC_EACH(&survey->facts->nodes, const struct node, node) {
		struct cpuset cpus = online_of(survey, &node->cpus);

		if (!cpuset_is_empty(&cpus) &&
		    !interrupts(survey->ctrl, &cpus) && node->id >= 0 &&
		    node->id <= (int64_t)CPUSET_LAST)
			cpuset_add(survey->arena, &bare,
				   (unsigned int)node->id);
	}
	n = cpuset_count(&bare);
	if (n)
		strbuf_printf(&survey->out, "; node%s %s %s no vector",
			      plural(n), cpuset_text(survey->arena, &bare),
			      n == 1 ? "has" : "have");
}

static void tell_asleep(struct survey *survey)
{
	unsigned int n = 0;

	if (cpuset_is_empty(&survey->facts->online))
		return;
	VEC_EACH(&survey->ctrl->vectors, const struct vector, vector)
		n += is_placed(vector) && !cpuset_is_empty(&vector->mask) &&
		     !cpuset_intersects(&vector->mask, &survey->facts->online);
	if (n)
		strbuf_printf(&survey->out,
			      "; %u of them sleep%s CPUs are offline", n,
			      n == 1 ? "s: its" : ": their");
}

/* isolcpus=managed_irq moves a vector to another CPU of its own mask, and
 * leaves it where there is none (kernel/irq/manage.c). */
static void tell_isolated(struct survey *survey)
{
	const char *cmdline = survey->facts->cmdline;
	struct cpuset hit = { 0 };
	unsigned int n = 0;

	VEC_EACH(&survey->ctrl->vectors, const struct vector, vector) {
		if (!is_placed(vector) || cpuset_is_empty(&vector->mask) ||
		    !cpuset_is_subset(&vector->mask, &survey->facts->isolated))
			continue;
		hit = cpuset_or(survey->arena, &hit, &vector->mask);
		n++;
	}
	if (!n)
		return;
	strbuf_printf(&survey->out, "; %u can only go to isolated CPU%s %s%s",
		      n, plural(cpuset_count(&hit)),
		      cpuset_text(survey->arena, &hit),
		      cmdline && strstr(cmdline, "managed_irq") ?
			      ", which isolcpus=managed_irq cannot help" :
			      "");
}

const char *placement_text(struct arena *arena, const struct facts *facts,
			   const struct ctrl *ctrl)
{
	const unsigned int n = nr_placed(ctrl);
	struct survey survey = { .arena = arena, .facts = facts, .ctrl = ctrl };

	if (!n)
		return NULL;
	strbuf_init(&survey.out, arena);
	strbuf_printf(&survey.out, "%u queue vector%s placed by the kernel", n,
		      n == 1 ? " is" : "s are");
	tell_near(&survey);
	tell_bare_nodes(&survey);
	tell_asleep(&survey);
	tell_isolated(&survey);
	return survey.out.text;
}
