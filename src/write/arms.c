/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/arms.h"

#include <errno.h>

#include "base/err.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/identity.h"
#include "write/value.h"

static const char *path_of(const struct arms *arms, const struct step *step)
{
	return arms->paths[step->nr - 1];
}

static int write_step(const struct arms *arms, const struct step *step,
		      const char *want, struct err *err)
{
	struct step as_wanted = *step;
	char left[VALUE_TEXT_SIZE];

	as_wanted.after = want;
	return value_write(arms->root, &as_wanted, path_of(arms, step),
			   step->nudge && step->unsettled, left, err);
}

/* What a later step moved once more; it stands after one more write. */
static int settle(const struct arms *arms, const char *const *wanted,
		  const struct step **ret_failed, struct err *err)
{
	VEC_EACH(&arms->list->steps, struct step, step) {
		const char *want = wanted[step->nr - 1];
		int r;

		if (!want ||
		    value_reads_as(arms->root, step, path_of(arms, step), want))
			continue;
		*ret_failed = step;
		r = write_step(arms, step, want, err);
		if (r < 0)
			return r;
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

static int check(const struct arms *arms, const char *const *wanted,
		 const struct step **ret_failed, struct err *err)
{
	VEC_EACH(&arms->list->steps, struct step, step) {
		const char *want = wanted[step->nr - 1];
		char now[VALUE_TEXT_SIZE] = "";

		if (!want ||
		    value_reads_as(arms->root, step, path_of(arms, step), want))
			continue;
		*ret_failed = step;
		(void)attr_read(arms->root, path_of(arms, step), now);
		return err_set(err, -EPROTO,
			       "%s: %s was set to \"%s\", and it reads \"%s\"",
			       step->target.name, step->key, want, now);
	}
	return 0;
}

int arms_set(const struct arms *arms, const char *const *wanted,
	     const struct step **ret_failed, struct err *err)
{
	const struct step *failed = NULL;
	int r = check_drives(arms, err);

	VEC_EACH(&arms->list->steps, struct step, step) {
		const char *want = wanted[step->nr - 1];

		if (r < 0)
			break;
		/* What is only recorded comes with what moves it. */
		if (!want || step->role == ROLE_RECORD)
			continue;
		failed = step;
		r = write_step(arms, step, want, err);
	}
	if (r == 0)
		r = settle(arms, wanted, &failed, err);
	if (r == 0)
		r = check(arms, wanted, &failed, err);
	if (r < 0 && ret_failed)
		*ret_failed = failed;
	return r;
}

int arms_check(const struct arms *arms, const char *const *wanted,
	       struct err *err)
{
	const struct step *failed;

	return check(arms, wanted, &failed, err);
}
