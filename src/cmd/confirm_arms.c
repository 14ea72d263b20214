/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_arms.h"

#include <errno.h>

#include "write/steps.h"
#include "write/value.h"

void confirm_arms_init(struct confirm_arms *it, struct arena *arena,
		       const struct arms *arms)
{
	*it = (struct confirm_arms){
		.arena = arena,
		.arms = arms,
		.refused = arena_array(arena, arms->list->steps.n,
				       sizeof(*it->refused)),
	};
}

static bool differs(const struct confirm_arms *it, const struct step *step)
{
	const char *before = it->wanted[BENCH_BEFORE][step->nr - 1];
	const char *after = it->wanted[BENCH_AFTER][step->nr - 1];

	if (!before || !after)
		return before != after;
	return !step_same(step, before, after);
}

static void find_switched(struct confirm_arms *it)
{
	const struct step_list *list = it->arms->list;

	for (int which = 0; which < BENCH_ARMS; which++)
		it->switched[which] = arena_array(it->arena, list->steps.n,
						  sizeof(*it->switched[which]));
	VEC_EACH(&list->steps, const struct step, step)
		for (int which = 0; which < BENCH_ARMS; which++)
			if (step->unsettled || differs(it, step))
				it->switched[which][step->nr - 1] =
					it->wanted[which][step->nr - 1];
}

void confirm_arms_want(struct confirm_arms *it, const struct plan *before,
		       const struct plan *after)
{
	const struct plan *plans[BENCH_ARMS] = { before, after };
	const struct step_list *list = it->arms->list;

	for (int which = 0; which < BENCH_ARMS; which++) {
		it->wanted[which] = steps_wanted(it->arena, list, plans[which]);
		VEC_EACH(&list->steps, const struct step, step)
			if (it->refused[step->nr - 1])
				it->wanted[which][step->nr - 1] = step->before;
	}
	it->disturbed = false;
	find_switched(it);
}

static bool is_refusal(const struct confirm_arms *it, const struct step *failed,
		       int code)
{
	return failed && !it->refused[failed->nr - 1] &&
	       (code == -EPROTO || value_is_refused(failed, code));
}

int confirm_arms_try(struct confirm_arms *it, const char **ret_why,
		     struct err *err)
{
	const struct step *failed = NULL;
	int r;

	while ((r = arms_set(it->arms, it->wanted[BENCH_AFTER], &failed, err)),
	       r < 0 && is_refusal(it, failed, r)) {
		*ret_why = arena_strdup(it->arena, err->text);
		*err = (struct err){ 0 };
		it->refused[failed->nr - 1] = failed;
		for (int which = 0; which < BENCH_ARMS; which++)
			it->wanted[which][failed->nr - 1] = failed->before;
		failed = NULL;
	}
	find_switched(it);
	return r < 0 ? r :
		       arms_set(it->arms, it->wanted[BENCH_BEFORE], NULL, err);
}

bool confirm_arms_differ_in(const struct confirm_arms *it,
			    const struct step *step)
{
	return step->role != ROLE_RECORD && differs(it, step);
}

bool confirm_arms_differ(const struct confirm_arms *it)
{
	VEC_EACH(&it->arms->list->steps, const struct step, step)
		if (confirm_arms_differ_in(it, step))
			return true;
	return false;
}

int confirm_arms_switch(struct confirm_arms *it, int which, struct err *err)
{
	const char **texts = it->disturbed ? it->wanted[which] :
					     it->switched[which];

	it->disturbed = false;
	return arms_set(it->arms, texts, NULL, err);
}

int confirm_arms_check(struct confirm_arms *it, int which, struct err *err)
{
	int r = arms_check(it->arms, it->wanted[which], err);

	it->disturbed = r == -EPROTO;
	return r;
}
