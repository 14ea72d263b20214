/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/interrupts.h"

#include "base/arena.h"
#include "base/parse.h"
#include "sys/sysroot.h"

/* What others raise on a line that is shared is not the drive's. */
void interrupts_add(struct arena *arena, const struct facts *facts,
		    const struct ctrl *ctrl, struct interrupts *interrupts)
{
	interrupts->possible = facts->possible;
	VEC_EACH(&ctrl->vectors, const struct vector, it)
		if (it->queue.known && !num_or(it->shared, 0))
			*vec_add(arena, &interrupts->irqs) = it->irq;
}

/* "0,12,0,3": one number for each possible CPU. */
static bool read_vector(const struct sysroot *root, struct arena *arena,
			const struct interrupts *interrupts, int64_t irq,
			struct interrupts_look *look)
{
	_cleanup_arena_ struct arena *texts = arena_new();
	const char *path = arena_printf(
		texts, "sys/kernel/irq/%lld/per_cpu_count", (long long)irq);
	const char *text = sysroot_text(root, texts, path, NULL);
	size_t n = 0;
	uint64_t value;

	while (text && parse_u64_prefix(&text, &value) == 0) {
		*vec_add(arena, &look->counts) = value;
		n++;
		text += *text == ',';
	}
	return text && !*text && n == cpuset_count(&interrupts->possible);
}

void interrupts_read(const struct sysroot *root, struct arena *arena,
		     const struct interrupts *interrupts,
		     struct interrupts_look *look)
{
	look->counts.n = 0;
	look->known = interrupts->irqs.n > 0;
	VEC_EACH(&interrupts->irqs, const int64_t, irq)
		look->known = look->known &&
			      read_vector(root, arena, interrupts, *irq, look);
}

/* They have 32 bits and come round; more than half of that is none, the
 * counter was set back. */
static bool add(uint64_t before, uint64_t after, uint64_t *sum)
{
	uint32_t n = (uint32_t)(after - before);

	*sum += n;
	return n <= INT32_MAX;
}

bool interrupts_between(struct arena *arena,
			const struct interrupts *interrupts,
			const struct interrupts_look *before,
			const struct interrupts_look *after,
			struct cpu_counts *ret)
{
	struct cpu_counts counts = { .cpus = { 0 } };
	const size_t nr_cpus = cpuset_count(&interrupts->possible);
	size_t column = 0;

	if (!before->known || !after->known)
		return false;
	CPUSET_EACH(&interrupts->possible, cpu) {
		uint64_t sum = 0;

		for (size_t i = column++; i < after->counts.n; i += nr_cpus)
			if (!add(before->counts.items[i],
				 after->counts.items[i], &sum))
				return false;
		if (sum == 0)
			continue;
		cpuset_add(arena, &counts.cpus, (unsigned int)cpu);
		*vec_add(arena, &counts.counts) = (int64_t)sum;
	}
	*ret = counts;
	return true;
}
