/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>

#include "base/parse.h"
#include "cmd/status_cells.h"
#include "core/link.h"

static enum tone link_tone(enum link_state state)
{
	switch (state) {
	case LINK_DOWN:
		return TONE_BAD;
	case LINK_LESS:
	case LINK_SLOT:
		return TONE_WARN;
	case LINK_FULL:
	case LINK_UNKNOWN:
		break;
	}
	return TONE_PLAIN;
}

static void put_link(struct cell *cell, struct num speed_mts, struct num width)
{
	struct strbuf sb;

	if (!speed_mts.known && !width.known)
		return;
	strbuf_init(&sb, cell->text.arena);
	link_to_text(speed_mts, width, &sb);
	cell_text(cell, sb.text);
}

void status_get_link(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (!ctrl)
		return;
	put_link(cell, ctrl->link.speed_mts, ctrl->link.width);
	cell->tone = link_tone(link_judge(&ctrl->link, &ctrl->port, NULL));
}

void status_get_link_most(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	struct link most;

	if (!ctrl)
		return;
	(void)link_judge(&ctrl->link, &ctrl->port, &most);
	put_link(cell, most.max_speed_mts, most.max_width);
}

void status_get_drive_can(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		put_link(cell, ctrl->link.max_speed_mts, ctrl->link.max_width);
}

void status_get_link_state(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	enum link_state state;

	if (!ctrl)
		return;
	state = link_judge(&ctrl->link, &ctrl->port, NULL);
	if (state != LINK_UNKNOWN)
		cell_text(cell, link_state_name(state));
}

void status_get_link_speed(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		cell_num(cell, ctrl->link.speed_mts);
}

void status_get_link_width(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		cell_num(cell, ctrl->link.width);
}

void status_get_link_max_speed(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	struct link most;

	if (!ctrl)
		return;
	(void)link_judge(&ctrl->link, &ctrl->port, &most);
	cell_num(cell, most.max_speed_mts);
}

void status_get_link_max_width(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	struct link most;

	if (!ctrl)
		return;
	(void)link_judge(&ctrl->link, &ctrl->port, &most);
	cell_num(cell, most.max_width);
}

void status_get_bandwidth(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	struct num mbs;

	if (!ctrl)
		return;
	mbs = link_bandwidth_mbs(ctrl->link.speed_mts, ctrl->link.width);
	if (num_or(mbs, 0) < 1000)
		cell_num_as(cell, mbs, "%lld MB/s", (long long)mbs.value);
	else
		cell_num_as(cell, mbs, "%lld.%02lld GB/s",
			    (long long)(mbs.value + 5) / 1000,
			    (long long)(mbs.value + 5) % 1000 / 10);
}

/* Vectors of I/O queues; the admin queue's counts only where it is shared. */
static bool serves_io(const struct ctrl *ctrl, const struct vector *vector)
{
	return ctrl->vectors.n == 1 ||
	       (vector->queue.known && vector->queue.value > 0);
}

static bool runs_on(const struct vector *vector, const struct cpuset *cpus)
{
	return cpuset_intersects(cpuset_is_empty(&vector->effective) ?
					 &vector->mask :
					 &vector->effective,
				 cpus);
}

static struct num count_vectors(const struct ctrl *ctrl,
				const struct cpuset *cpus)
{
	int64_t n = 0;

	if (ctrl->vectors.n == 0)
		return num_unknown(0);
	VEC_EACH(&ctrl->vectors, const struct vector, it)
		n += serves_io(ctrl, it) && (!cpus || runs_on(it, cpus));
	return num_known(n);
}

static struct num count_local(const struct status_row *row,
			      const struct ctrl *ctrl)
{
	const struct node *node = NULL;

	if (ctrl->node.known)
		node = facts_node(row->facts, ctrl->node.value);
	else if (row->facts->nodes.n == 1) /* near is all there is */
		node = row->facts->nodes.items;

	return node ? count_vectors(ctrl, &node->cpus) : num_unknown(0);
}

void status_get_vectors(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		cell_num(cell, count_vectors(ctrl, NULL));
}

void status_get_vectors_local(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		cell_num(cell, count_local(row, ctrl));
}

/* "0:16 1:0": vectors of I/O queues that arrive at the CPUs of each node. */
void status_get_vectors_by_node(const void *data, struct cell *cell)
{
	const struct status_row *row = data;
	const struct ctrl *ctrl = status_pcie(data, cell);
	bool any = false;

	if (!ctrl || ctrl->vectors.n == 0 || row->facts->nodes.n == 0)
		return;
	cell_text(cell, "");
	VEC_EACH(&row->facts->nodes, const struct node, node) {
		if (cpuset_is_empty(&node->cpus))
			continue;
		strbuf_printf(&cell->text, "%s%" PRId64 ":%" PRId64,
			      any ? " " : "", node->id,
			      count_vectors(ctrl, &node->cpus).value);
		any = true;
	}
}

void status_get_local_of_vectors(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	struct num all, local;

	if (!ctrl)
		return;
	all = count_vectors(ctrl, NULL);
	local = count_local(row, ctrl);
	if (all.known && local.known)
		cell_printf(cell, "%lld of %lld", (long long)local.value,
			    (long long)all.value);
}

/* The kernel makes the attribute only where it uses APST at all. */
static bool has_apst(const struct ctrl *ctrl)
{
	const struct num *limit = &ctrl->pm_qos_latency_us;

	return num_or(ctrl->apsta, -1) != 0 &&
	       (limit->known || limit->why != ENOENT);
}

void status_get_apst(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	struct num limit;
	bool refused;

	if (!ctrl)
		return;
	limit = ctrl->pm_qos_latency_us;
	if (!has_apst(ctrl)) {
		cell_none(cell);
		return;
	}
	if (!limit.known && !ctrl->apst_enabled.known)
		return;
	refused = num_or(limit, 0) > 0 && num_or(ctrl->apst_enabled, 1) == 0;
	if (num_or(limit, 1) == 0 || num_or(ctrl->apst_enabled, 1) == 0)
		cell_text(cell, "off");
	else
		cell_text(cell, "on");
	if (num_or(limit, 0) <= 0 || refused)
		return;
	if (limit.value >= INT32_MAX) /* the kernel's "any" */
		cell_printf(cell, ", no limit");
	else if (limit.value % 1000 == 0)
		cell_printf(cell, ", %lld ms", (long long)limit.value / 1000);
	else
		cell_printf(cell, ", %lld us", (long long)limit.value);
}

void status_get_pm_qos(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl && has_apst(ctrl))
		cell_num(cell, ctrl->pm_qos_latency_us);
	else if (ctrl)
		cell_none(cell);
}

struct aspm_word {
	const char *attr;
	const char *word;
	bool deeper; /* than the word before it, which it implies */
};

static const struct aspm_word aspm_words[] = {
	{ "clkpm", "clkpm", false },   { "l0s_aspm", "L0s", false },
	{ "l1_aspm", "L1", false },    { "l1_1_pcipm", "L1.1", true },
	{ "l1_1_aspm", "L1.1", true }, { "l1_2_pcipm", "L1.2", true },
	{ "l1_2_aspm", "L1.2", true },
};

static struct num aspm_value(const struct ctrl *ctrl, const char *attr)
{
	VEC_EACH(&ctrl->aspm, const struct named_num, it)
		if (text_equal(it->name, attr))
			return it->value;
	return num_known(0);
}

/* A person reads the deepest state, a program the attributes that are on. */
void status_get_aspm(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	struct strbuf shown, on;
	size_t before = 0;

	if (!ctrl)
		return;
	if (ctrl->aspm.n == 0) {
		cell_none(cell);
		return;
	}
	strbuf_init(&shown, cell->text.arena);
	strbuf_init(&on, cell->text.arena);
	for (size_t i = 0; i < sizeof(aspm_words) / sizeof(*aspm_words); i++) {
		const struct aspm_word *it = &aspm_words[i];
		struct num value = aspm_value(ctrl, it->attr);

		if (!value.known)
			return;
		if (!value.value)
			continue;
		strbuf_printf(&on, "%s%s", on.len ? " " : "", it->attr);
		if (it->deeper) {
			shown.len = before;
			shown.text[before] = '\0';
		}
		before = shown.len;
		strbuf_printf(&shown, "%s%s", shown.len ? "," : "", it->word);
	}
	cell_text(cell, shown.len ? shown.text : "off");
	cell->data = on.len ? on.text : "off";
}

/* THR is 0's based, TIME counts in 100 us; either 0 is off (NVMe Base 2.0,
 * 5.27.1.6). */
static bool is_coalescing(int64_t value)
{
	return (value & 0xff) != 0 && (value >> 8 & 0xff) != 0;
}

static int64_t coalescing_completions(int64_t value)
{
	return (value & 0xff) + 1;
}

static int64_t coalescing_us(int64_t value)
{
	return (value >> 8 & 0xff) * 100;
}

void status_get_coalescing(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);
	int64_t value;

	if (!ctrl || !ctrl->coalescing.known)
		return;
	value = ctrl->coalescing.value;
	if (is_coalescing(value))
		cell_printf(cell, "%lld/%lld us",
			    (long long)coalescing_completions(value),
			    (long long)coalescing_us(value));
	else
		cell_text(cell, "off");
}

/* For programs: left out where it is off. */
static void put_coalescing(const void *row, struct cell *cell,
			   int64_t (*part)(int64_t value))
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (!ctrl || !ctrl->coalescing.known)
		return;
	if (is_coalescing(ctrl->coalescing.value))
		cell_num(cell, num_known(part(ctrl->coalescing.value)));
	else
		cell_none(cell);
}

void status_get_coalescing_completions(const void *row, struct cell *cell)
{
	put_coalescing(row, cell, coalescing_completions);
}

void status_get_coalescing_us(const void *row, struct cell *cell)
{
	put_coalescing(row, cell, coalescing_us);
}
