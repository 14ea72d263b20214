/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/group.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/parse.h"
#include "bench/collect.h"
#include "bench/gate.h"
#include "bench/lane.h"
#include "bench/worker.h"
#include "core/binding.h"
#include "sys/sysroot.h"

#define NS_PER_MS UINT64_C(1000000)
#define POLL_NS 200000
#define MOMENT_NS 20000000U
#define SAMPLE_BLOCKS 256U
#define SAMPLE_BYTES (16U << 20)

struct starting {
	struct arena *arena;
	const struct bench_session_config *config;
	uint64_t stream;
};

/*
 * Sleep a moment; false when all these moments took more than the time there
 * is.  A long one counts as a short one: where the whole host stood still, a
 * worker has missed nothing.
 */
static bool wait_moment(uint64_t *left_ns)
{
	const struct timespec ts = { .tv_nsec = POLL_NS };
	uint64_t begin_ns = bench_now_ns(), ns;

	if (*left_ns == 0)
		return false;
	(void)nanosleep(&ts, NULL);
	ns = bench_now_ns() - begin_ns;
	if (ns > MOMENT_NS)
		ns = MOMENT_NS;
	*left_ns -= ns < *left_ns ? ns : *left_ns;
	return true;
}

static int wait_ready(const struct starting *starting,
		      struct bench_worker *worker, struct err *err)
{
	uint64_t left_ns = starting->config->hang_ms * NS_PER_MS;
	int r;

	while ((r = bench_worker_state(worker, err)) > 0)
		if (!wait_moment(&left_ns))
			return err_set(err, -ETIMEDOUT,
				       "a worker does not get ready");
	return r;
}

/* One CPU each, so that slices differ by what is tuned and not by where the
 * scheduler put a thread. */
static int add_worker(struct starting *starting, struct bench_group *group,
		      const struct binding *place, unsigned int cpu,
		      struct err *err)
{
	struct binding *binding = ARENA_NEW(starting->arena, struct binding);
	struct bench_ring_config config = {
		.fd = group->drive->fd,
		.size_bytes = group->drive->size_bytes,
		.shape = group->shape,
		.seed = starting->config->seed,
		.stream = starting->stream++,
		.first = starting->config->first,
	};
	struct bench_worker *worker;
	int r;

	*binding = *place;
	binding->cpus = (struct cpuset){ 0 };
	cpuset_add(starting->arena, &binding->cpus, cpu);
	r = bench_worker_start(&worker, binding, group->gate, &config,
			       group->sample, err);
	if (r < 0)
		return r;
	*vec_add(starting->arena, &group->workers) = worker;
	return 0;
}

static bool same_method(const struct bench_worker *a,
			const struct bench_worker *b)
{
	const struct bench_ring_info *x = bench_worker_ring(a);
	const struct bench_ring_info *y = bench_worker_ring(b);

	return x->rung == y->rung && x->restricted == y->restricted &&
	       x->fixed_buffers == y->fixed_buffers &&
	       x->fixed_files == y->fixed_files;
}

static uint32_t nr_jobs(const struct starting *starting,
			const struct binding *place)
{
	unsigned int cpus = cpuset_count(&place->cpus);

	return cpus < starting->config->jobs ? cpus : starting->config->jobs;
}

/*
 * Blocks for each worker to look at.  None where others use the drive, which
 * is read at a rate of its own, and few large ones, as that has to be over
 * before the first slice.
 */
static uint32_t sample_of(const struct bench_group *group, uint32_t jobs)
{
	uint32_t most = SAMPLE_BYTES / group->shape.block_bytes;

	if (jobs == 0 || group->shape.write_ppt || group->drive->limit)
		return 0;
	if (most > SAMPLE_BLOCKS)
		most = SAMPLE_BLOCKS;
	return (most + jobs - 1) / jobs;
}

static int start_workers(struct starting *starting, struct bench_group *group,
			 const struct binding *place, struct err *err)
{
	uint32_t jobs = nr_jobs(starting, place);
	struct bench_worker *first;
	int r = 0;

	group->sample = sample_of(group, jobs);
	CPUSET_EACH(&place->cpus, cpu) {
		if (group->workers.n == jobs)
			break;
		r = add_worker(starting, group, place, (unsigned int)cpu, err);
		if (r < 0)
			return r;
		cpuset_add(starting->arena, &group->cpus, (unsigned int)cpu);
	}
	if (group->workers.n == 0)
		return err_set(err, -EINVAL, "no CPU to run on");
	first = group->workers.items[0];
	for (size_t i = 0; i < group->workers.n && r == 0; i++) {
		struct bench_worker *worker = group->workers.items[i];

		r = wait_ready(starting, worker, err);
		if (r == 0 && !same_method(first, worker))
			r = err_set(
				err, -EAGAIN,
				"workers got different engines: too little locked memory for all (ulimit -l)");
	}
	return r;
}

static int no_poll_queue(struct err *err)
{
	return err_set(
		err, -EOPNOTSUPP,
		"no poll queue serves it: nvme.poll_queues is 0, or was when the driver was loaded");
}

static bool has_no_poll_queue(const struct bench_drive *drive)
{
	return drive->ns && drive->ns->io_poll.known &&
	       drive->ns->io_poll.value != 1;
}

/* Whether the drive can be used so at all. */
static int check_drive(const struct bench_drive *drive,
		       const struct bench_shape *shape, struct err *err)
{
	if (drive->logical_bytes && shape->block_bytes % drive->logical_bytes)
		return err_set(
			err, -EINVAL,
			"its blocks have %u bytes, and an I/O of %u is no multiple of that",
			drive->logical_bytes, shape->block_bytes);
	if (shape->poll && has_no_poll_queue(drive))
		return no_poll_queue(err);
	if (shape->write_ppt && !drive->writable)
		return err_set(err, -EPERM, "a drive is never written to");
	return 0;
}

static int settle_shape(const struct starting *starting,
			struct bench_group *group,
			const struct bench_shape *wanted, uint32_t jobs,
			struct err *err)
{
	struct bench_shape shape = wanted ? *wanted : (struct bench_shape){ 0 };
	int r;

	if (!shape.block_bytes)
		shape.block_bytes = group->drive->block_bytes;
	if (!shape.depth)
		shape.depth = starting->config->depth;
	r = check_drive(group->drive, &shape, err);
	if (r < 0)
		return r;
	shape.gap_ns = bench_limit_gap_ns(group->drive->limit, &shape, jobs);
	if (shape.gap_ns > starting->config->measure_ms * NS_PER_MS)
		return err_set(
			err, -EINVAL,
			"one I/O in %llu ms is none in a slice of %u ms: measure longer",
			(unsigned long long)(shape.gap_ns / NS_PER_MS),
			starting->config->measure_ms);
	group->shape = shape;
	return 0;
}

/* Of what the kernel could give without swapping; 0: it does not say. */
static uint64_t available_bytes(const struct sysroot *root)
{
	static const char key[] = "MemAvailable:";
	_cleanup_arena_ struct arena *texts = arena_new();
	const char *text =
		root ? sysroot_text(root, texts, "proc/meminfo", NULL) : NULL;
	uint64_t kb;

	text = text ? strstr(text, key) : NULL;
	if (!text)
		return 0;
	text += strlen(key);
	text += strspn(text, " ");
	return parse_u64_prefix(&text, &kb) < 0 ? 0 : kb * 1024;
}

/*
 * Buffers are taken and touched at once, and who asks for too much of them is
 * not refused by the kernel: it ends a program, and not always this one.
 */
static int check_memory(const struct bench_group *group, uint32_t jobs,
			struct err *err)
{
	uint64_t most = available_bytes(group->config->root) / 2;
	uint64_t wanted =
		(uint64_t)jobs * group->shape.depth * group->shape.block_bytes;

	if (most == 0 || wanted <= most)
		return 0;
	return err_set(
		err, -ENOMEM,
		"its buffers take %llu MiB (%u jobs, %u I/Os each, %u bytes), more than half of the memory that is free: ask for less of one of them",
		(unsigned long long)(wanted >> 20), jobs, group->shape.depth,
		group->shape.block_bytes);
}

static void note_method(struct bench_group *group, struct arena *arena)
{
	const struct bench_worker *worker = group->workers.items[0];
	const struct bench_ring_info *info = bench_worker_ring(worker);
	const char *why = bench_worker_memory_why(worker);

	group->method = (struct bench_method){
		.engine = bench_rung_text(info->rung),
		.fallback = info->fallback.code ?
				    arena_strdup(arena, info->fallback.text) :
				    NULL,
		.ring_restricted = info->restricted,
		.fixed_buffers = info->fixed_buffers,
		.fixed_files = info->fixed_files,
		.memory_bound = !why,
		.memory_why = why ? arena_strdup(arena, why) : NULL,
		.jobs = (uint32_t)group->workers.n,
		.depth = group->shape.depth,
		.block_bytes = group->shape.block_bytes,
		.batch = group->shape.batch,
		.write_ppt = group->shape.write_ppt,
		.polled = info->polled,
		.gap_ns = group->shape.gap_ns,
		.poisson = group->shape.poisson,
		.sequential = group->shape.sequential,
		.most_iops = group->drive->limit ?
				     group->drive->limit->most_iops :
				     0,
	};
}

int group_start(struct bench_group *group, struct arena *arena,
		const struct bench_session_config *config,
		const struct bench_drive *drive, const struct binding *place,
		const struct bench_shape *shape, uint64_t stream,
		struct err *err)
{
	struct starting starting = { arena, config, stream };
	int r;

	group->drive = drive;
	group->config = config;
	r = settle_shape(&starting, group, shape, nr_jobs(&starting, place),
			 err);
	if (r == 0)
		r = check_memory(group, nr_jobs(&starting, place), err);
	if (r < 0)
		return r;
	group->gate = bench_gate_new();
	if (!group->gate)
		return err_set(err, -ENOMEM, "out of memory");
	r = start_workers(&starting, group, place, err);
	if (r == 0)
		note_method(group, arena);
	return r;
}

static int wait_worker(const struct bench_group *group,
		       struct bench_worker *worker, uint64_t *left_ns,
		       struct err *err)
{
	while (!bench_worker_has_seen(worker, group->word))
		if (!wait_moment(left_ns))
			return err_set(
				err, -ETIMEDOUT,
				"%s: a read did not come back within %u ms",
				group->drive->name, group->config->hang_ms);
	if (bench_worker_state(worker, err) < 0)
		return err_context(err, "%s", group->drive->name);
	return 0;
}

int group_wait(const struct bench_group *group, uint64_t *left_ns,
	       struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < group->workers.n && r == 0; i++)
		r = wait_worker(group, group->workers.items[i], left_ns, err);
	return r;
}

static struct num zero_ppt(const struct bench_group *group)
{
	uint64_t zero = 0;

	if (!group->sample)
		return num_unknown(0);
	for (size_t i = 0; i < group->workers.n; i++)
		zero += bench_worker_zero_blocks(group->workers.items[i]);
	return num_known(
		(int64_t)(zero * 1000 / (group->sample * group->workers.n)));
}

/* A worker that never entered the epoch was stuck in one read throughout: it
 * did no I/O in that time, and says so by what is missing. */
static void collect(const struct bench_group *group, struct arena *arena,
		    uint32_t number, struct bench_slice *slice)
{
	uint64_t nr_seen = 0;

	slice->latency = ARENA_NEW(arena, struct histogram);
	if (group->shape.write_ppt)
		slice->writes = ARENA_NEW(arena, struct histogram);
	for (size_t i = 0; i < group->workers.n; i++) {
		const struct bench_epoch *epoch =
			bench_worker_epoch(group->workers.items[i], number);

		if (!epoch)
			continue;
		collect_epoch(slice, epoch);
		nr_seen++;
	}
	if (nr_seen)
		slice->elapsed_ns /= nr_seen;
	slice->zero_ppt = zero_ppt(group);
}

int group_collect(const struct bench_group *group, struct arena *arena,
		  struct bench_slice *slice, struct err *err)
{
	collect(group, arena, bench_word_epoch(group->word) - 1, slice);
	if (group->shape.poll && slice->first_error == EOPNOTSUPP) {
		(void)no_poll_queue(err);
		return err_context(err, "%s", group->drive->name);
	}
	if (slice->ios || slice->errors)
		return 0;
	return err_set(err, -ETIMEDOUT, "%s: not one read completed in %u ms",
		       group->drive->name, group->config->measure_ms);
}

void group_end(struct bench_group *group, uint64_t end_ns)
{
	for (size_t i = 0; i < group->workers.n; i++)
		(void)bench_worker_join(group->workers.items[i], end_ns);
	if (group->gate)
		bench_gate_put(group->gate);
}
