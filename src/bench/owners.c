/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/owners.h"

#include <errno.h>

#include "base/err.h"
#include "base/parse.h"
#include "bench/counters.h"
#include "bench/watch.h"
#include "sys/sysroot.h"

enum {
	READS,
	OTHERS, /* writes, discards, flushes */
	NR_WAYS
};

struct owner {
	const char *device; /* that is used, to speak of */
	/* Of the head of a multipath drive its paths: not every kernel counts
	 * on the head. */
	VEC(const char *) disks;
	struct counters_disk before;
	struct watch watches[NR_WAYS];
};

struct owners {
	struct arena *arena;
	const struct sysroot *root;
	VEC(struct owner) items;
};

struct owners *owners_new(struct arena *arena, const struct sysroot *root)
{
	struct owners *owners = ARENA_NEW(arena, struct owners);

	owners->arena = arena;
	owners->root = root;
	return owners;
}

/* A queue that does not count shows what it once did, for ever. */
static bool counts(const struct owners *owners, const char *disk)
{
	const char *path = arena_printf(
		owners->arena, "sys/class/block/%s/queue/iostats", disk);

	return num_or(sysroot_num(owners->root, path), 1) != 0;
}

static struct counters_disk count(const struct owners *owners,
				  const struct owner *owner)
{
	struct counters_disk sum = { .known = owner->disks.n > 0 };

	VEC_EACH(&owner->disks, const char *const, it) {
		struct counters_disk disk =
			counters_read_disk(owners->root, *it);

		sum.known = sum.known && disk.known;
		sum.reads += disk.reads;
		sum.read_ms += disk.read_ms;
		sum.others += disk.others;
		sum.other_ms += disk.other_ms;
	}
	return sum;
}

static void add_disks(struct owners *owners, const struct facts *facts,
		      const struct ns *ns, struct owner *owner)
{
	const struct ns *path;

	if (text_equal(owner->device, ns->name) && ns->kind == NS_HEAD)
		for (size_t i = 0; (path = facts_head_path(facts, ns, i)); i++)
			*vec_add(owners->arena, &owner->disks) = path->name;
	if (owner->disks.n == 0)
		*vec_add(owners->arena, &owner->disks) = owner->device;
}

static int add(struct owners *owners, const struct facts *facts,
	       const struct ns *ns, const char *device, struct err *err)
{
	struct owner owner = { .device = device };

	VEC_EACH(&owners->items, const struct owner, it)
		if (text_equal(it->device, device))
			return 0;
	add_disks(owners, facts, ns, &owner);
	VEC_EACH(&owner.disks, const char *const, it)
		if (!counts(owners, *it))
			return err_set(
				err, -EOPNOTSUPP,
				"%s: how long its users wait cannot be seen, as its queue/iostats is 0: write 1 to it, or do not use --in-use",
				*it);
	owner.before = count(owners, &owner);
	if (!owner.before.known)
		return err_set(
			err, -EOPNOTSUPP,
			"%s: how long its users wait cannot be seen: its counters cannot be read",
			device);
	*vec_add(owners->arena, &owners->items) = owner;
	return 0;
}

int owners_add(struct owners *owners, const struct facts *facts,
	       const struct uses *uses, struct err *err)
{
	/* A partition has no queue of its own to say that it counts. */
	bool counted = counts(owners, uses->ns->name);
	int r = 0;

	VEC_EACH(&uses->items, const struct use, it) {
		const char *device = it->device && counted ? it->device :
							     uses->ns->name;

		r = add(owners, facts, uses->ns, device, err);
		if (r < 0)
			break;
	}
	return r;
}

static void split(const struct counters_disk *disk,
		  struct watch_count ret[NR_WAYS])
{
	ret[READS] = (struct watch_count){ disk->reads, disk->read_ms };
	ret[OTHERS] = (struct watch_count){ disk->others, disk->other_ms };
}

void owners_start(struct owners *owners)
{
	VEC_EACH(&owners->items, struct owner, it) {
		struct counters_disk now = count(owners, it);
		struct watch_count before[NR_WAYS], after[NR_WAYS];

		split(&it->before, before);
		split(&now, after);
		for (int way = 0; way < NR_WAYS; way++)
			watch_start(&it->watches[way], before[way], after[way]);
	}
}

static int look_at(struct owners *owners, struct owner *owner, struct err *err)
{
	struct counters_disk disk = count(owners, owner);
	struct watch_count now[NR_WAYS];

	/* What cannot be read just now says nothing. */
	if (!disk.known)
		return 0;
	split(&disk, now);
	for (int way = 0; way < NR_WAYS; way++) {
		struct watch *watch = &owner->watches[way];
		uint64_t ns;

		if (watch_look(watch, now[way], &ns) == WATCH_DOUBLED)
			return err_set(
				err, -EBUSY,
				"%s: its users wait %llu us for a %s instead of %llu us: no more is read from it",
				owner->device, (unsigned long long)ns / 1000,
				way == READS ? "read" : "write",
				(unsigned long long)watch->usual_ns / 1000);
	}
	return 0;
}

int owners_look(void *data, struct err *err)
{
	struct owners *owners = data;
	int r = 0;

	for (size_t i = 0; i < owners->items.n && r == 0; i++)
		r = look_at(owners, &owners->items.items[i], err);
	return r;
}
