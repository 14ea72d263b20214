/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/*
 * One saved result against another.  Figures compare only where everything
 * but the setting that was tried is the same: the kernel, the drive by its
 * serial number, the CPUs that read, the engine and how it was driven.
 */

struct arena;
struct err;

/* A drive from a node, in both results. */
struct bench_step {
	const char *drive; /* its name in the later one */
	int64_t node;	   /* -1: unknown */
	const char *label; /* of the cell; NULL: it has none */
	uint64_t before;   /* IOPS, the median of the slices */
	uint64_t after;
	int64_t ppt; /* after for 1000 before */
	bool spread; /* both have one: more than one slice */
	bool apart;  /* the spreads of the slices do not overlap */
	/* Latencies; 0 all: not told. */
	uint64_t before_mean_ns, after_mean_ns;
	uint64_t before_p99_ns, after_p99_ns;
	/*
	 * Where one result was read through the kernel and the other by a
	 * driver in user space (both methods say which in "driver"): IOPS
	 * through the kernel for 1000 of the other's.  -1: no such pair.
	 */
	int64_t kernel_ppt;
};

struct bench_steps {
	VEC(struct bench_step) items;
};

struct saved_text {
	const char *name; /* for errors */
	const char *text;
	size_t len;
};

/*
 * The cells that both have.  -EBADMSG: one is no result; -EXDEV: they do not
 * compare, and err names the label and both its values, or that they have no
 * drive and node in common; -ERANGE: figures that cannot be true.
 */
int bench_against(struct arena *arena, const struct saved_text *before,
		  const struct saved_text *after, struct bench_steps *ret,
		  struct err *err);

/*
 * The same before the later one is measured: what it will be labelled with, as
 * far as that is known.  A label that it lacks is not looked at, nor are its
 * figures; without cells, drives are.
 */
int bench_against_planned(struct arena *arena, const struct saved_text *before,
			  const struct saved_text *planned, struct err *err);
