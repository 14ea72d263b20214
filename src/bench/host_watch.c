/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/host_watch.h"

#include <errno.h>

#include "base/arena.h"
#include "bench/interrupts.h"
#include "bench/lane.h"
#include "bench/session.h"
#include "bench/void.h"

struct disk {
	const char *name;
	struct counters_disk before;
};

struct place {
	struct cpuset cpus;
	struct cpuset workers; /* of these, those that workers are bound to */
	/* The drive's own disk, and those of its paths: a head on its own
	 * counts nothing on many kernels. */
	VEC(struct disk) disks;
	struct interrupts interrupts; /* of the drive's controllers */
	struct interrupts_look raised[2];
};

struct host_watch {
	struct arena *arena;
	const struct sysroot *root; /* NULL: blind */
	struct counters_look idle[2];
	bool has_idle;
	uint64_t switch_ns; /* of the last border */
	uint64_t skew_ns;   /* of both */
	struct counters_look before;
	struct counters_look after;
	VEC(struct place) places; /* one a group */
};

struct host_watch *host_watch_new(struct arena *arena,
				  const struct sysroot *root)
{
	struct host_watch *watch = ARENA_NEW(arena, struct host_watch);

	watch->arena = arena;
	watch->root = root;
	return watch;
}

static void add_cpus(struct host_watch *watch, struct place *place,
		     const struct cpuset *cpus)
{
	place->cpus = cpuset_or(watch->arena, &place->cpus, cpus);
}

/* Completions come where a queue's vector goes, and what its submitters leave
 * to kworkers runs on any of its CPUs. */
static void add_disk(struct host_watch *watch, struct place *place,
		     const struct facts *facts, const struct ns *ns,
		     const struct cpuset *workers)
{
	const struct ctrl *ctrl = ns->ctrl ? facts_ctrl(facts, ns->ctrl) : NULL;

	vec_add(watch->arena, &place->disks)->name = ns->name;
	VEC_EACH(&ns->hw_queues, const struct hw_queue, queue)
		if (cpuset_intersects(&queue->cpus, workers))
			add_cpus(watch, place, &queue->cpus);
	if (!ctrl)
		return;
	interrupts_add(watch->arena, facts, ctrl, &place->interrupts);
	VEC_EACH(&ctrl->vectors, const struct vector, vector)
		if (num_or(vector->queue, 0) > 0 &&
		    cpuset_intersects(&vector->mask, workers))
			add_cpus(watch, place,
				 cpuset_is_empty(&vector->effective) ?
					 &vector->mask :
					 &vector->effective);
}

void host_watch_add(struct host_watch *watch, const struct bench_drive *drive,
		    const struct cpuset *workers)
{
	struct place *place = vec_add(watch->arena, &watch->places);
	const struct ns *path;

	place->workers = *workers;
	add_cpus(watch, place, workers);
	if (!drive->ns)
		return;
	add_disk(watch, place, drive->facts, drive->ns, workers);
	for (size_t i = 0; drive->ns->kind == NS_HEAD &&
			   (path = facts_head_path(drive->facts, drive->ns, i));
	     i++)
		add_disk(watch, place, drive->facts, path, workers);
}

void host_watch_idle_begin(struct host_watch *watch)
{
	if (watch->root)
		counters_read(watch->root, watch->arena, &watch->idle[0]);
}

void host_watch_idle_end(struct host_watch *watch)
{
	if (!watch->root)
		return;
	counters_read(watch->root, watch->arena, &watch->idle[1]);
	watch->has_idle = true;
}

void host_watch_switch(struct host_watch *watch)
{
	watch->switch_ns = bench_now_ns();
}

/* Behind the others at both borders: many files on hosts with many CPUs. */
static void read_interrupts(struct host_watch *watch, struct place *place,
			    size_t border)
{
	interrupts_read(watch->root, watch->arena, &place->interrupts,
			&place->raised[border]);
}

void host_watch_begin(struct host_watch *watch, const size_t *groups, size_t n)
{
	if (!watch->root)
		return;
	for (size_t i = 0; i < n; i++)
		VEC_EACH(&watch->places.items[groups[i]].disks, struct disk, it)
			it->before = counters_read_disk(watch->root, it->name);
	counters_read(watch->root, watch->arena, &watch->before);
	watch->skew_ns = bench_now_ns() - watch->switch_ns;
	for (size_t i = 0; i < n; i++)
		read_interrupts(watch, &watch->places.items[groups[i]], 0);
}

/* A share of what ran, less what would have run without load; as others may
 * have stood back for it, never less than the workers alone. */
static bool take_run(const struct host_watch *watch, struct num now,
		     const struct counters_span *span, struct num idle,
		     const struct counters_span *rest, double share,
		     struct bench_slice *slice)
{
	double run;

	if (!now.known || span->elapsed_ns == 0)
		return false;
	run = (double)now.value / (double)span->elapsed_ns;
	if (watch->has_idle && idle.known && rest->elapsed_ns)
		run -= (double)idle.value / (double)rest->elapsed_ns;
	run *= (double)slice->elapsed_ns * share;
	slice->run_ns = slice->cpu_ns;
	if (run > (double)slice->cpu_ns)
		slice->run_ns = (uint64_t)run;
	return slice->run_ns > 0;
}

static void fill_run(const struct host_watch *watch, const struct cpuset *cpus,
		     const struct counters_span *span, double share,
		     struct bench_slice *slice)
{
	struct counters_span rest =
		counters_between(&watch->idle[0], &watch->idle[1], cpus);
	struct num none = num_known(0);

	if (take_run(watch, span->run_ns, span,
		     rest.run_ns.known ? rest.run_ns : none, &rest, share,
		     slice))
		slice->cpu_source = BENCH_CPU_SCHEDSTAT;
	else if (take_run(watch, span->busy_ns, span, rest.busy_ns, &rest,
			  share, slice))
		slice->cpu_source = BENCH_CPU_STAT;
}

static struct num share_ppt(struct num ns, uint64_t ours_ns,
			    uint64_t elapsed_ns, const struct cpuset *cpus)
{
	double all = (double)elapsed_ns * cpuset_count(cpus);
	double part = (double)ns.value - (double)ours_ns;

	if (!ns.known || all <= 0)
		return num_unknown(ENODATA);
	return num_known(part > 0 ? (int64_t)(part * 1000 / all + 0.5) : 0);
}

/* The disk itself where it counts; else its paths together. */
static struct counters_disk disk_span(const struct host_watch *watch,
				      const struct place *place,
				      uint64_t *ret_ns)
{
	struct counters_disk sum = { .known = true };

	*ret_ns = 0;
	for (size_t i = 0; i < place->disks.n; i++) {
		const struct disk *disk = &place->disks.items[i];
		struct counters_disk now =
			counters_read_disk(watch->root, disk->name);
		struct counters_disk span =
			counters_disk_between(&disk->before, &now);

		*ret_ns = now.at_ns - disk->before.at_ns;
		if (i == 0 && span.known &&
		    (span.reads || span.others || place->disks.n == 1))
			return span;
		if (i == 0)
			continue;
		sum.known = sum.known && span.known;
		sum.reads += span.reads;
		sum.read_sectors += span.read_sectors;
		sum.others += span.others;
		sum.merges += span.merges;
	}
	sum.known = sum.known && place->disks.n > 1;
	return sum;
}

static void fill_disk(const struct host_watch *watch, const struct place *place,
		      const struct bench_method *method,
		      struct bench_slice *slice)
{
	const struct counters_ours ours = {
		.ios = slice->ios,
		.writes = slice->writes ? slice->writes->count : 0,
		.elapsed_ns = slice->elapsed_ns,
		.skew_ns = watch->skew_ns,
		.block_bytes = method->block_bytes,
	};
	uint64_t span_ns;
	struct counters_disk span = disk_span(watch, place, &span_ns);

	slice->foreign_ios = counters_foreign(&span, span_ns, &ours);
	slice->merges = slice->foreign_ios.known ?
				num_known((int64_t)span.merges) :
				num_unknown(ENODATA);
}

static void fill_interrupts(struct host_watch *watch, struct place *place,
			    struct bench_slice *slice)
{
	read_interrupts(watch, place, 1);
	slice->has_interrupts = interrupts_between(
		watch->arena, &place->interrupts, &place->raised[0],
		&place->raised[1], &slice->interrupts);
}

/* Of all CPUs of the groups together: they may share some. */
static void fill_host(struct host_watch *watch, const size_t *groups, size_t n,
		      struct bench_slice *slices)
{
	struct cpuset cpus = { 0 }, workers = { 0 };
	struct counters_span span, near;
	struct num steal, others;
	uint64_t ios = 0, user_ns = 0;

	for (size_t i = 0; i < n; i++) {
		const struct place *place = &watch->places.items[groups[i]];

		cpus = cpuset_or(watch->arena, &cpus, &place->cpus);
		workers = cpuset_or(watch->arena, &workers, &place->workers);
		ios += slices[i].ios;
		user_ns += slices[i].user_ns;
	}
	span = counters_between(&watch->before, &watch->after, &cpus);
	near = counters_between(&watch->before, &watch->after, &workers);
	steal = share_ppt(span.steal_ns, 0, span.elapsed_ns, &cpus);
	others = share_ppt(near.user_ns, user_ns, near.elapsed_ns, &workers);
	for (size_t i = 0; i < n && ios; i++) {
		slices[i].steal_ppt = steal;
		slices[i].others_ppt = others;
		slices[i].offline = span.offline;
		fill_run(watch, &cpus, &span,
			 (double)slices[i].ios / (double)ios, &slices[i]);
	}
}

static uint64_t sleep_ppt(const struct bench_slice *slice,
			  const struct bench_method *method)
{
	double all = (double)slice->elapsed_ns * method->jobs;
	double ran = all > 0 ? (double)slice->cpu_ns * 1000 / all : 1000;

	return ran < 1000 ? (uint64_t)(1000 - ran + 0.5) : 0;
}

void host_watch_end(struct host_watch *watch, const size_t *groups, size_t n,
		    const struct bench_method *methods,
		    struct bench_slice *slices)
{
	if (watch->root) {
		counters_read(watch->root, watch->arena, &watch->after);
		watch->skew_ns += bench_now_ns() - watch->switch_ns;
		fill_host(watch, groups, n, slices);
	}
	for (size_t i = 0; i < n && watch->root; i++)
		fill_interrupts(watch, &watch->places.items[groups[i]],
				&slices[i]);
	for (size_t i = 0; i < n; i++) {
		struct bench_slice *slice = &slices[i];

		if (watch->root)
			fill_disk(watch, &watch->places.items[groups[i]],
				  &methods[i], slice);
		slice->sleep_ppt = sleep_ppt(slice, &methods[i]);
		if (slice->cpu_source == BENCH_CPU_NONE && slice->cpu_ns) {
			slice->cpu_source = BENCH_CPU_THREADS;
			slice->run_ns = slice->cpu_ns;
		}
		slice->void_why = void_why(slice, &methods[i]);
	}
}
