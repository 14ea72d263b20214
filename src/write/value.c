/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/value.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/knob.h"
#include "write/attr.h"
#include "write/identity.h"

static bool may_refuse(const struct step *step)
{
	return step->knob && step->knob->flags & KNOB_MAY_REFUSE;
}

/* A word that is newer than the kernel is a refusal. */
static int refusal_of(const struct step *step, int code)
{
	return code == -EINVAL && may_refuse(step) ? -EOPNOTSUPP : code;
}

/* The attribute is as it was wanted; is the drive, too? */
static int check_knob(const struct sysroot *root, const struct step *step,
		      struct err *err)
{
	if (!step->knob || !step->knob->check)
		return 0;
	return step->knob->check(step->knob, root, &step->target, step->after,
				 err);
}

int value_write(const struct sysroot *root, const struct step *step,
		const char *path, bool nudge, char left[VALUE_TEXT_SIZE],
		struct err *err)
{
	struct err why = { 0 };
	int r = 0;

	if (nudge)
		r = attr_write_nudged(root, path, step->after);
	else if (attr_write_told(root, path, step->after, &why) < 0)
		return err_set(err, refusal_of(step, why.code),
			       "%s: %s: cannot write \"%s\": %s",
			       step->target.name, step->key, step->after,
			       why.text);
	if (r < 0)
		return err_errno(err, r, "%s: %s: cannot write \"%s\"",
				 step->target.name, step->key, step->after);
	r = attr_read(root, path, left);
	if (r < 0)
		return err_set(
			err, attr_is_gone(r) ? r : -EPROTO,
			"%s: %s: wrote \"%s\", and cannot read it back: %s",
			step->target.name, step->key, step->after,
			strerror(-r));
	if (!step_same(step, left, step->after))
		return err_set(
			err, may_refuse(step) ? -EOPNOTSUPP : -EPROTO,
			"%s: %s: wrote \"%s\" without an error, but it reads \"%s\"",
			step->target.name, step->key, step->after, left);
	return check_knob(root, step, err);
}

int value_check_drive(const struct sysroot *root, struct arena *arena,
		      const struct step *step, struct err *err)
{
	int r = identity_check(root, arena, &step->target);

	if (r == -ESTALE)
		return err_set(err, -ENODEV, "%s: %s: %s", step->target.name,
			       step->key, identity_stale(&step->target));
	if (r < 0)
		return err_set(err, -ENODEV, "%s: %s: the drive has gone",
			       step->target.name, step->key);
	return 0;
}

/* A vector that finds no room on the CPUs stays where it is; elsewhere a full
 * device is a failure. */
bool value_is_refused(const struct step *step, int code)
{
	return attr_is_refusal(code) ||
	       (code == -ENOSPC && step->target.kind == TARGET_VECTOR);
}

bool value_needs_nudge(const struct step_list *list, const struct step *step)
{
	if (!step->nudge || !step->unsettled)
		return false;
	for (const struct step *it = list->steps.items; it < step; it++)
		if (it->progress == STEP_DONE &&
		    text_equal(it->target.name, step->target.name))
			return true;
	return false;
}

bool value_reads_as(const struct sysroot *root, const struct step *step,
		    const char *path, const char *text)
{
	char now[VALUE_TEXT_SIZE];

	return attr_read(root, path, now) == 0 && step_same(step, now, text);
}
