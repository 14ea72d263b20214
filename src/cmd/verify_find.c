/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/verify_find.h"

#include <string.h>

#include "base/parse.h"
#include "core/boot.h"
#include "core/owner.h"
#include "core/runner.h"
#include "write/state.h"

struct finding *findings_add(struct findings *findings, enum finding_kind kind,
			     const char *what)
{
	struct finding *it = vec_add(findings->ctx->arena, &findings->items);

	it->kind = kind;
	it->what = what;
	findings->nr_drift += kind == FINDING_DRIFT;
	return it;
}

static const char *culprits(struct arena *arena, const struct change *change)
{
	struct strbuf sb;

	if (change->origin == ORIGIN_RETURN)
		return change->reason;
	if (change->set_by.n == 0)
		return "no udev rule or option says so: set by hand, or by a program";
	strbuf_init(&sb, arena);
	VEC_EACH(&change->set_by, const char *, it)
		strbuf_printf(&sb, "%s%s", sb.len ? "; " : "set by ", *it);
	return sb.text;
}

static bool is_this_boot(const struct findings *findings)
{
	const struct applied *applied = findings->ctx->applied;

	return applied && applied->boot_id &&
	       text_equal(applied->boot_id, findings->ctx->facts->boot_id);
}

/* Known to be one; a user may not read the journals. */
static bool is_later_boot(const struct findings *findings)
{
	const struct applied *applied = findings->ctx->applied;

	return applied && applied->boot_id && findings->ctx->facts->boot_id &&
	       !is_this_boot(findings);
}

/* What keeps something written from being used: in the file that holds it, in
 * an earlier boot, and in this one. */
struct waiting {
	const char *missing;
	const char *old;
	const char *now;
};

static struct waiting waiting_for_boot(const struct change *change)
{
	const bool is_old = change->needs & NEED_GRUB;

	return (struct waiting){
		.missing = "its word is not in " OWNER_WORDS,
		.old = is_old ?
			       "pending since an earlier boot: grub.cfg is perhaps older than the word" :
			       "pending since an earlier boot, though grub.cfg was made since: a later file of grub.d or another entry keeps it from being used",
		.now = is_old ?
			       "written: true after \"update-grub\" and a reboot" :
			       "true after a reboot",
	};
}

static struct waiting waiting_for_load(const struct findings *findings,
				       const struct change *change)
{
	const bool is_old = boot_image_age(findings->ctx->facts) == IMAGE_OLDER;

	return (struct waiting){
		.missing = "its line in modprobe.d is not there",
		.old = change->needs & NEED_INITRAMFS ?
			       "pending since an earlier boot: an old initramfs or another option keeps it from being used" :
			       "pending since an earlier boot, though the initramfs was built since: another option keeps it from being used",
		.now = is_old ?
			       "written, but the initramfs is older: rebuild it, then reload the module or reboot" :
			       "true after a reload of the module or a reboot",
	};
}

static struct waiting waiting_for_restart(const struct findings *findings,
					  const struct change *change)
{
	return (struct waiting){
		.missing = "our drop-in of its unit is not there",
		.old = "pending since an earlier boot: something else starts it in another way",
		.now = arena_printf(findings->ctx->arena,
				    "true after a restart of %s",
				    change->restart),
	};
}

static struct waiting waiting_of(const struct findings *findings,
				 const struct change *change)
{
	if (change->restart)
		return waiting_for_restart(findings, change);
	return change->persistence == PERSIST_WORD ?
		       waiting_for_boot(change) :
		       waiting_for_load(findings, change);
}

/* What waits for a reload or a boot since this boot is as it was left. */
static void look_at_later(struct findings *findings,
			  const struct change *change)
{
	const struct waiting waiting = waiting_of(findings, change);
	struct finding *it;

	if (change->persistence == PERSIST_CANNOT) {
		it = findings_add(findings, FINDING_DRIFT, change->id);
		it->why = change->persist_reason;
		findings->nr_conflicts++;
	} else if (!change->pending) {
		findings_add(findings, FINDING_DRIFT, change->id)->why =
			waiting.missing;
	} else if (is_later_boot(findings)) {
		findings_add(findings, FINDING_DRIFT, change->id)->why =
			waiting.old;
	} else {
		findings_add(findings, FINDING_PENDING, change->id)->why =
			waiting.now;
	}
}

/* As the plan said it would be; nobody is to be sought.  A boot that it did
 * not outlive is over, and what is missing now is missing for good. */
static void look_at_unkept(struct findings *findings,
			   const struct change *change)
{
	const bool lost = is_later_boot(findings);

	findings->nr_lost += !lost;
	findings_add(findings, lost ? FINDING_DRIFT : FINDING_PENDING,
		     change->id)
		->why = arena_printf(findings->ctx->arena,
				     lost ? "lost since an earlier boot: %s" :
					    "true after another apply: %s",
				     change->persist_reason);
}

/* "nvme0" of its vector "nvme0q0", otherwise the target itself. */
static const char *drive_of(struct arena *arena, const struct change *change)
{
	const char *name = change->target.name;

	return change->target.kind == TARGET_VECTOR ?
		       arena_strndup(arena, name, strcspn(name, "q")) :
		       name;
}

/* The event that it waits for may have come when it had to keep out of the
 * way, or not at all: before 5.18 a reset sends none. */
static void look_at_helpers(struct findings *findings,
			    const struct change *change)
{
	findings_add(findings, FINDING_DRIFT, change->id)->why = arena_printf(
		findings->ctx->arena,
		"the device helper has not set it since; \"nvmetune device %s\" does; %s",
		drive_of(findings->ctx->arena, change),
		culprits(findings->ctx->arena, change));
}

/* A value that differs, and could be changed now. */
static void look_at_value(struct findings *findings,
			  const struct change *change)
{
	const struct applied *applied = findings->ctx->applied;

	if (applied && applied->persist_only && is_this_boot(findings))
		findings_add(findings, FINDING_PENDING, change->id)->why =
			"applied with --persist-only: true after a reboot";
	else if ((change->knob->kept == KEPT_NOT ||
		  change->knob->kept == KEPT_BY_HELPER) &&
		 change->persistence == PERSIST_CANNOT)
		look_at_unkept(findings, change);
	else if (change->persistence == PERSIST_HELPER)
		look_at_helpers(findings, change);
	else
		findings_add(findings, FINDING_DRIFT, change->id)->why =
			culprits(findings->ctx->arena, change);
}

/* Of a service or a wrapper a file that differs is found by itself. */
static void look_at_runner(struct findings *findings,
			   const struct change *change)
{
	if (change->persistence == PERSIST_CANNOT && change->persist_reason) {
		findings_add(findings, FINDING_DRIFT, change->id)->why =
			change->persist_reason;
		findings->nr_conflicts++;
	} else if (change->pending) {
		findings_add(findings, FINDING_PENDING, change->id)->why =
			change->reason;
	}
}

static void look_at_change(struct findings *findings,
			   const struct change *change)
{
	struct arena *arena = findings->ctx->arena;
	const size_t before = findings->items.n;

	if (change->origin == ORIGIN_EFFECT)
		return;
	if (change->knob->kept == KEPT_BY_RUNNER)
		look_at_runner(findings, change);
	else if (change->verdict == VERDICT_LATER)
		look_at_later(findings, change);
	else if (change->verdict == VERDICT_CHANGE)
		look_at_value(findings, change);
	else if (change->verdict == VERDICT_KEEP && change->needs)
		findings_add(findings, FINDING_PENDING, change->id)->why =
			change->reason;
	if (findings->items.n == before)
		return;
	findings->items.items[before].now = value_string(arena, &change->have);
	findings->items.items[before].applied =
		value_string(arena, &change->want);
}

/* An image has no drives: the file of a service or a wrapper near one is for
 * the first apply on a host that was made of it. */
static bool is_left_to_host(const struct findings *findings,
			    const struct planned_file *file)
{
	const struct context *ctx = findings->ctx;
	enum section_kind kind;
	const char *name;

	if (file->action != FILE_CREATE || ctx->options.facts ||
	    !sysroot_exists(ctx->root, STATE_IMAGE_DIR) ||
	    !runner_of_path(ctx->arena, file->path, &kind, &name))
		return false;
	if (ctx->applied)
		VEC_EACH(&ctx->applied->files, const struct own_file, it)
			if (text_equal(it->path, file->path))
				return false;
	return true;
}

static void look_at_file(struct findings *findings,
			 const struct planned_file *file)
{
	struct finding *it;

	if (file->action == FILE_SAME)
		return;
	if (is_left_to_host(findings, file)) {
		it = findings_add(findings, FINDING_PENDING, file->path);
		it->now = "absent";
		it->applied = "present";
		it->why =
			"the image could not know it: \"nvmetune apply\" writes it here";
		findings->nr_lost++;
		return;
	}
	it = findings_add(findings, FINDING_DRIFT, file->path);
	findings->nr_conflicts += file->action == FILE_CONFLICT;
	it->now = file->have ? "changed" : "absent";
	it->applied = file->want ? "present" : "absent";
	it->why = file->reason ? file->reason :
				 "not as nvmetune would write it";
}

void findings_of_plan(struct findings *findings)
{
	const struct plan *plan = findings->ctx->plan;

	VEC_EACH(&plan->changes, const struct change, change)
		look_at_change(findings, change);
	VEC_EACH(&plan->files, const struct planned_file, file)
		look_at_file(findings, file);
}
