/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Two looks at what the kernel counts, and the differences: a total since
 * boot tells nothing of what goes on now.
 */

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/parse.h"
#include "probe/probe.h"
#include "sys/sysroot.h"

#define MOST_BYTES ((size_t)16 << 20)

/* One number for each CPU of cpus, in their order. */
struct row {
	const char *name; /* of a controller or a softirq */
	int64_t irq;
	struct num queue;
	struct cpuset cpus;
	VEC(uint64_t) values;
};

enum {
	TIME_USER,
	TIME_NICE,
	TIME_SYSTEM,
	TIME_IDLE,
	TIME_IOWAIT,
	TIME_IRQ,
	TIME_SOFTIRQ,
	TIME_STEAL,
	NR_TIMES
};

struct cpu_times {
	int64_t cpu;
	uint64_t ticks[NR_TIMES];
};

/* Documentation/block/stat.rst; up to 5.4 there are no flushes. */
enum {
	STAT_READS,
	STAT_READ_SECTORS = 2,
	STAT_READ_MS,
	STAT_WRITES,
	STAT_WRITE_SECTORS = 6,
	STAT_WRITE_MS,
	STAT_IN_FLIGHT,
	STAT_BUSY_MS,
	STAT_DISCARDS = 11,
	STAT_FLUSHES = 15,
	NR_STATS = 17
};

struct disk_stats {
	const char *disk;
	uint64_t values[NR_STATS];
	size_t n;
};

struct counters {
	int64_t at_ms;
	VEC(struct row) vectors;
	VEC(struct row) softirqs;
	VEC(struct cpu_times) cpus;
	VEC(struct disk_stats) disks;
};

struct look {
	const struct sysroot *root;
	const struct facts *facts;
	struct arena *arena;
	struct counters *counters;
};

static int64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Numbers with one of separators between them; false where there is more. */
static bool read_values(struct look *look, const char *text,
			const char *separators, struct row *row)
{
	uint64_t value;

	text += strspn(text, separators);
	while (parse_u64_prefix(&text, &value) == 0) {
		*vec_add(look->arena, &row->values) = value;
		text += strspn(text, separators);
	}
	return *text == '\0' && row->values.n == cpuset_count(&row->cpus);
}

/* "0,12,0,3": one number for each possible CPU. */
static void look_at_vector(struct look *look, const struct ctrl *ctrl,
			   const struct vector *vector)
{
	const char *path = arena_printf(look->arena,
					"sys/kernel/irq/%lld/per_cpu_count",
					(long long)vector->irq);
	const char *text = sysroot_text(look->root, look->arena, path, NULL);
	struct row row = { .name = ctrl->name,
			   .irq = vector->irq,
			   .queue = vector->queue,
			   .cpus = look->facts->possible };

	if (text && read_values(look, text, ",", &row))
		*vec_add(look->arena, &look->counters->vectors) = row;
}

static char *whole_text(struct look *look, const char *path)
{
	char *text;

	return sysroot_read_file(look->root, look->arena, path, MOST_BYTES,
				 &text) == 0 ?
		       text :
		       NULL;
}

/* "   CPU0   CPU1": which CPUs the columns are. */
static struct cpuset column_cpus(struct look *look, const char *line)
{
	struct cpuset cpus = { 0 };
	uint64_t cpu;

	for (line += strspn(line, " "); text_has_prefix(line, "CPU");
	     line += strspn(line, " ")) {
		line += strlen("CPU");
		if (parse_u64_prefix(&line, &cpu) < 0 || cpu > CPUSET_LAST)
			break;
		cpuset_add(look->arena, &cpus, (unsigned int)cpu);
	}
	return cpus;
}

static void look_at_softirqs(struct look *look)
{
	static const char block[] = "BLOCK:";
	char *text = whole_text(look, "proc/softirqs");
	char *line = text ? strsep(&text, "\n") : NULL;
	struct row row = { .name = "BLOCK" };

	if (line)
		row.cpus = column_cpus(look, line);
	while (text && (line = strsep(&text, "\n"))) {
		line += strspn(line, " ");
		if (text_has_prefix(line, block) &&
		    read_values(look, line + strlen(block), " ", &row))
			*vec_add(look->arena, &look->counters->softirqs) = row;
	}
}

/* "cpu3 10 0 5 900 1 0 2 0 0 0": in parts of 1/USER_HZ s. */
static void look_at_times(struct look *look)
{
	char *text = whole_text(look, "proc/stat"), *line;

	while (text && (line = strsep(&text, "\n"))) {
		struct cpu_times times = { 0 };
		const char *at = line + strlen("cpu");
		uint64_t cpu;
		size_t n = 0;

		if (!text_has_prefix(line, "cpu") ||
		    parse_u64_prefix(&at, &cpu) < 0 || cpu > CPUSET_LAST)
			continue;
		times.cpu = (int64_t)cpu;
		for (; n < NR_TIMES; n++) {
			at += strspn(at, " ");
			if (parse_u64_prefix(&at, &times.ticks[n]) < 0)
				break;
		}
		if (n == NR_TIMES)
			*vec_add(look->arena, &look->counters->cpus) = times;
	}
}

static void look_at_disk(struct look *look, const struct ns *ns)
{
	const char *path =
		arena_printf(look->arena, "sys/class/block/%s/stat", ns->name);
	const char *text = sysroot_text(look->root, look->arena, path, NULL);
	struct disk_stats stats = { .disk = ns->name };

	if (!text)
		return;
	while (stats.n < NR_STATS) {
		text += strspn(text, " ");
		if (parse_u64_prefix(&text, &stats.values[stats.n]) < 0)
			break;
		stats.n++;
	}
	if (stats.n > STAT_DISCARDS)
		*vec_add(look->arena, &look->counters->disks) = stats;
}

struct counters *probe_counters(const struct sysroot *root,
				const struct facts *facts, struct arena *arena)
{
	struct look look = {
		.root = root,
		.facts = facts,
		.arena = arena,
		.counters = ARENA_NEW(arena, struct counters),
	};

	look.counters->at_ms = now_ms();
	VEC_EACH(&facts->ctrls, const struct ctrl, ctrl)
		VEC_EACH(&ctrl->vectors, const struct vector, vector)
			if (vector->queue.known)
				look_at_vector(&look, ctrl, vector);
	look_at_softirqs(&look);
	look_at_times(&look);
	VEC_EACH(&facts->namespaces, const struct ns, ns)
		look_at_disk(&look, ns);
	return look.counters;
}

/*
 * Many of these counters have 32 bits and come round.  A difference beyond
 * half of that is none: the counter was set back.
 */
static struct num difference(uint64_t before, uint64_t after)
{
	uint64_t n = after - before;

	if (after < before && before <= UINT32_MAX)
		n = (uint32_t)n;
	if (n > INT32_MAX)
		return num_unknown(ERANGE);
	return num_known((int64_t)n);
}

/* False: some CPU's counter was set back. */
static bool compare_rows(struct arena *arena, const struct row *before,
			 const struct row *after, struct cpu_counts *ret)
{
	struct cpu_counts counts = { 0 };
	size_t i = 0;

	if (!cpuset_equal(&before->cpus, &after->cpus))
		return false;
	CPUSET_EACH(&after->cpus, cpu) {
		struct num n = difference(before->values.items[i],
					  after->values.items[i]);

		i++;
		if (!n.known)
			return false;
		if (n.value == 0)
			continue;
		cpuset_add(arena, &counts.cpus, (unsigned int)cpu);
		*vec_add(arena, &counts.counts) = n.value;
	}
	*ret = counts;
	return true;
}

static const struct row *same_vector(const struct counters *counters,
				     const struct row *row)
{
	VEC_EACH(&counters->vectors, const struct row, it)
		if (it->irq == row->irq && strcmp(it->name, row->name) == 0)
			return it;
	return NULL;
}

static void compare_vectors(const struct counters *before,
			    const struct counters *after, struct arena *arena,
			    struct samples *samples)
{
	VEC_EACH(&after->vectors, const struct row, row) {
		const struct row *then = same_vector(before, row);
		struct cpu_counts counts;

		if (then && compare_rows(arena, then, row, &counts))
			*vec_add(arena, &samples->vectors) =
				(struct vector_sample){
					.ctrl = row->name,
					.irq = row->irq,
					.queue = row->queue,
					.interrupts = counts,
				};
	}
}

static void compare_softirqs(const struct counters *before,
			     const struct counters *after, struct arena *arena,
			     struct samples *samples)
{
	struct cpu_counts counts;

	if (before->softirqs.n && after->softirqs.n &&
	    compare_rows(arena, &before->softirqs.items[0],
			 &after->softirqs.items[0], &counts))
		*vec_add(arena, &samples->softirqs) = (struct softirq_sample){
			.name = after->softirqs.items[0].name,
			.raised = counts,
		};
}

static struct num milliseconds(const struct cpu_times *before,
			       const struct cpu_times *after, size_t i)
{
	struct num ticks = difference(before->ticks[i], after->ticks[i]);
	long hz = sysconf(_SC_CLK_TCK);

	if (hz <= 0)
		return num_unknown(EINVAL);
	if (ticks.known)
		ticks.value = ticks.value * 1000 / hz;
	return ticks;
}

static struct num sum(struct num a, struct num b)
{
	if (!a.known || !b.known)
		return a.known ? b : a;
	return num_known(a.value + b.value);
}

static void compare_times(const struct cpu_times *before,
			  const struct cpu_times *after, struct cpu_sample *ret)
{
	ret->cpu = after->cpu;
	/* The kernel counts a guest's time as that of a user as well. */
	ret->user_ms = sum(milliseconds(before, after, TIME_USER),
			   milliseconds(before, after, TIME_NICE));
	ret->system_ms = milliseconds(before, after, TIME_SYSTEM);
	ret->irq_ms = milliseconds(before, after, TIME_IRQ);
	ret->softirq_ms = milliseconds(before, after, TIME_SOFTIRQ);
	ret->iowait_ms = milliseconds(before, after, TIME_IOWAIT);
	ret->idle_ms = milliseconds(before, after, TIME_IDLE);
	ret->steal_ms = milliseconds(before, after, TIME_STEAL);
}

static void compare_cpus(const struct counters *before,
			 const struct counters *after, struct arena *arena,
			 struct samples *samples)
{
	VEC_EACH(&after->cpus, const struct cpu_times, now)
		VEC_EACH(&before->cpus, const struct cpu_times, then)
			if (then->cpu == now->cpu)
				compare_times(then, now,
					      vec_add(arena, &samples->cpus));
}

static struct num stat_of(const struct disk_stats *before,
			  const struct disk_stats *after, size_t i)
{
	if (i >= before->n || i >= after->n)
		return num_unknown(ENODATA);
	return difference(before->values[i], after->values[i]);
}

static struct num kilobytes(struct num sectors)
{
	if (sectors.known)
		sectors.value /= 2;
	return sectors;
}

static void compare_disk(const struct disk_stats *a, const struct disk_stats *b,
			 struct disk_sample *ret)
{
	*ret = (struct disk_sample){
		.disk = b->disk,
		.reads = stat_of(a, b, STAT_READS),
		.read_kb = kilobytes(stat_of(a, b, STAT_READ_SECTORS)),
		.read_ms = stat_of(a, b, STAT_READ_MS),
		.writes = stat_of(a, b, STAT_WRITES),
		.written_kb = kilobytes(stat_of(a, b, STAT_WRITE_SECTORS)),
		.write_ms = stat_of(a, b, STAT_WRITE_MS),
		.discards = stat_of(a, b, STAT_DISCARDS),
		.flushes = stat_of(a, b, STAT_FLUSHES),
		.busy_ms = stat_of(a, b, STAT_BUSY_MS),
		.in_flight = difference(0, b->values[STAT_IN_FLIGHT]),
	};
}

static void compare_disks(const struct counters *before,
			  const struct counters *after, struct arena *arena,
			  struct samples *samples)
{
	VEC_EACH(&after->disks, const struct disk_stats, now)
		VEC_EACH(&before->disks, const struct disk_stats, then)
			if (strcmp(then->disk, now->disk) == 0)
				compare_disk(then, now,
					     vec_add(arena, &samples->disks));
}

void probe_samples(const struct counters *before, const struct counters *after,
		   struct arena *arena, struct facts *facts)
{
	struct samples samples = {
		.interval_ms = num_known(after->at_ms - before->at_ms),
	};

	compare_vectors(before, after, arena, &samples);
	compare_softirqs(before, after, arena, &samples);
	compare_cpus(before, after, arena, &samples);
	compare_disks(before, after, arena, &samples);
	facts->samples = samples;
}
