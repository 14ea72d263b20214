/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The part of a plan that speaks of services and wrappers: from what a profile
 * names down to drives, from their nodes to CPUs and memory, and from these to
 * the lines of a file.  A service is never restarted: it is told of.
 */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "core/planner.h"
#include "core/runner.h"
#include "core/stack.h"

/* One runner on its way into the plan. */
struct placing {
	struct planner *planner;
	const struct runner *runner;
	struct runner_intent intent;
	struct err err;
};

static bool is_service(const struct runner *runner)
{
	return runner->kind == SECTION_SERVICE;
}

static const struct bound_unit *find_unit(const struct facts *facts,
					  const char *name)
{
	VEC_EACH(&facts->units, const struct bound_unit, it)
		if (text_equal(it->name, name))
			return it;
	return NULL;
}

static const struct own_file *file_at(const struct facts *facts,
				      const char *path)
{
	VEC_EACH(&facts->own_files, const struct own_file, it)
		if (text_equal(it->path, path))
			return it;
	return NULL;
}

static const char *content_of(const struct facts *facts, const char *path)
{
	const struct own_file *file = file_at(facts, path);

	return file ? file->content : NULL;
}

/* The command that would be hidden, or that would hide ours. */
static const char *namesake(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->commands, const char *, it)
		if (text_equal(strrchr(*it, '/') + 1, name))
			return *it;
	return NULL;
}

static void put_nodes(const struct cpuset *nodes, struct strbuf *out)
{
	strbuf_puts(out, cpuset_count(nodes) == 1 ? "node " : "nodes ");
	cpuset_to_text(nodes, out);
}

/* "0000:41:00.0": firmware numbers buses anew when a card comes or goes. */
static bool is_address(const char *drive)
{
	return strchr(drive, ':') && !strchr(drive, '/');
}

/* "/data: nvme0n1p2; node 3" */
static void tell_about(struct placing *placing, const struct stack *stack,
		       const struct cpuset *nodes)
{
	const char *drive = placing->runner->drive;
	struct strbuf out;

	strbuf_init(&out, placing->planner->arena);
	if (text_has_prefix(stack->text, drive))
		strbuf_puts(&out, stack->text);
	else
		strbuf_printf(&out, "%s: %s", drive, stack->text);
	if (!cpuset_is_empty(nodes)) {
		strbuf_puts(&out, "; ");
		put_nodes(nodes, &out);
	}
	if (is_address(drive))
		strbuf_puts(&out, "; addresses move: /dev/disk/by-id does not");
	placing->intent.about = out.text;
}

/* The nodes of what the profile names: one, or as many as it allows. */
static int nodes_of_drive(struct placing *placing, struct cpuset *ret)
{
	struct planner *planner = placing->planner;
	const struct runner *runner = placing->runner;
	struct strbuf list;
	struct stack stack;
	const char *unknown;
	int r = stack_resolve(planner->arena, planner->facts, runner->drive,
			      &stack, &placing->err);

	if (r < 0)
		return r;
	if (!stack_nodes(planner->arena, planner->facts, &stack, ret,
			 &unknown)) {
		tell_about(placing, &stack, ret);
		return err_set(
			&placing->err, -ENODATA,
			"the node of %s is not known: numa = N in the section chooses one",
			unknown);
	}
	tell_about(placing, &stack, ret);
	if (cpuset_count(ret) == 1 || runner->over_nodes)
		return 0;
	strbuf_init(&list, planner->arena);
	put_nodes(ret, &list);
	return err_set(
		&placing->err, -EXDEV,
		"its drives are on %s: nodes = union in the section takes all of them, numa = N one",
		list.text);
}

/* A number is the profile's own word, wherever the drive is. */
static int nodes_of(struct placing *placing, struct cpuset *ret)
{
	const struct runner *runner = placing->runner;

	*ret = (struct cpuset){ 0 };
	if (!runner->numa.known)
		return nodes_of_drive(placing, ret);
	if (runner->drive) {
		(void)nodes_of_drive(placing, ret);
		placing->err = (struct err){ 0 };
		*ret = (struct cpuset){ 0 };
	}
	cpuset_add(placing->planner->arena, ret,
		   (unsigned int)runner->numa.value);
	return 0;
}

/*
 * Over several nodes "prefer" needs no policy: memory comes from the node of
 * the CPU that asks, and that is one of them.
 */
static void choose_memory(enum runner_memory memory, struct binding *binding)
{
	switch (memory) {
	case MEMORY_PREFER:
		binding->memory_preferred = true;
		binding->memory_nodes = (struct cpuset){ 0 };
		break;
	case MEMORY_BIND:
		break;
	case MEMORY_KEEP:
		binding->memory_node = BINDING_NO_NODE;
		binding->memory_nodes = (struct cpuset){ 0 };
		break;
	}
}

/*
 * systemd.exec(5).  Lists of several lines add up, so that each starts with an
 * empty one: what the unit itself says of them is gone.  "preferred" takes one
 * node and no more.
 */
static const char *unit_lines(struct arena *arena,
			      const struct binding *binding)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	strbuf_puts(&out, "CPUAffinity=\nCPUAffinity=");
	if (cpuset_is_empty(&binding->cpus))
		strbuf_puts(&out, "numa"); /* those of NUMAMask */
	else
		cpuset_to_text(&binding->cpus, &out);
	strbuf_putc(&out, '\n');
	if (!cpuset_is_empty(&binding->memory_nodes)) {
		strbuf_puts(&out, "NUMAPolicy=bind\nNUMAMask=\nNUMAMask=");
		cpuset_to_text(&binding->memory_nodes, &out);
		strbuf_putc(&out, '\n');
	} else if (binding->memory_node != BINDING_NO_NODE) {
		strbuf_printf(&out, "NUMAPolicy=%s\nNUMAMask=\nNUMAMask=%lld\n",
			      binding->memory_preferred ? "preferred" : "bind",
			      (long long)binding->memory_node);
	}
	return out.text;
}

static void take_binding(struct placing *placing, const struct binding *binding)
{
	struct arena *arena = placing->planner->arena;
	struct runner_intent *intent = &placing->intent;

	intent->binding = *binding;
	choose_memory(placing->runner->memory, &intent->binding);
	intent->lines = intent->is_service ?
				unit_lines(arena, &intent->binding) :
				arena_printf(arena, "exec %s \"$@\"\n",
					     binding_numactl_text(
						     arena, &intent->binding));
}

/* content may be NULL: there is no such file. */
static bool is_ours_with(const char *content, const char *lines)
{
	return content && owner_is_us(content) && strstr(content, lines);
}

/*
 * A file that came with an image names the node, and leaves it to the host
 * which CPUs that has: it says what this profile wants, too.
 */
static bool is_from_image(struct placing *placing)
{
	const char *content =
		content_of(placing->planner->facts, placing->intent.path);
	struct binding binding;

	if (!placing->runner->numa.known || !owner_is_us(content))
		return false;
	binding = binding_of_number(placing->runner->numa.value);
	take_binding(placing, &binding);
	return is_ours_with(content, placing->intent.lines);
}

static int place_in_image(struct placing *placing)
{
	const struct runner *runner = placing->runner;
	struct binding binding;

	if (!runner->numa.known)
		return err_set(
			&placing->err, -EOPNOTSUPP,
			"an image has no drive whose node could be known: numa = N in the section chooses one, or apply the profile on the host");
	if (is_service(runner) && runner->memory == MEMORY_KEEP)
		return err_set(
			&placing->err, -EOPNOTSUPP,
			"an image has no CPUs, and a unit names those of a node by the node of its memory: memory = keep cannot be had");
	binding = binding_of_number(runner->numa.value);
	take_binding(placing, &binding);
	return 0;
}

static int place(struct placing *placing)
{
	struct planner *planner = placing->planner;
	struct binding binding;
	struct cpuset nodes;
	int r;

	if (num_or(planner->facts->image, 0))
		return place_in_image(placing);
	r = nodes_of(placing, &nodes);
	if (r == 0)
		r = binding_of_nodes(planner->arena, planner->facts, &nodes,
				     &binding, &placing->err);
	if (r == 0 && !is_from_image(placing))
		take_binding(placing, &binding);
	return r;
}

static struct change *add_change(struct planner *planner, bool service,
				 const char *name,
				 const struct setting *setting)
{
	const char *word = service ? "service" : "wrapper";
	const char *param;
	const struct target target = {
		.kind = service ? TARGET_SERVICE : TARGET_WRAPPER,
		.name = name,
		.dir = "",
		.id = name,
	};

	return plan_add(planner,
			knob_set_find(planner->input->knobs, word, &param),
			word, &target, setting);
}

static void say_cannot(struct placing *placing, struct change *change)
{
	struct arena *arena = placing->planner->arena;
	struct runner_intent *intent = &placing->intent;
	const bool written =
		owner_is_us(content_of(placing->planner->facts, intent->path));

	change->verdict = VERDICT_CANNOT;
	change->reason = arena_strdup(arena, placing->err.text);
	/* Drives come and go: no reason to take a service off its node. */
	intent->stays = placing->err.code == -ENOENT ||
			placing->err.code == -ENODATA;
	if (intent->stays && written)
		change->reason = arena_printf(
			arena, "%s; what was written for it before stays",
			change->reason);
}

/* A boot since has started it with our file. */
static bool is_from_earlier_boot(const struct planner *planner)
{
	const struct applied *applied = planner->input->applied;

	return applied && applied->boot_id && planner->facts->boot_id &&
	       !text_equal(applied->boot_id, planner->facts->boot_id);
}

/* As systemctl takes it: a template is all of its instances. */
static const char *restart_name(struct arena *arena, const char *unit)
{
	const char *at = strstr(unit, "@.");

	if (!at)
		return unit;
	return arena_printf(arena, "%.*s*%s", (int)(at + 1 - unit), unit,
			    at + 1);
}

static void need_restart(struct planner *planner, struct change *change,
			 const char *why)
{
	change->verdict = VERDICT_LATER;
	change->needs = NEED_RESTART;
	change->restart = restart_name(planner->arena, change->target.name);
	change->reason = arena_printf(planner->arena,
				      "%s: true after a restart of it", why);
}

static void judge_service(struct planner *planner, struct change *change,
			  bool written)
{
	const struct bound_unit *unit =
		find_unit(planner->facts, change->target.name);
	const char *state = unit ? unit->state : NULL;
	const bool idle = text_equal(state, "stopped") ||
			  text_equal(state, "absent");

	change->persistence = PERSIST_UNIT;
	if (text_equal(state, "absent"))
		change->note = arena_printf(planner->arena,
					    "this host has no unit %s%s%s",
					    change->target.name,
					    change->note ? "; " : "",
					    change->note ? change->note : "");
	if (written && idle) {
		change->reason = "written, and true when it starts";
	} else if (written && unit && num_or(unit->restarted, 0)) {
		change->reason = "as the profile wants it";
	} else if (written && is_from_earlier_boot(planner)) {
		change->reason = "as the profile wants it since the last boot";
	} else if (written) {
		need_restart(planner, change, "already written");
		change->pending = true;
	} else if (idle) {
		change->verdict = VERDICT_LATER;
		change->reason = "systemd reads it when it starts the service";
	} else {
		need_restart(planner, change,
			     "systemd reads it when it starts the service");
	}
}

/* In a saved host nobody may have looked for the script. */
static void judge_wrapper(struct change *change, bool written, bool looked)
{
	change->persistence = PERSIST_SCRIPT;
	change->verdict = written ? VERDICT_KEEP :
			  looked  ? VERDICT_CHANGE :
				    VERDICT_LATER;
	change->reason = written ? "as the profile wants it" :
				   "true for what is started with it";
}

/* Nothing runs there that would have to be started again. */
static void judge_in_image(struct change *change, bool written)
{
	change->verdict = written ? VERDICT_KEEP : VERDICT_LATER;
	change->reason = written ? "as the profile wants it" :
				   "true when the image boots";
	change->needs = 0;
	change->restart = NULL;
	change->pending = false;
}

/*
 * Another drop-in has the last word: a line that ours has too is none of it,
 * and an empty one takes back what is before it.
 */
static void judge_rival(struct placing *placing, struct change *change)
{
	struct arena *arena = placing->planner->arena;
	const struct bound_unit *unit =
		find_unit(placing->planner->facts, change->target.name);
	const struct unit_setting *rival = NULL;

	if (!unit)
		return;
	VEC_EACH(&unit->later, const struct unit_setting, it)
		if (!strstr(placing->intent.lines,
			    arena_printf(arena, "%s\n", it->text)))
			rival = it;
	if (!rival)
		return;
	change->persistence = PERSIST_CANNOT;
	change->persist_reason = arena_printf(
		arena, "%s:%lld comes after our drop-in and says %s",
		rival->file, (long long)rival->line, rival->text);
}

static void judge(struct placing *placing, struct change *change)
{
	struct planner *planner = placing->planner;
	const struct runner_intent *intent = &placing->intent;
	const struct own_file *file = file_at(planner->facts, intent->path);
	const char *content = file ? file->content : NULL;
	const bool looked = file && file->present.known;
	const bool written = is_ours_with(content, intent->lines);

	(void)value_text(binding_text(planner->arena, &intent->binding),
			 &change->want);
	if (intent->is_service) {
		judge_service(planner, change, written);
		judge_rival(placing, change);
	} else {
		judge_wrapper(change, written, looked);
	}
	if (num_or(planner->facts->image, 0))
		judge_in_image(change, written);
	if (change->verdict == VERDICT_KEEP)
		change->have = change->want;
	else if (!written && owner_is_us(content))
		(void)value_text("others", &change->have);
	else if (!written && looked)
		(void)value_text("not bound", &change->have);
}

static int check(struct placing *placing)
{
	const struct facts *facts = placing->planner->facts;
	const char *other = namesake(facts, placing->runner->name);

	if (other && !is_service(placing->runner))
		return err_set(&placing->err, -EEXIST,
			       "there is a command of this name already, %s",
			       other);
	return 0;
}

static void plan_runner(struct planner *planner, const struct runner *runner)
{
	struct arena *arena = planner->arena;
	const struct setting setting = { .text = runner->asked,
					 .file = runner->file,
					 .line = runner->line };
	struct placing placing = {
		.planner = planner,
		.runner = runner,
		.intent = { .is_service = is_service(runner),
			    .name = runner->name,
			    .file = runner->file,
			    .line = runner->line },
	};
	struct change *change =
		add_change(planner, is_service(runner), runner->name, &setting);
	int r;

	placing.intent.path = runner_path(arena, runner->kind, runner->name);
	r = check(&placing);
	if (r == 0)
		r = place(&placing);
	change->note = placing.intent.about;
	if (r < 0)
		say_cannot(&placing, change);
	else
		judge(&placing, change);
	if (r == 0 || placing.intent.stays)
		*vec_add(arena, &planner->plan->intents.runners) =
			placing.intent;
}

/* A file of ours that this profile does not ask for: it goes. */
static void plan_leftover(struct planner *planner, bool service,
			  const char *name)
{
	const struct bound_unit *unit = find_unit(planner->facts, name);
	struct change *change = add_change(planner, service, name, NULL);

	change->origin = ORIGIN_RETURN;
	(void)value_text("bound", &change->have);
	(void)value_text("as it was", &change->want);
	if (!service) {
		change->verdict = VERDICT_CHANGE;
		change->reason =
			"only the profile applied before had it: its script goes";
		return;
	}
	change->verdict = VERDICT_LATER;
	change->reason =
		"only the profile applied before had it: our drop-in goes";
	if (!unit || !unit->state || text_equal(unit->state, "running"))
		need_restart(planner, change, change->reason);
}

static bool is_wanted(const struct runner_list *list, enum section_kind kind,
		      const char *name)
{
	VEC_EACH(&list->items, const struct runner, it)
		if (it->kind == kind && !it->keep &&
		    strcmp(it->name, name) == 0)
			return true;
	return false;
}

static void plan_leftovers(struct planner *planner,
			   const struct runner_list *list)
{
	VEC_EACH(&planner->facts->own_files, const struct own_file, file) {
		enum section_kind kind;
		const char *name;

		if (owner_is_us(file->content) &&
		    runner_of_path(planner->arena, file->path, &kind, &name) &&
		    !is_wanted(list, kind, name))
			plan_leftover(planner, kind == SECTION_SERVICE, name);
	}
}

void plan_runners(struct planner *planner)
{
	struct runner_list list =
		runners_of(planner->arena, planner->input->profile);

	if (planner->input->only.n)
		return;
	VEC_EACH(&list.items, const struct runner, it)
		if (runner_is_complete(it))
			plan_runner(planner, it);
	plan_leftovers(planner, &list);
}
