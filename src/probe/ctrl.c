/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Controllers and subsystems as sysfs has them. */

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/parse.h"
#include "probe/scan.h"

#define CLASS "sys/class/nvme"
#define SUBSYSTEMS "sys/class/nvme-subsystem"

bool scan_is_numbered(const char *name, const char *prefix)
{
	uint64_t number;

	return text_has_prefix(name, prefix) &&
	       parse_u64(name + strlen(prefix), &number) == 0;
}

/* -1 is "nobody knows", which is never node 0. */
static struct num node_number(struct scan *scan, const char *name)
{
	struct num num = scan_num(scan, CLASS "/%s/device/numa_node", name);

	if (!num.known && num.why == ENOENT)
		num = scan_num(scan, CLASS "/%s/numa_node", name);
	if (num.known && num.value < 0)
		return num_unknown(ENODATA);
	return num;
}

/* pm_qos_latency_tolerance_us_show(): a number, "auto" for -1 (no request)
 * or "any" for INT_MAX (no limit). */
static struct num latency_tolerance(struct scan *scan, const char *name)
{
	const char *path = arena_printf(scan->arena,
					CLASS
					"/%s/power/pm_qos_latency_tolerance_us",
					name);
	int why = 0;
	const char *text = sysroot_text(scan->root, scan->arena, path, &why);
	int64_t value;

	if (!text)
		return num_unknown(why);
	if (strcmp(text, "auto") == 0)
		return num_known(-1);
	if (strcmp(text, "any") == 0)
		return num_known(INT_MAX);
	if (parse_i64(text, &value) < 0)
		return num_unknown(EBADMSG);
	return num_known(value);
}

/* The number at the end of line, which is cut off there. */
static bool take_last_number(char *line, int64_t *ret)
{
	char *space;

	line = text_trim(line);
	space = strrchr(line, ' ');
	if (!space || parse_i64(space + 1, ret) < 0)
		return false;
	*space = '\0';
	return true;
}

/*
 * mm/dmapool.c, pools_show(): "NAME USED EVER SIZE PAGES" a line, columns
 * filled with spaces and names with spaces inside.
 */
static void scan_pools(struct scan *scan, struct ctrl *ctrl)
{
	char *text = scan_text(scan, CLASS "/%s/device/pools", ctrl->name);
	char *line;
	int64_t pages, size, ever, used;

	while (text && (line = strsep(&text, "\n"))) {
		struct dma_pool *pool;

		if (!take_last_number(line, &pages) ||
		    !take_last_number(line, &size) ||
		    !take_last_number(line, &ever) ||
		    !take_last_number(line, &used))
			continue;
		pool = vec_add(scan->arena, &ctrl->pools);
		pool->name = text_trim(line);
		pool->blocks_used = used;
		pool->blocks_ever = ever;
	}
}

static void scan_ctrl(struct scan *scan, struct ctrl *ctrl)
{
	const char *name = ctrl->name;

	ctrl->state = scan_text(scan, CLASS "/%s/state", name);
	ctrl->transport = scan_text(scan, CLASS "/%s/transport", name);
	ctrl->dev = scan_text(scan, CLASS "/%s/dev", name);
	ctrl->model = scan_text(scan, CLASS "/%s/model", name);
	ctrl->serial = scan_text(scan, CLASS "/%s/serial", name);
	ctrl->firmware = scan_text(scan, CLASS "/%s/firmware_rev", name);
	ctrl->nqn = scan_text(scan, CLASS "/%s/subsysnqn", name);
	ctrl->cntlid = scan_num(scan, CLASS "/%s/cntlid", name);
	ctrl->node = node_number(scan, name);
	ctrl->queue_count = scan_num(scan, CLASS "/%s/queue_count", name);
	ctrl->sqsize = scan_num(scan, CLASS "/%s/sqsize", name);
	ctrl->quirks = scan_text(scan, CLASS "/%s/quirks", name); /* 7.0 */
	ctrl->pm_qos_latency_us = latency_tolerance(scan, name);
	if (scan_is_pcie(ctrl))
		scan_pools(scan, ctrl);
}

/* A controller of which nothing could be read and whose folder has gone. */
static bool has_vanished(struct scan *scan, const struct ctrl *ctrl)
{
	return !ctrl->state && !ctrl->transport && !ctrl->model &&
	       !sysroot_exists(scan->root,
			       arena_printf(scan->arena, CLASS "/%s",
					    ctrl->name));
}

static struct ctrl *find_ctrl(struct facts *facts, const char *name)
{
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
		if (strcmp(ctrl->name, name) == 0)
			return ctrl;
	return NULL;
}

/* A subsystem has a link for each of its controllers; a controller has none
 * to its subsystem. */
static void scan_members(struct scan *scan, const char *name)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena,
			   arena_printf(scan->arena, SUBSYSTEMS "/%s", name),
			   &list);
	VEC_EACH(&list.names, char *, member) {
		struct ctrl *ctrl = scan_is_numbered(*member, "nvme") ?
					    find_ctrl(scan->facts, *member) :
					    NULL;

		if (ctrl)
			ctrl->subsystem = name;
	}
}

static void scan_subsystems(struct scan *scan)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, SUBSYSTEMS, &list);
	VEC_EACH(&list.names, char *, name) {
		struct subsystem *subsystem =
			vec_add(scan->arena, &scan->facts->subsystems);

		subsystem->name = *name;
		subsystem->nqn =
			scan_text(scan, SUBSYSTEMS "/%s/subsysnqn", *name);
		subsystem->type = /* 5.17 */
			scan_text(scan, SUBSYSTEMS "/%s/subsystype", *name);
		subsystem->iopolicy =
			scan_text(scan, SUBSYSTEMS "/%s/iopolicy", *name);
		scan_members(scan, *name);
	}
}

void ctrl_scan_one(struct scan *scan, const char *name)
{
	struct ctrl *ctrl = vec_add(scan->arena, &scan->facts->ctrls);

	ctrl->name = name;
	scan_ctrl(scan, ctrl);
	if (has_vanished(scan, ctrl)) {
		*ctrl = (struct ctrl){ 0 };
		scan->facts->ctrls.n--;
	}
}

void ctrl_scan(struct scan *scan)
{
	struct names list = { { 0 } };
	int r = sysroot_list(scan->root, scan->arena, CLASS, &list);

	/* ENOENT: no NVMe driver is loaded, and that is no error. */
	if (r < 0 && r != -ENOENT)
		scan_blind(scan, "controllers could not be listed: %s",
			   strerror(-r));
	VEC_EACH(&list.names, char *, name)
		if (scan_is_numbered(*name, "nvme"))
			ctrl_scan_one(scan, *name);
	scan_subsystems(scan);
}
