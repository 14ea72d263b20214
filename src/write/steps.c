/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/steps.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/owner.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/exec.h"
#include "write/file.h"
#include "write/folder.h"
#include "write/identity.h"

struct builder {
	struct arena *arena;
	const struct steps_input *input;
	struct step_list list;
	struct err *err;
};

char *step_path(struct arena *arena, const struct step *step)
{
	return arena_printf(arena, "%s/%s", step->target.dir, step->attr);
}

static bool has_name(const char *const *names, const char *name)
{
	for (; names && *names; names++)
		if (text_equal(*names, name))
			return true;
	return false;
}

static bool is_written(const struct change *change)
{
	return change->origin != ORIGIN_EFFECT &&
	       change->verdict == VERDICT_CHANGE && change->knob->attr;
}

static bool moves(const struct change *change, const struct change *other)
{
	return is_written(change) &&
	       has_name(change->knob->disturbs, other->key);
}

/* Does some change that will be made move this one's attribute too?  Of
 * whatever disk: queues of one controller share what is behind them. */
static bool is_unsettled(const struct plan *plan, const struct change *change)
{
	VEC_EACH(&plan->changes, const struct change, it)
		if (moves(it, change))
			return true;
	return false;
}

static bool is_moved_here(const struct plan *plan, const struct change *change)
{
	VEC_EACH(&plan->changes, const struct change, it)
		if (moves(it, change) &&
		    text_equal(it->target.name, change->target.name))
			return true;
	return false;
}

/* It is as wanted, on a drive that will come back with its defaults, and with
 * new vectors. */
static bool is_lost_by_reload(const struct change *change)
{
	return change->verdict == VERDICT_KEEP && !change->settled &&
	       change->origin == ORIGIN_PROFILE &&
	       (change->target.kind == TARGET_CTRL ||
		change->target.kind == TARGET_FUNCTION ||
		change->target.kind == TARGET_VECTOR ||
		change->target.kind == TARGET_QUEUE ||
		change->target.kind == TARGET_SUBSYSTEM);
}

/* What is written, and what only has to be known to bring it back: an
 * attribute may be moved though the profile cannot have what it wants. */
static bool is_step(const struct steps_input *input,
		    const struct change *change)
{
	if (!change->knob->attr || change->have.type == VALUE_NONE)
		return false;
	return is_written(change) || is_moved_here(input->plan, change) ||
	       (input->reload && is_lost_by_reload(change));
}

static enum step_role role_of(const struct change *change)
{
	if (change->verdict == VERDICT_CANNOT)
		return ROLE_RECORD;
	if (change->put_back || change->verdict == VERDICT_KEEP)
		return ROLE_PUT_BACK;
	switch (change->origin) {
	case ORIGIN_PROFILE:
		return ROLE_SET;
	case ORIGIN_RETURN:
		return ROLE_RETURN;
	case ORIGIN_EFFECT:
		break;
	}
	return ROLE_RECORD;
}

/* Is there something that sets it again after a boot? */
static bool does_last(const struct builder *builder,
		      const struct change *change)
{
	return change->persistence == PERSIST_KERNEL ||
	       ((change->persistence == PERSIST_RULE ||
		 change->persistence == PERSIST_HELPER ||
		 change->persistence == PERSIST_SYSCTL) &&
		builder->input->files);
}

/*
 * What the plan was made for must still be there.  -ENODEV: it is not, which
 * is as if it had gone a moment later, before its write.
 */
static int check_value(struct builder *builder, const struct step *step)
{
	char now[VALUE_TEXT_SIZE];
	int r = identity_check(builder->input->root, builder->arena,
			       &step->target);

	if (r == -ESTALE)
		return err_set(builder->err, -ENODEV, "%s: %s: %s",
			       step->target.name, step->key,
			       identity_stale(&step->target));
	if (r == 0)
		r = attr_read(builder->input->root,
			      step_path(builder->arena, step), now);
	if (r == -ENODEV || r == -ENOENT)
		return err_set(builder->err, -ENODEV,
			       "%s: %s: the drive has gone", step->target.name,
			       step->key);
	if (r < 0)
		return err_errno(builder->err, r, "%s: %s: cannot read",
				 step->target.name, step->key);
	if (!step_same(step, now, step->before))
		return err_set(
			builder->err, -ESTALE,
			"%s: %s is \"%s\" now and was \"%s\" when the plan was made; run it again",
			step->target.name, step->key, now, step->before);
	return 0;
}

static int add_value(struct builder *builder, const struct change *change)
{
	struct arena *arena = builder->arena;
	struct step *step = vec_add(arena, &builder->list.steps);

	*step = (struct step){
		.kind = STEP_VALUE,
		.role = role_of(change),
		.key = change->key,
		.knob = change->knob,
		.target = change->target,
		.attr = change->knob->attr,
		.before = value_string(arena, &change->have),
		.nudge = change->knob->flags & KNOB_NUDGE,
		.unsettled = builder->input->reload ||
			     is_unsettled(builder->input->plan, change),
		.lasts = does_last(builder, change),
	};
	if (step->role != ROLE_RECORD)
		step->after = value_string(arena, &change->want);
	return check_value(builder, step);
}

static int leave_out(struct builder *builder, int code)
{
	const struct steps_input *input = builder->input;

	if (!input->keep_going && code != -ENODEV)
		return code;
	if (input->left_out)
		input->left_out(input->data, code, builder->err->text);
	*builder->err = (struct err){ 0 };
	return 0;
}

static int add_folders(struct builder *builder, const char *path)
{
	struct folder_list missing = { { 0 } };

	VEC_EACH(&builder->list.steps, struct step, it)
		if (it->kind == STEP_FOLDER)
			*vec_add(builder->arena, &missing.paths) = it->path;
	const size_t known = missing.paths.n;

	folder_list_missing(builder->input->root, builder->arena, path,
			    &missing);
	for (size_t i = known; i < missing.paths.n; i++)
		*vec_add(builder->arena, &builder->list.steps) =
			(struct step){ .kind = STEP_FOLDER,
				       .path = missing.paths.items[i] };
	return 0;
}

static int add_file(struct builder *builder, const struct planned_file *file)
{
	const struct sysroot *root = builder->input->root;
	struct err *err = builder->err;
	unsigned int mode = FILE_MODE_DEFAULT;
	char *now = NULL;
	struct step *step;
	int r;

	if (file->action == FILE_CONFLICT)
		return err_set(err, -EEXIST, "%s: %s", file->path,
			       file->reason ? file->reason :
					      "is not nvmetune's");
	r = file_read(root, builder->arena, file->path, &now, &mode, err);
	if (r < 0)
		return r;
	if (now && !owner_is_us(now))
		return err_set(err, -EEXIST,
			       "%s: was not written by nvmetune; move it away",
			       file->path);
	if (!text_equal(now, file->have))
		return err_set(
			err, -ESTALE,
			"%s: changed since the plan was made; run it again",
			file->path);
	r = file_check_writable(root, file->path, err);
	if (r < 0)
		return r;
	if (file->want)
		(void)add_folders(builder, file->path);
	step = vec_add(builder->arena, &builder->list.steps);
	*step = (struct step){
		.kind = STEP_FILE,
		.path = file->path,
		.old_text = now,
		.new_text = file->want,
		.old_mode = mode,
		.new_mode = file->mode ? file->mode : mode,
	};
	return 0;
}

/* Found before the first write rather than at it: nothing could be undone
 * either. */
static int check_sys(const struct builder *builder, const struct change *change)
{
	if (!is_written(change) ||
	    !sysroot_is_read_only(builder->input->root, change->target.dir))
		return 0;
	return err_set(
		builder->err, -EROFS,
		"/%s is mounted read-only here, as in a container or a service with ProtectKernelTunables=: no value can be changed; --persist-only writes the files alone",
		text_has_prefix(change->target.dir, "proc") ? "proc" : "sys");
}

static int add_values(struct builder *builder)
{
	const struct plan *plan = builder->input->plan;

	VEC_EACH(&plan->changes, const struct change, change) {
		int r = check_sys(builder, change);

		if (r < 0)
			return r;
	}
	VEC_EACH(&plan->changes, const struct change, change) {
		int r;

		if (!is_step(builder->input, change))
			continue;
		r = add_value(builder, change);
		if (r < 0) {
			builder->list.steps.n--;
			r = leave_out(builder, r);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

/* Where no file can be put the same texts go into a configuration of which
 * /etc is made. */
static int check_etc(const struct builder *builder)
{
	const struct sysroot *root = builder->input->root;
	const char *why = NULL;

	if (sysroot_is_read_only(root, "etc"))
		why = "is mounted read-only";
	else if (sysroot_is_image(root) && !sysroot_exists(root, "etc") &&
		 sysroot_exists(root, "usr/etc"))
		why = "is in usr/etc, as in an ostree commit, and made anew from there";
	if (!why)
		return 0;
	return err_set(
		builder->err, -EROFS,
		"/etc %s: nothing is written; \"nvmetune plan --export udev\" (or modprobe, sysctl, systemd, cmdline) prints the text for your own configuration",
		why);
}

static bool has_file(const struct plan *plan)
{
	VEC_EACH(&plan->files, const struct planned_file, it)
		if (it->action != FILE_SAME)
			return true;
	return false;
}

static int add_files(struct builder *builder)
{
	int code = has_file(builder->input->plan) ? check_etc(builder) : 0;

	if (code < 0)
		return code;
	VEC_EACH(&builder->input->plan->files, const struct planned_file, it) {
		int r;

		if (it->action == FILE_SAME)
			continue;
		r = add_file(builder, it);
		if (r < 0)
			r = leave_out(builder, r);
		if (r < 0)
			return r;
	}
	return 0;
}

static const struct change *change_of(const struct plan *plan,
				      const struct step *step)
{
	VEC_EACH(&plan->changes, const struct change, it)
		if (it->target.kind == step->target.kind &&
		    text_equal(it->key, step->key) &&
		    text_equal(it->target.name, step->target.name))
			return it;
	return NULL;
}

static const char *wanted(struct arena *arena, const struct plan *plan,
			  const struct step *step)
{
	const struct change *change = change_of(plan, step);

	if (step->kind != STEP_VALUE)
		return NULL;
	if (!change || change->have.type == VALUE_NONE)
		return step->before;
	if (is_written(change))
		return value_string(arena, &change->want);
	if (change->put_back || !is_moved_here(plan, change))
		return step->before;
	return NULL;
}

const char **steps_wanted(struct arena *arena, const struct step_list *list,
			  const struct plan *plan)
{
	const char **texts = arena_array(arena, list->steps.n, sizeof(*texts));
	size_t i = 0;

	VEC_EACH(&list->steps, const struct step, step)
		texts[i++] = wanted(arena, plan, step);
	return texts;
}

static void add_action(struct builder *builder, enum step_action action,
		       const char *name)
{
	*vec_add(builder->arena, &builder->list.steps) = (struct step){
		.kind = STEP_ACTION, .action = action, .path = name
	};
}

/* Is a file among the steps that systemd reads? */
static bool has_unit(const struct builder *builder)
{
	VEC_EACH(&builder->list.steps, const struct step, step)
		if (step->kind == STEP_FILE &&
		    text_has_prefix(step->path, OWNER_UNITS))
			return true;
	return false;
}

int steps_from_plan(struct arena *arena, const struct steps_input *input,
		    struct step_list *ret, struct err *err)
{
	struct builder builder = { .arena = arena, .input = input, .err = err };
	int r = 0;

	if (input->values)
		r = add_values(&builder);
	if (r == 0 && input->files)
		r = add_files(&builder);
	if (r == 0 && exec_has_systemd(input->root) && has_unit(&builder))
		add_action(&builder, ACTION_UNITS, "systemd units");
	if (r == 0 && input->initramfs)
		add_action(&builder, ACTION_INITRAMFS, "initramfs");
	if (r == 0 && input->grub)
		add_action(&builder, ACTION_GRUB, "grub.cfg");
	if (r == 0 && input->reload)
		add_action(&builder, ACTION_RELOAD, "module nvme");
	if (r == 0)
		*ret = builder.list;
	return r;
}
