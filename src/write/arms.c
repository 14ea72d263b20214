/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/arms.h"

#include <errno.h>

#include "base/err.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/identity.h"

/* NULL: the step has nothing to say in this arm. */
static const char *wanted(const struct step *step, enum arm arm)
{
	if (step->kind != STEP_VALUE || step->progress == STEP_REFUSED)
		return NULL;
	return arm == ARM_BEFORE ? step->before : step->after;
}

static bool is_there(const struct arms *arms, const struct step *step,
		     const char *want, char now[VALUE_TEXT_SIZE])
{
	return attr_read(arms->root, arms->paths[step->nr - 1], now) == 0 &&
	       step_same(step, now, want);
}

static int write_step(const struct arms *arms, const struct step *step,
		      const char *want, struct err *err)
{
	const char *path = arms->paths[step->nr - 1];
	int r = step->nudge && step->unsettled ?
			attr_write_nudged(arms->root, path, want) :
			attr_write(arms->root, path, want);

	if (r < 0)
		return err_errno(err, r, "%s: %s: cannot write \"%s\"",
				 step->target.name, step->key, want);
	return 0;
}

/* What a later step moved once more; it stands after one more write. */
static int settle(const struct arms *arms, enum arm arm, struct err *err)
{
	VEC_EACH(&arms->list->steps, struct step, step) {
		const char *want = wanted(step, arm);
		char now[VALUE_TEXT_SIZE] = "";
		int r;

		if (!want || is_there(arms, step, want, now))
			continue;
		r = write_step(arms, step, want, err);
		if (r < 0)
			return r;
		if (!is_there(arms, step, want, now))
			return err_set(err, -EPROTO,
				       "%s: %s: wrote \"%s\", it reads \"%s\"",
				       step->target.name, step->key, want, now);
	}
	return 0;
}

/* While something is measured, minutes pass: a drive may have been pulled and
 * another one may have its name. */
static int check_drives(const struct arms *arms, struct err *err)
{
	_cleanup_arena_ struct arena *arena = arena_new();

	VEC_EACH(&arms->list->steps, struct step, step) {
		int r;

		if (step->kind != STEP_VALUE)
			continue;
		r = identity_check(arms->root, arena, &step->target);
		if (r < 0)
			return err_set(err, r, "%s: %s while it was measured",
				       step->target.name,
				       r == -ESTALE ? "became another drive" :
						      "has gone");
	}
	return 0;
}

int arms_switch(const struct arms *arms, enum arm arm, struct err *err)
{
	int ready = check_drives(arms, err);

	if (ready < 0)
		return ready;
	VEC_EACH(&arms->list->steps, struct step, step) {
		const char *want = wanted(step, arm);
		int r;

		/* What is only recorded comes with what moves it. */
		if (!want || step->role == ROLE_RECORD)
			continue;
		r = write_step(arms, step, want, err);
		if (r < 0)
			return r;
	}
	return settle(arms, arm, err);
}
