/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * trial DEVICE ATTRIBUTE BEFORE AFTER DEPTH MS: judge a value of an attribute
 * of a queue as "apply --confirm" does, on any block device, by the CPU time of
 * all tasks for each read.  For guests whose devices are no NVMe drives.
 *
 * Prints one line for each figure, "NAME VALUE"; leaves the attribute BEFORE.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "bench/self/drive_open.h"
#include "bench/team.h"
#include "bench/trial.h"
#include "sys/sysroot.h"

#define SETTLE_MS 20

struct lab {
	const char *attribute;
	const char *values[BENCH_ARMS];
	struct bench_team team;
};

static int set(const char *path, const char *value, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, value, strlen(value));
	int r = n < 0 ? -errno : 0;

	if (fd >= 0)
		(void)close(fd);
	return r < 0 ? err_errno(err, r, "%s: cannot write \"%s\"", path,
				 value) :
		       0;
}

static int arm(void *data, int which, struct err *err)
{
	const struct lab *lab = data;

	return set(lab->attribute, lab->values[which], err);
}

/*
 * Nobody else is on the lab's one CPU.  What takes it from the worker are the
 * kernel's own threads, which have no other; that these are no programs cannot
 * be told from ticks of 10 ms in slices so short.
 */
static int measure(void *data, struct bench_slice *slices, struct err *err)
{
	struct lab *lab = data;
	int r = bench_team_measure(&lab->team, slices, err);

	if (r == 0 && !slices->errors)
		slices->void_why = NULL;
	return r;
}

static void put_arm(const struct bench_trial *trial, const char *name,
		    int which)
{
	const struct bench_trial_arm *it = &trial->arms[which];

	printf("%s_ios %llu\n%s_cpu_ns %.1f\n", name,
	       (unsigned long long)it->ios, name,
	       it->metrics[BENCH_METRIC_CPU]);
}

static void put(struct arena *arena, const struct bench_trial *trial,
		const struct bench_slice *any)
{
	struct strbuf words;

	strbuf_init(&words, arena);
	decide_to_text(&trial->decision, &decide_rule_default,
		       bench_metric_text(trial->metric), &words);
	printf("verdict %s\nreason %s\nblocks %u\nvoided %u\n",
	       decide_verdict_name(trial->decision.verdict),
	       decide_reason_name(trial->decision.reason),
	       trial->decision.blocks, trial->decision.voided);
	printf("effect_ppm %lld\nmde_ppm %lld\n",
	       (long long)decide_ppm(trial->decision.effect.estimate),
	       (long long)decide_ppm(trial->decision.mde));
	printf("cpu_source %s\n", bench_cpu_source_name(any->cpu_source));
	put_arm(trial, "before", BENCH_BEFORE);
	put_arm(trial, "after", BENCH_AFTER);
	VEC_EACH(&trial->blocks, const struct bench_trial_block, it)
		if (it->void_why)
			printf("void %s\n", it->void_why);
	printf("text %s\n", words.text);
}

static int try_it(struct arena *arena, struct lab *lab,
		  const struct bench_seat *seat,
		  const struct bench_session_config *session, struct err *err)
{
	const struct bench_trial_config config = {
		.seed = session->seed,
		.nr_cells = 1,
		.metric = BENCH_METRIC_CPU,
		.rule = &decide_rule_default,
		.measure = measure,
		.arm = arm,
		.data = lab,
	};
	struct bench_trial trial = { 0 };
	struct err ignored = { 0 };
	int r = bench_team_open(&lab->team, arena, session, NULL, seat, 1, err);

	if (r == 0)
		r = bench_trial_run(arena, &config, &trial, err);
	(void)arm(lab, BENCH_BEFORE, &ignored);
	if (r == 0)
		put(arena, &trial, &trial.slices.items[0].cells[0].slice);
	bench_team_close(&lab->team);
	return r;
}

int main(int argc, char **argv)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	_cleanup_sysroot_ struct sysroot *root = NULL;
	struct bench_session_config session = bench_session_defaults;
	struct bench_seat seat = {
		.binding = { .node = BINDING_NO_NODE,
			     .memory_node = BINDING_NO_NODE },
	};
	struct err err = { 0 };
	struct lab lab;
	int r;

	if (argc != 7) {
		(void)fputs(
			"usage: trial DEVICE ATTRIBUTE BEFORE AFTER DEPTH MS\n",
			stderr);
		return 2;
	}
	lab = (struct lab){ .attribute = argv[2],
			    .values = { argv[3], argv[4] } };
	session.jobs = 1;
	session.seed = 7;
	session.depth = (uint32_t)atoi(argv[5]);
	session.measure_ms = (uint32_t)atoi(argv[6]);
	session.settle_ms = session.warm_ms = SETTLE_MS;
	session.idle_ms = session.measure_ms;
	cpuset_add(arena, &seat.binding.cpus, 0);
	r = sysroot_open("/", &root, &err);
	session.root = root;
	if (r == 0)
		r = drive_open(argv[1], &seat.drive, &err);
	if (r == 0)
		r = try_it(arena, &lab, &seat, &session, &err);
	if (r < 0)
		(void)fprintf(stderr, "trial: %s\n", err.text);
	return r < 0;
}
