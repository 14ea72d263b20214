/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/cpuset.h"

/*
 * Where to run and where to keep memory so that a drive is near.
 *
 * Decided here from facts; sys/numa.c carries it out, and the same decision
 * is printed as a command line.  An unknown node is refused, never taken for
 * node 0.
 */

struct arena;
struct ctrl;
struct err;
struct facts;
struct ns;
struct strbuf;

#define BINDING_NO_NODE (-1)

struct binding {
	int64_t node;	    /* whose CPUs these are */
	struct cpuset cpus; /* of the node: online, allowed, not isolated;
			     * empty: whatever the node has where it runs */
	/* BINDING_NO_NODE: leave memory as it is, or take it from nodes. */
	int64_t memory_node;
	/* Only from binding_of_nodes(), for several nodes: memory of these. */
	struct cpuset memory_nodes;
	/*
	 * The node has no memory of its own (or nobody knows): take the
	 * nearest that has, and let the kernel go elsewhere when it is full.
	 */
	bool memory_preferred;
};

/*
 * 0, or a negative errno with the reason in words: -ENODATA (the node is
 * unknown), -ENODEV (no such node), -ENOENT (no usable CPU in it), -EXDEV
 * (paths on several nodes).
 */
int binding_of_node(struct arena *arena, const struct facts *facts,
		    int64_t node, struct binding *ret, struct err *err);
/*
 * The CPUs of all of these nodes that have any, and their memory: each without
 * its own gives that of the nearest.  A single one is binding_of_node().
 */
int binding_of_nodes(struct arena *arena, const struct facts *facts,
		     const struct cpuset *nodes, struct binding *ret,
		     struct err *err);
/* The node by its number, for a host that nobody has seen: its CPUs are found
 * out there. */
struct binding binding_of_number(int64_t node);
int binding_of_ctrl(struct arena *arena, const struct facts *facts,
		    const struct ctrl *ctrl, struct binding *ret,
		    struct err *err);

/* A head of native multipath is near only when all its paths agree. */
int binding_of_ns(struct arena *arena, const struct facts *facts,
		  const struct ns *ns, struct binding *ret, struct err *err);

/* "numactl --physcpubind=0-7,16-23 --membind=0" and nothing after it. */
char *binding_numactl_text(struct arena *arena, const struct binding *binding);

/* The same of the CPUs alone, where memory policies are refused. */
char *binding_numactl_cpus_text(struct arena *arena,
				const struct binding *binding);

/* "CPUs 0-7,16-23, memory of node 0 preferred": for the eye, below 128
 * bytes. */
char *binding_text(struct arena *arena, const struct binding *binding);
