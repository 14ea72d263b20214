/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/bench_result.h"
#include "core/facts.h"

/*
 * What a drive loses when it is read from another node, judged by what was
 * measured: on the drive alone, and against the drive beside it.
 */

enum cross_node_state {
	CROSS_NODE_USUAL,
	CROSS_NODE_ABNORMAL, /* below half, or half of what a sibling keeps */
	CROSS_NODE_REVERSED, /* faster than the drive's own node, in each
				slice: what is local is in doubt */
};

const char *cross_node_name(enum cross_node_state state); /* "usual" */

struct cross_node {
	const char *drive;
	int64_t local;
	int64_t remote;
	int64_t kept_ppt; /* there for 1000 on the drive's own node */
	enum cross_node_state state;
	/* A drive on the same node that keeps the most there; or NULL. */
	const char *sibling;
	int64_t sibling_ppt;
	/* Of an abnormal one: what this host and result rule out, and what
	 * they leave; each a few words. */
	VEC(const char *) ruled_out;
	VEC(const char *) possible;
};

struct cross_nodes {
	VEC(struct cross_node) items;
};

/*
 * Of each drive with a local cell the remote node where it keeps the least,
 * and each that is reversed.  Nothing of a matrix measured together.
 */
void cross_node_judge(struct arena *arena, const struct facts *facts,
		      const struct bench_matrix *matrix,
		      struct cross_nodes *ret);
