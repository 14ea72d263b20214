/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"
#include "tree.h"

/*
 * The block layer of a stand-in kernel behind a small tree: one drive nvme0
 * with one disk nvme0n1, whose attributes move each other as those of 6.12
 * do: a scheduler switch resets nr_requests and hides how many tags the
 * hardware has, a queue limit resets read_ahead_kb, a value that is shown
 * already is no change.
 *
 * The same drive as that of host_new().
 */
struct kernel {
	struct tree *tree;
	const char *disk; /* today's name: "nvme0n1" */
	char scheduler[32];
	unsigned int nr_requests;
	unsigned int tags; /* what the hardware really has */
	unsigned int rq_affinity;
	unsigned int max_sectors_kb;
	unsigned int read_ahead_kb;
	unsigned int io_timeout;

	/* Writes of this attribute fail, so many times, or are ignored. */
	const char *fail_attr;
	int fail_code; /* negative errno, 0: ignored */
	unsigned int fail_times;
	/* Called after the so manieth write; 0: never. */
	unsigned int break_at;
	void (*breaks)(struct kernel *kernel);

	/* Once it was written, this one cannot be read: EIO. */
	const char *mute_attr;

	unsigned int nr_writes;
	struct strbuf log; /* "scheduler=none nr_requests=1022 ..." */
};

/* scheduler mq-deadline, nr_requests 256, max_sectors_kb 1280, read_ahead_kb
 * 128, rq_affinity 1, io_timeout 30000. */
struct kernel *kernel_new(void);
void kernel_free(struct kernel *kernel);

/* Make the files show what the struct says. */
void kernel_show(struct kernel *kernel);
/* As after a reboot: the kernel's defaults, nothing moved. */
void kernel_reboot(struct kernel *kernel);

/* All attributes in one line, the hidden one too. */
char *kernel_state(struct kernel *kernel);

/* The facts that a probe would find now. */
struct facts *kernel_facts(struct kernel *kernel);

/*
 * A plan for what the lines of a profile want, on the host as it is, with
 * its history.
 */
struct plan *kernel_plan(struct kernel *kernel, const char *const *lines);
