/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sites.h"

#include <inttypes.h>

#include "base/parse.h"

struct build {
	struct arena *arena;
	const struct facts *facts;
	const struct knob *knob;
	struct site_list list;
};

static void add(struct build *build, struct target target,
		const struct ctrl *ctrl, const struct ns *ns)
{
	*vec_add(build->arena, &build->list.sites) =
		(struct site){ .target = target, .ctrl = ctrl, .ns = ns };
}

static void add_queues(struct build *build)
{
	VEC_EACH(&build->facts->namespaces, struct ns, ns)
		if (knob_lives_on(build->knob, ns))
			add(build,
			    facts_ns_target(build->arena, build->facts, ns),
			    facts_ns_ctrl(build->facts, ns), ns);
}

static bool lives_on(const struct knob *knob, const struct ctrl *ctrl)
{
	return !knob->lives || knob->lives(knob, ctrl);
}

static void add_ctrls(struct build *build)
{
	VEC_EACH(&build->facts->ctrls, struct ctrl, ctrl)
		if (lives_on(build->knob, ctrl))
			add(build, facts_ctrl_target(build->arena, ctrl), ctrl,
			    NULL);
}

static void add_functions(struct build *build)
{
	VEC_EACH(&build->facts->ctrls, struct ctrl, ctrl) {
		struct target target;

		if (!text_equal(ctrl->transport, "pcie") ||
		    !lives_on(build->knob, ctrl))
			continue;
		target = facts_ctrl_target(build->arena, ctrl);
		target.kind = TARGET_FUNCTION;
		target.dir =
			arena_printf(build->arena, "%s/device", target.dir);
		add(build, target, ctrl, NULL);
	}
}

/* Vectors that the kernel places are one site, their controller: a drive can
 * have two thousand of them, and nobody moves one. */
static void add_vectors_of(struct build *build, const struct ctrl *ctrl)
{
	bool placed = false;

	VEC_EACH(&ctrl->vectors, struct vector, vector)
		placed = placed ||
			 (vector->queue.known && num_or(vector->managed, 1));
	if (placed)
		add(build, facts_ctrl_target(build->arena, ctrl), ctrl, NULL);
	VEC_EACH(&ctrl->vectors, struct vector, vector)
		if (vector->queue.known && !num_or(vector->managed, 1))
			add(build,
			    facts_vector_target(build->arena, ctrl, vector),
			    ctrl, NULL);
}

static void add_vectors(struct build *build)
{
	VEC_EACH(&build->facts->ctrls, struct ctrl, ctrl)
		add_vectors_of(build, ctrl);
}

static void add_subsystems(struct build *build)
{
	VEC_EACH(&build->facts->subsystems, struct subsystem, it)
		if (!it->type || text_equal(it->type, "nvm"))
			add(build,
			    (struct target){
				    .kind = TARGET_SUBSYSTEM,
				    .name = it->name,
				    .dir = arena_printf(
					    build->arena,
					    "sys/class/nvme-subsystem/%s",
					    it->name),
				    .id = it->nqn ? it->nqn : it->name,
			    },
			    NULL, NULL);
}

/* A host that scales no frequency has one site all the same: what is asked
 * for is answered there. */
static void add_no_policy(struct build *build)
{
	add(build,
	    (struct target){ .kind = TARGET_CPUS,
			     .name = "cpufreq",
			     .dir = "sys/devices/system/cpu/cpufreq",
			     .id = "cpufreq" },
	    NULL, NULL);
}

static void add_policies(struct build *build)
{
	if (build->facts->cpu_policies.n == 0)
		add_no_policy(build);
	VEC_EACH(&build->facts->cpu_policies, const char *, it)
		add(build,
		    (struct target){
			    .kind = TARGET_CPUS,
			    .name = *it,
			    .dir = arena_printf(
				    build->arena,
				    "sys/devices/system/cpu/cpufreq/%s", *it),
			    .id = *it,
		    },
		    NULL, NULL);
}

static void add_host(struct build *build)
{
	add(build,
	    (struct target){ .kind = TARGET_HOST,
			     .name = "host",
			     .dir = "",
			     .id = "host" },
	    NULL, NULL);
}

struct site_list sites_of(struct arena *arena, const struct facts *facts,
			  const struct knob *knob)
{
	struct build build = { .arena = arena, .facts = facts, .knob = knob };

	switch (knob->scope) {
	case SCOPE_MODULE: /* one for each parameter: the plan's own part */
	case SCOPE_RUNNER: /* one for each section: likewise */
		break;
	case SCOPE_HOST:
		add_host(&build);
		break;
	case SCOPE_CPUS:
		add_policies(&build);
		break;
	case SCOPE_SUBSYSTEM:
		add_subsystems(&build);
		break;
	case SCOPE_CTRL:
		add_ctrls(&build);
		break;
	case SCOPE_FUNCTION:
		add_functions(&build);
		break;
	case SCOPE_VECTOR:
		add_vectors(&build);
		break;
	case SCOPE_QUEUE:
		add_queues(&build);
		break;
	}
	return build.list;
}
