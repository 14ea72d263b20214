/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/runner_place.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "core/stack.h"

const struct own_file *runner_file(const struct facts *facts, const char *path)
{
	VEC_EACH(&facts->own_files, const struct own_file, it)
		if (text_equal(it->path, path))
			return it;
	return NULL;
}

const char *runner_content(const struct facts *facts, const char *path)
{
	const struct own_file *file = runner_file(facts, path);

	return file ? file->content : NULL;
}

bool runner_is_written(const char *content, const char *lines)
{
	return content && owner_is_us(content) && strstr(content, lines);
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
static void tell_about(struct runner_placing *placing,
		       const struct stack *stack, const struct cpuset *nodes)
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
static int nodes_of_drive(struct runner_placing *placing, struct cpuset *ret)
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
static int nodes_of(struct runner_placing *placing, struct cpuset *ret)
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

static void take_binding(struct runner_placing *placing,
			 const struct binding *binding)
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

/*
 * A file that came with an image names the node, and leaves it to the host
 * which CPUs that has: it says what this profile wants, too.
 */
static bool is_from_image(struct runner_placing *placing)
{
	const char *content =
		runner_content(placing->planner->facts, placing->intent.path);
	struct binding binding;

	if (!placing->runner->numa.known || !owner_is_us(content))
		return false;
	binding = binding_of_number(placing->runner->numa.value);
	take_binding(placing, &binding);
	return runner_is_written(content, placing->intent.lines);
}

static int place_in_image(struct runner_placing *placing)
{
	const struct runner *runner = placing->runner;
	struct binding binding;

	if (!runner->numa.known)
		return err_set(
			&placing->err, -EOPNOTSUPP,
			"an image has no drive whose node could be known: numa = N in the section chooses one, or apply the profile on the host");
	if (runner->kind == SECTION_SERVICE && runner->memory == MEMORY_KEEP)
		return err_set(
			&placing->err, -EOPNOTSUPP,
			"an image has no CPUs, and a unit names those of a node by the node of its memory: memory = keep cannot be had");
	binding = binding_of_number(runner->numa.value);
	take_binding(placing, &binding);
	return 0;
}

int runner_place(struct runner_placing *placing)
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
