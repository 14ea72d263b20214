/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/drives.h"
#include "cmd/table.h"
#include "core/facts.h"

/*
 * The rows of "nvmetune status" and what their columns say.
 */

/* A disk with the controller behind it; a head of native multipath, with a
 * row for each of its paths behind it; a controller without any disk. */
struct status_row {
	const struct facts *facts;
	const struct ctrl *ctrl; /* NULL: a head, or nobody knows */
	const struct ns *ns;	 /* NULL: a controller without disks */
};

struct status_rows {
	VEC(struct status_row) rows;
};

void status_rows(const struct facts *facts, const struct drives *drives,
		 struct arena *arena, struct status_rows *ret);

enum status_group {
	STATUS_DRIVE = 1, /* what it is and how it is */
	STATUS_PATH,	  /* how the kernel drives it, and for whom */
	STATUS_LIMITS,	  /* --wide */
};

extern const struct column status_columns[];

/* One row a NUMA node. */
struct status_node {
	const struct facts *facts;
	const struct node *node;
	const struct drives *drives;
};

struct status_nodes {
	VEC(struct status_node) rows;
};

void status_nodes(const struct facts *facts, const struct drives *drives,
		  struct arena *arena, struct status_nodes *ret);

extern const struct column status_node_columns[];

/* What uses a disk and its partitions: "/data", "swap", "md0 at /u01". */
struct users {
	VEC(const char *) names;
};

void status_users(const struct ns *ns, struct arena *arena, struct users *ret);
