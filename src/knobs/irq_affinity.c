/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Vectors of queues are placed by the kernel, one for each CPU or group of
 * CPUs, and refuse writes (EIO up to 6.11, EPERM since).  Which queue a read
 * uses follows from the CPU that it is submitted on: locality is where the
 * threads run.  What can be moved is the admin queue's vector, which the
 * kernel puts on node 0 whatever the drive's node, and the few of a controller
 * or kernel without managed ones.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "core/irqbalance.h"
#include "core/placement.h"
#include "knobs/knob_list.h"

#define PLACED "managed" /* the controller's value: of all managed vectors */

static const char *const choices[] = { "local", "spread", NULL };

struct place {
	const struct ctrl *ctrl;
	const struct vector *vector; /* NULL: all that the kernel places */
};

/* "nvme0q3" to both. */
static struct place place_of(const struct facts *facts,
			     const struct target *target)
{
	struct place place = { .ctrl = facts_ctrl(facts, target->name) };

	if (target->kind != TARGET_VECTOR)
		return place;
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl) {
		const size_t n = strlen(ctrl->name);
		uint64_t queue;

		if (strncmp(ctrl->name, target->name, n) != 0 ||
		    target->name[n] != 'q' ||
		    parse_u64(target->name + n + 1, &queue) < 0)
			continue;
		VEC_EACH(&ctrl->vectors, struct vector, vector)
			if (num_or(vector->queue, -1) == (int64_t)queue)
				place = (struct place){ ctrl, vector };
	}
	return place;
}

/* CPUs that take turns among many nodes make lists of thousands of bytes. */
static bool cpus_value(struct arena *arena, const struct cpuset *cpus,
		       struct value *ret)
{
	char text[VALUE_TEXT_SIZE];

	return cpuset_fold_list(cpuset_text(arena, cpus), text, sizeof(text)) ==
		       0 &&
	       value_text(text, ret);
}

static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct place place = place_of(facts, target);

	(void)knob;
	if (target->kind != TARGET_VECTOR)
		(void)value_text(PLACED, &ret->value);
	else if (!place.vector || cpuset_is_empty(&place.vector->mask))
		ret->why = ENODATA;
	else if (!cpus_value(arena, &place.vector->mask, &ret->value))
		ret->why = EOVERFLOW;
}

static const char *settled(const struct knob *knob, struct arena *arena,
			   const struct facts *facts,
			   const struct target *target)
{
	const struct place place = place_of(facts, target);

	(void)knob;
	return target->kind == TARGET_CTRL && place.ctrl ?
		       placement_text(arena, facts, place.ctrl) :
		       NULL;
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	const struct place place = place_of(facts, target);

	(void)knob;
	(void)arena;
	if (!place.vector || cpuset_is_empty(&place.vector->mask))
		return "the CPUs that it may go to could not be read";
	return "its list of CPUs is too long to be written down";
}

/* The CPUs that the profile means; the kernel takes one of them. */
static int wanted(const struct knob *knob, struct arena *arena,
		  const struct facts *facts, const struct place *place,
		  const struct value *asked, struct cpuset *ret,
		  struct err *err)
{
	const struct node *node = placement_node(facts, place->ctrl);
	struct cpuset cpus = facts->online;

	if (strcmp(asked->u.text, "local") == 0) {
		if (!node)
			return err_set(
				err, -EOPNOTSUPP,
				"%s: locality unknown: the kernel does not know the node of %s",
				knob->name, place->ctrl->name);
		cpus = cpuset_and(arena, &node->cpus, &facts->online);
	}
	if (cpuset_is_empty(&cpus))
		return err_set(err, -EOPNOTSUPP,
			       "%s: %s has no CPU that is online", knob->name,
			       node ? "the drive's node" : "the host");
	/* Whoever isolates CPUs wants no interrupt there. */
	*ret = cpuset_minus(arena, &cpus, &facts->isolated);
	if (cpuset_is_empty(ret))
		return err_set(err, -EOPNOTSUPP,
			       "%s: all CPUs of %s are isolated", knob->name,
			       node ? "the drive's node" : "the host");
	return 0;
}

static int settle(const struct knob *knob, struct arena *arena,
		  const struct facts *facts, const struct place *place,
		  const struct value *asked, struct value *ret, struct err *err)
{
	const bool local = strcmp(asked->u.text, "local") == 0;
	struct cpuset cpus, now;
	int r = wanted(knob, arena, facts, place, asked, &cpus, err);

	if (r < 0)
		return r;
	now = cpuset_and(arena, &place->vector->mask, &facts->online);
	if (!cpuset_is_empty(&now) && cpuset_is_subset(&now, &cpus) &&
	    (local || cpuset_equal(&now, &cpus)))
		cpus = place->vector->mask; /* is there already */
	else if (num_or(place->vector->shared, 0))
		return err_set(
			err, -EOPNOTSUPP,
			"%s: other devices use this interrupt line too, so it is not moved",
			knob->name);
	if (!cpus_value(arena, &cpus, ret))
		return err_set(
			err, -EOPNOTSUPP,
			"%s: the list of CPUs is too long to be written down",
			knob->name);
	return 0;
}

static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct place place = place_of(facts, target);
	struct arena *arena;
	int r;

	(void)param;
	if (!place.vector)
		return err_set(err, -EOPNOTSUPP, "%s: no such vector",
			       knob->name);
	arena = arena_new();
	r = settle(knob, arena, facts, &place, asked, ret, err);
	arena_free(arena);
	return r;
}

/* The node that all of these CPUs belong to, or NULL. */
static const char *node_name(struct arena *arena, const struct facts *facts,
			     const char *list)
{
	struct cpuset cpus;

	if (cpuset_parse_list(arena, list, &cpus) < 0)
		return NULL;
	VEC_EACH(&facts->nodes, struct node, node)
		if (cpuset_is_subset(&cpus, &node->cpus))
			return arena_printf(arena, "node %" PRId64, node->id);
	return NULL;
}

static bool is_running(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->services, struct service, it)
		if (text_equal(it->name, name))
			return text_equal(it->state, "running");
	return false;
}

/* Does this plan see to it that irqbalance lets go? */
static bool will_let_go(const struct facts *facts)
{
	VEC_EACH(&facts->observed, struct observation, it)
		if (strcmp(it->knob, "irqbalance") == 0)
			return it->value.type == VALUE_TEXT &&
			       strcmp(it->value.u.text, "on") != 0;
	return false;
}

/* What irqbalance does with a vector that it may move; NULL: nothing. */
static const char *balanced_by(const struct facts *facts)
{
	if (!is_running(facts, "irqbalance") ||
	    irqbalance_bans_nvme(facts->irqbalance.running))
		return NULL;
	return will_let_go(facts) ?
		       "irqbalance runs and may move it again until it is restarted" :
		       "irqbalance runs and may move it again, unless irqbalance = ban-nvme";
}

static void add_note(struct strbuf *out, const char *text)
{
	strbuf_printf(out, "%s%s", out->len ? "; " : "", text);
}

static const char *note(const struct knob *knob, struct arena *arena,
			const struct facts *facts, const struct target *target,
			const struct value *want)
{
	const struct place place = place_of(facts, target);
	const char *now, *from, *to, *balanced;
	struct strbuf out;

	(void)knob;
	if (!place.vector)
		return NULL;
	strbuf_init(&out, arena);
	now = cpuset_text(arena, &place.vector->mask);
	from = node_name(arena, facts, now);
	to = node_name(arena, facts, want->u.text);
	if (from && to && strcmp(from, to) != 0)
		strbuf_printf(&out, "from %s to %s", from, to);
	balanced = balanced_by(facts);
	if (balanced)
		add_note(&out, balanced);
	/* "do_IRQ: ... No irq handler for vector", then time-outs. */
	if (text_equal(facts->hypervisor, "microsoft") &&
	    strcmp(now, want->u.text) != 0)
		add_note(
			&out,
			"warning: under Hyper-V kernels of before 5 lost interrupts of vectors that were moved");
	return out.len ? out.text : NULL;
}

/*
 * A new vector gets the online CPUs of the node that the first CPU is on
 * (kernel/irq/manage.c, irq_setup_affinity()), unless irqaffinity= was given.
 */
static bool returns(const struct facts *facts, const struct target *target,
		    const struct value *want)
{
	struct arena *arena = arena_new();
	struct cpuset wanted_cpus, given;
	bool same = false;

	(void)target;
	VEC_EACH(&facts->nodes, struct node, node) {
		given = cpuset_and(arena, &node->cpus, &facts->online);
		if (cpuset_has(&node->cpus, 0))
			same = cpuset_parse_list(arena, want->u.text,
						 &wanted_cpus) == 0 &&
			       cpuset_equal(&wanted_cpus, &given);
	}
	if (facts->cmdline && strstr(facts->cmdline, "irqaffinity="))
		same = false;
	arena_free(arena);
	return same;
}

/* Reads interrupt on it too where it is a queue's, or the only one. */
static enum evidence evidence_of(const struct facts *facts,
				 const struct target *target)
{
	const struct place place = place_of(facts, target);

	if (!place.vector)
		return EVIDENCE_NONE;
	return num_or(place.vector->queue, 0) > 0 ||
			       place.ctrl->vectors.n == 1 ?
		       EVIDENCE_LOAD :
		       EVIDENCE_NONE;
}

/* The kernel takes one CPU of the list: where it was may be on the new one. */
static struct interrupt_shift interrupts(struct arena *arena,
					 const struct value *before,
					 const struct value *after)
{
	struct interrupt_shift shift = { .change = INTERRUPTS_ANY };
	struct cpuset from, to;

	if (cpuset_parse_list(arena, before->u.text, &from) < 0 ||
	    cpuset_parse_list(arena, after->u.text, &to) < 0 ||
	    cpuset_is_subset(&from, &to))
		return shift;
	shift.change = INTERRUPTS_ELSEWHERE;
	shift.cpus = to;
	return shift;
}

const struct knob knob_irq_affinity = {
	.name = "irq.affinity",
	.scope = SCOPE_VECTOR,
	.type = VALUE_TEXT,
	.attr = "smp_affinity_list",
	.choices = choices,
	.kept = KEPT_BY_HELPER,
	.unkept = "a boot or a reset of the controller makes new vectors",
	.evidence = EVIDENCE_NONE,
	.evidence_of = evidence_of,
	.interrupts = interrupts,
	.doc = {
		.summary = "CPUs that serve the interrupts that can be moved",
		.effect =
			"Admin commands are completed near the drive, and reads, too, where the drive has a single vector; otherwise the kernel places the vectors of its queues itself.",
		.cost = "None that can be measured where reads and writes interrupt on other vectors.",
		.source = "Documentation/core-api/irq/irq-affinity.rst; kernel/irq/affinity.c",
	},
	.resolve = resolve,
	.recall = recall,
	.settled = settled,
	.returns = returns,
	.absent = absent,
	.note = note,
};
