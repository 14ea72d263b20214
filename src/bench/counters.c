/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/counters.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/parse.h"
#include "bench/lane.h"
#include "sys/sysroot.h"

#define MOST_BYTES ((size_t)16 << 20) /* of schedstat with 8192 CPUs */

/* proc/stat, Documentation/filesystems/proc.rst. */
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

/* proc/schedstat, Documentation/scheduler/sched-stats.rst. */
#define SCHEDSTAT_RUN 6U

/* Documentation/block/stat.rst; up to 5.4 there are no flushes. */
enum {
	STAT_READS,
	STAT_READ_MERGES,
	STAT_READ_SECTORS,
	STAT_READ_MS,
	STAT_WRITES,
	STAT_WRITE_MERGES,
	STAT_WRITE_SECTORS,
	STAT_WRITE_MS,
	STAT_DISCARDS = 11,
	STAT_DISCARD_MERGES,
	STAT_DISCARD_MS = 14,
	STAT_FLUSHES,
	STAT_FLUSH_MS,
	NR_STATS
};

static size_t take_numbers(const char *text, uint64_t *ret, size_t most)
{
	size_t n = 0;

	while (n < most) {
		text += strspn(text, " ");
		if (parse_u64_prefix(&text, &ret[n]) < 0)
			break;
		n++;
	}
	return n;
}

/* Lines that begin with "cpu" and a number; *line is moved behind both. */
static bool is_cpu_line(const char **line, unsigned int *ret_cpu)
{
	const char *at = *line + strlen("cpu");
	uint64_t cpu;

	if (!text_has_prefix(*line, "cpu") || parse_u64_prefix(&at, &cpu) < 0 ||
	    cpu > CPUSET_LAST)
		return false;
	*line = at;
	*ret_cpu = (unsigned int)cpu;
	return true;
}

static struct counters_cpu *cpu_of(struct arena *arena,
				   struct counters_look *look, unsigned int cpu)
{
	while (look->cpus.n <= cpu)
		(void)vec_add(arena, &look->cpus);
	return &look->cpus.items[cpu];
}

static struct num ticks_ns(uint64_t ticks)
{
	long hz = sysconf(_SC_CLK_TCK);

	if (hz <= 0)
		return num_unknown(EINVAL);
	return num_known((int64_t)(ticks * (1000000000U / (uint64_t)hz)));
}

static void take_stat(struct arena *arena, const char *line,
		      struct counters_look *look)
{
	uint64_t times[NR_TIMES], busy = 0;
	struct counters_cpu *cpu;
	unsigned int nr;

	if (!is_cpu_line(&line, &nr) ||
	    take_numbers(line, times, NR_TIMES) < NR_TIMES)
		return;
	for (size_t i = 0; i < NR_TIMES; i++)
		if (i != TIME_IDLE && i != TIME_IOWAIT && i != TIME_STEAL)
			busy += times[i];
	cpu = cpu_of(arena, look, nr);
	cpu->online = true;
	cpu->busy = ticks_ns(busy);
	cpu->user = ticks_ns(times[TIME_USER] + times[TIME_NICE]);
	cpu->steal = ticks_ns(times[TIME_STEAL]);
}

static void take_schedstat(struct arena *arena, const char *line,
			   struct counters_look *look)
{
	uint64_t values[SCHEDSTAT_RUN + 1];
	unsigned int nr;

	if (is_cpu_line(&line, &nr) &&
	    take_numbers(line, values, SCHEDSTAT_RUN + 1) > SCHEDSTAT_RUN)
		cpu_of(arena, look, nr)->run =
			num_known((int64_t)values[SCHEDSTAT_RUN]);
}

static void take_lines(const struct sysroot *root, const char *path,
		       struct arena *arena, struct counters_look *look,
		       void (*take)(struct arena *, const char *,
				    struct counters_look *))
{
	_cleanup_arena_ struct arena *texts = arena_new();
	char *text, *line;

	if (sysroot_read_file(root, texts, path, MOST_BYTES, &text) < 0)
		return;
	while ((line = strsep(&text, "\n")))
		take(arena, line, look);
}

void counters_read(const struct sysroot *root, struct arena *arena,
		   struct counters_look *look)
{
	look->cpus.n = 0;
	look->at_ns = bench_now_ns();
	take_lines(root, "proc/schedstat", arena, look, take_schedstat);
	take_lines(root, "proc/stat", arena, look, take_stat);
}

static struct num add(struct num sum, struct num before, struct num after)
{
	if (!sum.known)
		return sum;
	if (!before.known || !after.known)
		return before.known ? after : before;
	if (after.value < before.value)
		return num_unknown(ERANGE); /* it was set back */
	return num_known(sum.value + after.value - before.value);
}

static struct counters_cpu cpu_at(const struct counters_look *look, int cpu)
{
	const struct counters_cpu unknown = { .run.why = ENOENT,
					      .busy.why = ENOENT,
					      .user.why = ENOENT,
					      .steal.why = ENOENT };

	return (size_t)cpu < look->cpus.n ? look->cpus.items[cpu] : unknown;
}

static bool is_there(const struct counters_cpu *cpu)
{
	return cpu->online || cpu->run.known;
}

static void add_cpu(struct counters_span *span, const struct counters_cpu *then,
		    const struct counters_cpu *now)
{
	span->run_ns = add(span->run_ns, then->run, now->run);
	span->busy_ns = add(span->busy_ns, then->busy, now->busy);
	span->user_ns = add(span->user_ns, then->user, now->user);
	span->steal_ns = add(span->steal_ns, then->steal, now->steal);
	if (then->online && !now->online)
		span->offline = num_known(1);
}

/*
 * A queue and its vector belong to all CPUs that there could be; one that is
 * there in neither look ran nothing.
 */
struct counters_span counters_between(const struct counters_look *before,
				      const struct counters_look *after,
				      const struct cpuset *cpus)
{
	const uint64_t elapsed_ns = after->at_ns - before->at_ns;
	const struct num none = num_unknown(ENOENT);
	struct counters_span span = { elapsed_ns,   num_known(0), num_known(0),
				      num_known(0), num_known(0), num_known(0) };
	bool any = false;

	CPUSET_EACH(cpus, cpu) {
		struct counters_cpu then = cpu_at(before, cpu);
		struct counters_cpu now = cpu_at(after, cpu);

		if (!is_there(&then) && !is_there(&now))
			continue;
		add_cpu(&span, &then, &now);
		any = true;
	}
	if (!any)
		return (struct counters_span){ elapsed_ns, none, none,
					       none,	   none, none };
	if (span.run_ns.known && span.run_ns.value == 0)
		span.run_ns = num_unknown(ENODATA);
	return span;
}

struct counters_disk counters_read_disk(const struct sysroot *root,
					const char *disk)
{
	_cleanup_arena_ struct arena *texts = arena_new();
	const char *path = arena_printf(texts, "sys/class/block/%s/stat", disk);
	struct counters_disk counts = { .at_ns = bench_now_ns() };
	const char *text = sysroot_text(root, texts, path, NULL);
	uint64_t v[NR_STATS] = { 0 };

	if (!text || take_numbers(text, v, NR_STATS) <= STAT_WRITE_MS)
		return counts;
	counts.known = true;
	counts.reads = v[STAT_READS];
	counts.read_sectors = v[STAT_READ_SECTORS];
	counts.read_ms = v[STAT_READ_MS];
	counts.write_sectors = v[STAT_WRITE_SECTORS];
	counts.others = v[STAT_WRITES] + v[STAT_DISCARDS] + v[STAT_FLUSHES];
	counts.other_ms =
		v[STAT_WRITE_MS] + v[STAT_DISCARD_MS] + v[STAT_FLUSH_MS];
	counts.merges = v[STAT_READ_MERGES] + v[STAT_WRITE_MERGES] +
			v[STAT_DISCARD_MERGES];
	return counts;
}

struct counters_disk counters_disk_between(const struct counters_disk *before,
					   const struct counters_disk *after)
{
	struct counters_disk span = { .at_ns = after->at_ns };

	if (!before->known || !after->known || after->reads < before->reads ||
	    after->others < before->others || after->merges < before->merges ||
	    after->read_sectors < before->read_sectors ||
	    after->write_sectors < before->write_sectors)
		return span;
	span.known = true;
	span.reads = after->reads - before->reads;
	span.read_sectors = after->read_sectors - before->read_sectors;
	/* Milliseconds have 32 bits and come round. */
	span.read_ms = (uint32_t)(after->read_ms - before->read_ms);
	span.others = after->others - before->others;
	span.other_ms = (uint32_t)(after->other_ms - before->other_ms);
	span.merges = after->merges - before->merges;
	span.write_sectors = after->write_sectors - before->write_sectors;
	return span;
}

/* What is there of seen in our time, beyond ours. */
static double beyond(uint64_t seen, uint64_t span_ns, double ours,
		     uint64_t elapsed_ns)
{
	double more = (double)seen * (double)elapsed_ns / (double)span_ns;

	return more > ours ? more - ours : 0;
}

struct num counters_foreign(const struct counters_disk *span, uint64_t span_ns,
			    const struct counters_ours *ours)
{
	double block_sectors = (double)ours->block_bytes / 512;
	double reads = (double)(ours->ios - ours->writes), foreign;

	if (!span->known || span_ns == 0 || ours->elapsed_ns == 0 ||
	    block_sectors <= 0)
		return num_unknown(ENODATA);
	if (reads > 0 && span->reads == 0)
		return num_unknown(ENODATA);
	foreign = beyond(span->read_sectors, span_ns, reads * block_sectors,
			 ours->elapsed_ns) /
		  block_sectors;
	foreign += beyond(span->others, span_ns, (double)ours->writes,
			  ours->elapsed_ns);
	foreign -= (double)ours->ios * (double)ours->skew_ns /
		   (double)ours->elapsed_ns;
	return num_known(foreign > 0 ? (int64_t)(foreign + 0.5) : 0);
}
