/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cmd/status_cells.h"
#include "core/binding.h"
#include "core/health.h"

/* In a table; JSON has them all. */
#define MAX_USERS 3U

static const struct status_row *row_of(const void *row)
{
	return row;
}

static bool is_head(const struct status_row *row)
{
	return row->ns && row->ns->kind == NS_HEAD;
}

static bool is_path(const struct status_row *row)
{
	return row->ns && row->ns->kind == NS_PATH;
}

/*
 * The controller of a row whose column is about controllers, or NULL.  A head
 * has several: such a column does not apply to it, and the cell says so.
 */
static const struct ctrl *ctrl_of(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = row_of(row)->ctrl;

	if (is_head(row_of(row)))
		cell_none(cell);
	return ctrl;
}

const struct ctrl *status_pcie(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl && ctrl->transport && strcmp(ctrl->transport, "pcie") != 0) {
		cell_none(cell);
		return NULL;
	}
	return ctrl;
}

static void get_name(const void *data, struct cell *cell)
{
	const struct status_row *row = row_of(data);
	const char *name = row->ns ? row->ns->name : row->ctrl->name;

	cell->tone = TONE_STRONG;
	if (is_path(row)) {
		cell_text(cell, "  ");
		cell->tone = TONE_PLAIN;
		cell->data = name;
	}
	cell_text(cell, name);
}

static void get_kind(const void *data, struct cell *cell)
{
	const struct status_row *row = row_of(data);

	cell_text(cell, is_head(row) ? "head" :
			is_path(row) ? "path" :
			row->ns	     ? "disk" :
				       "controller");
}

static void get_ctrl(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_text(cell, ctrl->name);
}

/* A head is told by any of its paths: they lead to the same drive. */
static const struct ctrl *any_ctrl(const struct status_row *row)
{
	return is_head(row) ? facts_ns_ctrl(row->facts, row->ns) : row->ctrl;
}

static void get_model(const void *data, struct cell *cell)
{
	const struct status_row *row = row_of(data);
	const struct ctrl *ctrl = any_ctrl(row);

	if (ctrl && is_path(row)) {
		cell_none(cell);
		strbuf_printf(&cell->text, "path by %s", ctrl->name);
		cell->tone = TONE_FAINT;
	} else if (ctrl) {
		cell_text(cell, ctrl->model);
	}
}

static void get_firmware(const void *data, struct cell *cell)
{
	const struct ctrl *ctrl = any_ctrl(row_of(data));

	if (is_path(row_of(data)))
		cell_none(cell);
	else if (ctrl)
		cell_text(cell, ctrl->firmware);
}

static void get_serial(const void *data, struct cell *cell)
{
	const struct ctrl *ctrl = any_ctrl(row_of(data));

	if (ctrl)
		cell_text(cell, ctrl->serial);
}

static void get_size(const void *data, struct cell *cell)
{
	const struct ns *ns = row_of(data)->ns;
	struct strbuf sb;

	if (!ns || ns->kind == NS_PATH) {
		cell_none(cell);
		return;
	}
	strbuf_init(&sb, cell->text.arena);
	size_to_text((uint64_t)num_or(ns->size_bytes, 0), &sb);
	cell_num_as(cell, ns->size_bytes, "%s", sb.text);
}

static void get_transport(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_text(cell, ctrl->transport);
}

static void get_address(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		cell_text(cell, ctrl->address);
}

static void get_node(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		cell_num(cell, ctrl->node);
}

static void get_temperature(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_num_as(cell, ctrl->smart.temperature_c, "%lld C",
			    (long long)ctrl->smart.temperature_c.value);
}

static void get_state(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_text(cell, ctrl->state);
}

static void get_warning(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_num(cell, ctrl->smart.critical_warning);
}

/* A controller that is not live has no health worth a word. */
static void get_health(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);
	const struct num *warning;

	if (!ctrl)
		return;
	warning = &ctrl->smart.critical_warning;
	if (ctrl->state && strcmp(ctrl->state, "live") != 0) {
		cell_text(cell, ctrl->state);
		cell->tone = TONE_BAD;
	} else if (warning->known) {
		cell->kind = CELL_TEXT;
		health_to_text(warning->value, &cell->text);
		cell->tone = warning->value ? TONE_BAD : TONE_GOOD;
	}
}

static void get_used(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_num_as(cell, ctrl->smart.used_percent, "%lld %%",
			    (long long)ctrl->smart.used_percent.value);
}

/* What a knob reads on the request queue of this row. */
static const struct observation *observed(const void *data, struct cell *cell,
					  const char *knob)
{
	const struct status_row *row = row_of(data);
	struct target target = { .kind = TARGET_QUEUE };

	if (!row->ns || is_head(row)) {
		cell_none(cell);
		return NULL;
	}
	target.name = row->ns->name;
	return facts_observed(row->facts, knob, &target);
}

static void get_scheduler(const void *row, struct cell *cell)
{
	const struct observation *it = observed(row, cell, "queue.scheduler");

	if (it && it->value.type == VALUE_TEXT)
		cell_text(cell, it->value.u.text);
}

static void get_nr_requests(const void *row, struct cell *cell)
{
	const struct observation *it = observed(row, cell, "queue.nr_requests");

	if (it && it->value.type == VALUE_UINT)
		cell_num(cell, num_known((int64_t)it->value.u.number));
}

static void get_queues(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl && ctrl->queues_default.known && ctrl->queues_read.known &&
	    ctrl->queues_poll.known)
		cell_printf(cell, "%lld/%lld/%lld",
			    (long long)ctrl->queues_default.value,
			    (long long)ctrl->queues_read.value,
			    (long long)ctrl->queues_poll.value);
}

static void get_queues_default(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_num(cell, ctrl->queues_default);
}

static void get_queues_read(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_num(cell, ctrl->queues_read);
}

static void get_queues_poll(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl)
		cell_num(cell, ctrl->queues_poll);
}

static void get_users(const void *data, struct cell *cell)
{
	const struct status_row *row = row_of(data);
	struct users users = { 0 };
	size_t n = 0;

	if (!row->ns || is_path(row)) {
		cell_none(cell);
		return;
	}
	status_users(row->ns, cell->text.arena, &users);
	VEC_EACH(&users.names, const char *, it) {
		if (n++ < MAX_USERS)
			cell_printf(cell, "%s%s", n > 1 ? ", " : "", *it);
	}
	if (n > MAX_USERS)
		cell_printf(cell, " and %zu more", n - MAX_USERS);
	if (n == 0)
		cell_none(cell);
}

static void get_driver(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = status_pcie(row, cell);

	if (ctrl)
		cell_text(cell, ctrl->driver);
}

static void get_largest(const void *data, struct cell *cell)
{
	const struct ns *ns = row_of(data)->ns;

	if (!ns || is_head(row_of(data)))
		cell_none(cell);
	else
		cell_num_as(cell, ns->max_hw_sectors_kb, "%lld KiB",
			    (long long)ns->max_hw_sectors_kb.value);
}

/* SGLS, bits 1:0 (NVMe Base 2.0, figure 275). */
static void get_sgl(const void *row, struct cell *cell)
{
	static const char *const words[] = { "no", "byte aligned",
					     "dword aligned", "reserved" };
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (ctrl && ctrl->sgls.known)
		cell_text(cell, words[ctrl->sgls.value & 3]);
}

static void get_maxcmd(const void *row, struct cell *cell)
{
	const struct ctrl *ctrl = ctrl_of(row, cell);

	if (!ctrl || !ctrl->maxcmd.known)
		return;
	if (ctrl->maxcmd.value == 0)
		cell_num_as(cell, ctrl->maxcmd, "not told");
	else
		cell_num(cell, ctrl->maxcmd);
}

static void get_run(const void *data, struct cell *cell)
{
	const struct status_row *row = row_of(data);
	struct arena *arena = cell->text.arena;
	struct binding binding;

	if (!row->ns || is_path(row) ||
	    binding_of_ns(arena, row->facts, row->ns, &binding, NULL) < 0)
		cell_none(cell);
	else
		cell_printf(cell, "nvmetune run %s -- COMMAND", row->ns->name);
}

static void get_numactl(const void *data, struct cell *cell)
{
	const struct status_row *row = row_of(data);
	struct arena *arena = cell->text.arena;
	struct binding binding;

	if (!row->ns || is_path(row) ||
	    binding_of_ns(arena, row->facts, row->ns, &binding, NULL) < 0)
		cell_none(cell);
	else
		cell_text(cell, binding_numactl_text(arena, &binding));
}

/* clang-format off */
const struct column status_columns[] = {
	{ "name", "DRIVE", get_name, COLUMN_KEY, 0 },
	{ "kind", NULL, get_kind, COLUMN_DATA | COLUMN_OWN, 0 },
	{ "ctrl", NULL, get_ctrl, COLUMN_DATA | COLUMN_OWN, 0 },

	{ "model", "MODEL", get_model, 0, STATUS_DRIVE },
	{ "firmware", "FIRMWARE", get_firmware, 0, STATUS_DRIVE },
	{ "size_bytes", "SIZE", get_size, COLUMN_RIGHT, STATUS_DRIVE },
	{ "node", "NODE", get_node, COLUMN_RIGHT, STATUS_DRIVE },
	{ "link", "LINK NOW", status_get_link, COLUMN_NOT_JSON, STATUS_DRIVE },
	{ "link_at_most", "AT MOST", status_get_link_most, COLUMN_NOT_JSON,
	  STATUS_DRIVE },
	{ "link_state", NULL, status_get_link_state, COLUMN_DATA, 0 },
	{ "link_speed_mts", NULL, status_get_link_speed, COLUMN_DATA, 0 },
	{ "link_width", NULL, status_get_link_width, COLUMN_DATA, 0 },
	{ "link_max_speed_mts", NULL, status_get_link_max_speed, COLUMN_DATA, 0 },
	{ "link_max_width", NULL, status_get_link_max_width, COLUMN_DATA, 0 },
	{ "temperature_c", "TEMP", get_temperature, COLUMN_RIGHT | COLUMN_OWN,
	  STATUS_DRIVE },
	{ "state", NULL, get_state, COLUMN_DATA, 0 },
	{ "critical_warning", NULL, get_warning, COLUMN_DATA, 0 },
	{ "health", "HEALTH", get_health, 0, STATUS_DRIVE },

	{ "scheduler", "SCHEDULER", get_scheduler, 0, STATUS_PATH },
	{ "nr_requests", "NR_REQ", get_nr_requests, COLUMN_RIGHT, STATUS_PATH },
	{ "queues", "QUEUES D/R/P", get_queues, COLUMN_NOT_JSON, STATUS_PATH },
	{ "queues_default", NULL, get_queues_default, COLUMN_DATA, 0 },
	{ "queues_read", NULL, get_queues_read, COLUMN_DATA, 0 },
	{ "queues_poll", NULL, get_queues_poll, COLUMN_DATA, 0 },
	{ "local_of_vectors", "LOCAL IRQS", status_get_local_of_vectors,
	  COLUMN_NOT_JSON, STATUS_PATH },
	{ "vectors", NULL, status_get_vectors, COLUMN_DATA, 0 },
	{ "vectors_local", NULL, status_get_vectors_local, COLUMN_DATA, 0 },
	{ "apst", "APST", status_get_apst, 0, STATUS_PATH },
	{ "pm_qos_latency_us", NULL, status_get_pm_qos, COLUMN_DATA, 0 },
	{ "aspm", "ASPM", status_get_aspm, 0, STATUS_PATH },
	{ "coalescing", "COALESCING", status_get_coalescing, 0, STATUS_PATH },
	{ "in_use_by", "IN USE BY", get_users, COLUMN_NOT_JSON | COLUMN_OWN,
	  STATUS_PATH },

	{ "serial", "SERIAL", get_serial, COLUMN_OWN, STATUS_LIMITS },
	{ "transport", NULL, get_transport, COLUMN_DATA, 0 },
	{ "address", "ADDRESS", get_address, COLUMN_OWN, STATUS_LIMITS },
	{ "driver", "DRIVER", get_driver, 0, STATUS_LIMITS },
	{ "drive_can", "DRIVE CAN", status_get_drive_can, COLUMN_NOT_JSON,
	  STATUS_LIMITS },
	{ "link_mbs", "LINK CARRIES", status_get_bandwidth, COLUMN_RIGHT,
	  STATUS_LIMITS },
	{ "largest_transfer_kb", "LARGEST I/O", get_largest, COLUMN_RIGHT,
	  STATUS_LIMITS },
	{ "sgl", "SGL", get_sgl, 0, STATUS_LIMITS },
	{ "maxcmd", "MAXCMD", get_maxcmd, COLUMN_RIGHT, STATUS_LIMITS },
	{ "used_percent", "WORN", get_used, COLUMN_RIGHT | COLUMN_OWN,
	  STATUS_LIMITS },
	{ "run", NULL, get_run, COLUMN_DATA | COLUMN_OWN, 0 },
	{ "numactl", NULL, get_numactl, COLUMN_DATA | COLUMN_OWN, 0 },
	{ "coalescing_completions", NULL, status_get_coalescing_completions,
	  COLUMN_DATA, 0 },
	{ "coalescing_us", NULL, status_get_coalescing_us, COLUMN_DATA, 0 },
	{ "vectors_by_node", NULL, status_get_vectors_by_node, COLUMN_DATA, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};
/* clang-format on */
