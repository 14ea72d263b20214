/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/load_uses.h"

#include <errno.h>
#include <time.h>

#include "base/err.h"
#include "base/parse.h"
#include "bench/counters.h"
#include "cmd/interrupt.h"
#include "probe/uses.h"
#include "sys/device.h"

/* What somebody does at least once in each of two looks goes on. */
#define LOOKS 2U

static int find_held(const struct load_look *look, bool *held, struct err *err)
{
	for (size_t i = 0; i < look->n; i++) {
		const struct ns *ns = look->all[i].ns;
		dev_t dev;
		int r;

		if (!ns->dev || device_number_parse(ns->dev, &dev) < 0)
			return err_set(err, -ENODEV,
				       "%s: its device number is unknown",
				       ns->name);
		r = device_is_held(arena_printf(look->arena, "/dev/%s",
						ns->name),
				   dev, err);
		if (r < 0)
			return r;
		held[i] = r > 0;
	}
	return 0;
}

static int wait_a_second(struct err *err)
{
	const volatile sig_atomic_t *interrupted = interrupt_flag();
	struct timespec left = { .tv_sec = 1 };

	while (!*interrupted && nanosleep(&left, &left) < 0)
		;
	return *interrupted ? err_set(err, -EINTR, "interrupted") : 0;
}

/* The same disks, with nobody on them yet. */
static struct uses *without_users(const struct load_look *look)
{
	struct uses *empty = arena_array(look->arena, look->n, sizeof(*empty));

	for (size_t i = 0; i < look->n; i++) {
		empty[i] = look->all[i];
		empty[i].items.items = NULL;
		empty[i].items.n = empty[i].items.cap = 0;
	}
	return empty;
}

static void find_open(const struct load_look *look, struct uses *ret)
{
	probe_uses_open(look->root, look->arena, ret, look->n);
}

/* udev opens each disk for a moment, and is no user: those who stay are. */
static void keep_who_stays(const struct load_look *look,
			   const struct uses *before, const struct uses *after)
{
	for (size_t i = 0; i < look->n; i++)
		VEC_EACH(&after[i].items, const struct use, now)
			VEC_EACH(&before[i].items, const struct use, then)
				/* Programs rename themselves. */
				if (now->pid == then->pid &&
				    text_equal(now->device, then->device))
					uses_add(look->arena, &look->all[i],
						 *now);
}

/* Of a head its paths count, too; not every kernel counts on the head. */
static uint64_t ios_of(const struct load_look *look, const struct ns *ns)
{
	struct counters_disk disk = counters_read_disk(look->root, ns->name);
	uint64_t ios = disk.reads + disk.others;
	const struct ns *path;

	for (size_t i = 0; ns->kind == NS_HEAD &&
			   (path = facts_head_path(look->facts, ns, i));
	     i++) {
		disk = counters_read_disk(look->root, path->name);
		ios += disk.reads + disk.others;
	}
	return ios;
}

static void read_ios(const struct load_look *look, uint64_t *ret)
{
	for (size_t i = 0; i < look->n; i++)
		ret[i] = ios_of(look, look->all[i].ns);
}

/* The least of what was done in a second of those looked at so far; true while
 * that is more than nothing on a disk that nobody else is known to use. */
static bool still_moves(const struct load_look *look, const uint64_t *before,
			const uint64_t *now, uint64_t *least)
{
	bool any = false;

	for (size_t i = 0; i < look->n; i++) {
		uint64_t ios = now[i] - before[i];

		least[i] = ios < least[i] ? ios : least[i];
		any |= least[i] && look->all[i].items.n == 0;
	}
	return any;
}

static void add_movers(const struct load_look *look, const uint64_t *least)
{
	for (size_t i = 0; i < look->n; i++)
		if (least[i] && look->all[i].items.n == 0)
			uses_add(
				look->arena, &look->all[i],
				(struct use){
					.kind = USE_IO,
					.who = arena_printf(
						look->arena,
						"somebody who is not seen here (%llu I/Os a second)",
						(unsigned long long)least[i]) });
}

static int watch_owners(const struct load_look *look, struct err *err)
{
	int r = 0;

	for (size_t i = 0; look->owners && i < look->n && r == 0; i++)
		r = owners_add(look->owners, look->facts, &look->all[i], err);
	return r;
}

/* Those who have a disk open, and those whose I/Os show alone. */
static int find_active(const struct load_look *look, struct err *err)
{
	uint64_t *before = arena_array(look->arena, look->n, sizeof(*before));
	uint64_t *now = arena_array(look->arena, look->n, sizeof(*now));
	uint64_t *least = arena_array(look->arena, look->n, sizeof(*least));
	struct uses *then = without_users(look), *after = without_users(look);
	bool moves = true;

	for (size_t i = 0; i < look->n; i++)
		least[i] = UINT64_MAX;
	find_open(look, then);
	for (unsigned int i = 0; i < LOOKS && moves; i++) {
		int r;

		read_ios(look, before);
		r = wait_a_second(err);
		if (r < 0)
			return r;
		read_ios(look, now);
		if (i == 0) {
			find_open(look, after);
			keep_who_stays(look, then, after);
		}
		moves = still_moves(look, before, now, least);
	}
	add_movers(look, least);
	return 0;
}

int load_uses_find(const struct load_look *look, struct err *err)
{
	bool *held = arena_array(look->arena, look->n, sizeof(*held));
	int r = find_held(look, held, err);

	if (r < 0)
		return r;
	probe_uses_stacked(look->root, look->arena, look->facts, look->all,
			   look->n);
	probe_uses_elsewhere(look->root, look->arena, held, look->all, look->n);
	r = watch_owners(look, err);
	if (r == 0)
		r = find_active(look, err);
	if (r == 0)
		r = watch_owners(look, err);
	if (r == 0 && look->owners)
		owners_start(look->owners);
	return r;
}
