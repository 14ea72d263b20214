/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Finding observations and twins without looking through all of them: hosts
 * have hundreds of namespaces, and each is looked up for every knob.
 */

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "core/planner.h"

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare(const struct observation *a, const struct observation *b)
{
	int order = compare_texts(a->target, b->target);

	if (order == 0)
		order = compare_texts(a->knob, b->knob);
	if (order == 0)
		order = (a->target_kind > b->target_kind) -
			(a->target_kind < b->target_kind);
	return order;
}

/* Of two with the same key the first in the facts counts. */
static int by_key(const void *left, const void *right)
{
	const struct observation *const *a = left, *const *b = right;
	int order = compare(*a, *b);

	return order ? order : (*a > *b) - (*a < *b);
}

static void index_observed(struct planner *planner)
{
	const size_t n = planner->facts->observed.n;
	size_t i = 0;

	planner->observed =
		arena_array(planner->arena, n + 1, sizeof(*planner->observed));
	VEC_EACH(&planner->facts->observed, const struct observation, it)
		planner->observed[i++] = it;
	if (n)
		qsort(planner->observed, n, sizeof(*planner->observed), by_key);
}

/* The first whose key is not below the one that is sought. */
static size_t lower_bound(const struct planner *planner,
			  const struct observation *key)
{
	size_t low = 0, high = planner->facts->observed.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(planner->observed[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct observation *plan_observed(struct planner *planner,
					const struct facts *facts,
					const char *knob,
					const struct target *target)
{
	const struct observation key = {
		.knob = knob,
		.target_kind = (int64_t)target->kind,
		.target = target->name,
	};
	const struct observation *found;
	size_t at;

	if (!planner->observed)
		index_observed(planner);
	at = lower_bound(planner, &key);
	if (at == planner->facts->observed.n)
		return NULL;
	found = planner->observed[at];
	if (compare(found, &key) != 0)
		return NULL;
	return &facts->observed.items[found - planner->facts->observed.items];
}

static int by_identity(const void *left, const void *right)
{
	const struct site *a = left, *b = right;

	return compare_texts(a->target.id, b->target.id);
}

static struct twins *find_twins(struct planner *planner,
				const struct knob *knob)
{
	struct site_list list = sites_of(planner->arena, planner->facts, knob);
	struct twins *twins = vec_add(planner->arena, &planner->twins);

	*twins = (struct twins){ .knob = knob };
	if (list.sites.n)
		qsort(list.sites.items, list.sites.n, sizeof(struct site),
		      by_identity);
	for (size_t i = 1; i < list.sites.n; i++) {
		const struct target *a = &list.sites.items[i - 1].target;
		const struct target *b = &list.sites.items[i].target;

		if (compare_texts(a->id, b->id) != 0)
			continue;
		*vec_add(planner->arena, &twins->targets) = *a;
		*vec_add(planner->arena, &twins->targets) = *b;
	}
	return twins;
}

const struct target *plan_twin(struct planner *planner, const struct knob *knob,
			       const struct target *target)
{
	const struct twins *twins = NULL;

	VEC_EACH(&planner->twins, const struct twins, it)
		if (it->knob == knob)
			twins = it;
	if (!twins)
		twins = find_twins(planner, knob);
	VEC_EACH(&twins->targets, const struct target, it)
		if (text_equal(it->id, target->id) &&
		    (it->kind != target->kind ||
		     !text_equal(it->name, target->name)))
			return it;
	return NULL;
}
