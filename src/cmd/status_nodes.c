/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/parse.h"
#include "cmd/status_rows.h"
#include "core/binding.h"

/* More are counted, not named. */
#define MAX_DRIVES 4U

struct near {
	VEC(const struct ns *) disks;
};

static const struct status_node *row_of(const void *row)
{
	return row;
}

/* Disks of one node; of a head whose paths lead to several, the paths. */
static bool belongs(const struct facts *facts, struct arena *arena,
		    const struct ns *ns)
{
	struct binding binding;
	const struct ns *head = ns;

	if (ns->kind == NS_PLAIN)
		return true;
	if (ns->kind == NS_PATH)
		head = ns->head ? facts_ns(facts, ns->head) : NULL;
	if (!head)
		return true;
	return (binding_of_ns(arena, facts, head, &binding, NULL) == -EXDEV) ==
	       (ns->kind == NS_PATH);
}

static void find_near(const struct status_node *row, struct arena *arena,
		      struct near *ret)
{
	VEC_EACH(&row->facts->namespaces, const struct ns, ns) {
		const struct ctrl *ctrl = facts_ns_ctrl(row->facts, ns);

		if (ctrl && num_or(ctrl->node, -1) == row->node->id &&
		    drives_have_ns(row->drives, row->facts, ns) &&
		    belongs(row->facts, arena, ns))
			*vec_add(arena, &ret->disks) = ns;
	}
}

static void get_id(const void *row, struct cell *cell)
{
	cell_num(cell, num_known(row_of(row)->node->id));
}

static void get_cpus(const void *row, struct cell *cell)
{
	const struct cpuset *cpus = &row_of(row)->node->cpus;

	cell_text(cell, "");
	if (cpuset_is_empty(cpus)) {
		cell_text(cell, "none");
		cell->data = "";
	} else {
		cpuset_to_text(cpus, &cell->text);
	}
}

static void get_memory(const void *row, struct cell *cell)
{
	struct num kb = row_of(row)->node->memory_kb;
	long long tenths = (long long)(num_or(kb, 0) * 10 / (1 << 20));

	if (num_or(kb, 1) == 0)
		cell_num_as(cell, kb, "none");
	else if (tenths < 100)
		cell_num_as(cell, kb, "%lld.%lld GiB", tenths / 10,
			    tenths % 10);
	else
		cell_num_as(cell, kb, "%lld GiB", tenths / 10);
}

static void get_drives(const void *data, struct cell *cell)
{
	const struct status_node *row = row_of(data);
	struct near near = { 0 };
	size_t n = 0;

	find_near(row, cell->text.arena, &near);
	if (near.disks.n == 0) {
		cell_none(cell);
		return;
	}
	VEC_EACH(&near.disks, const struct ns *, it) {
		n++;
		if (n < MAX_DRIVES || near.disks.n == MAX_DRIVES)
			cell_printf(cell, "%s%s", n > 1 ? ", " : "",
				    (*it)->name);
		else if (n == near.disks.n)
			cell_printf(cell, "%s%s (%zu)",
				    n > MAX_DRIVES ? " ... " : ", ",
				    (*it)->name, n);
	}
}

static void get_run(const void *data, struct cell *cell)
{
	const struct status_node *row = row_of(data);
	struct near near = { 0 };
	struct binding binding;

	find_near(row, cell->text.arena, &near);
	if (near.disks.n == 0 || near.disks.items[0]->kind == NS_PATH ||
	    binding_of_ns(cell->text.arena, row->facts, near.disks.items[0],
			  &binding, NULL) < 0)
		cell_none(cell);
	else
		cell_printf(cell, "nvmetune run %s -- COMMAND",
			    near.disks.items[0]->name);
}

const struct column status_node_columns[] = {
	{ "node", "NODE", get_id, COLUMN_KEY | COLUMN_RIGHT, 0 },
	{ "cpus", "CPUS", get_cpus, 0, 0 },
	{ "memory_kb", "MEMORY", get_memory, COLUMN_RIGHT, 0 },
	{ "drives", "DRIVES", get_drives, COLUMN_NOT_JSON, 0 },
	{ "run", "TO RUN NEAR THEM", get_run, COLUMN_NOT_JSON | COLUMN_SPARSE,
	  0 },
	{ NULL, NULL, NULL, 0, 0 },
};

void status_nodes(const struct facts *facts, const struct drives *drives,
		  struct arena *arena, struct status_nodes *ret)
{
	VEC_EACH(&facts->nodes, const struct node, node) {
		*vec_add(arena, &ret->rows) = (struct status_node){
			.facts = facts,
			.node = node,
			.drives = drives,
		};
	}
}
