/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_units.h"

#include "base/parse.h"
#include "core/sites.h"

static void add_name(struct arena *arena, struct drives *drives,
		     const char *name)
{
	VEC_EACH(&drives->names, const char *, it)
		if (text_equal(*it, name))
			return;
	*vec_add(arena, &drives->names) = name;
}

static struct confirm_unit *unit_of(struct confirm *confirm, const char *key)
{
	struct confirm_unit *unit;

	VEC_EACH(&confirm->units, struct confirm_unit, it)
		if (text_equal(it->key, key))
			return it;
	unit = vec_add(confirm->ctx->arena, &confirm->units);
	unit->key = key;
	unit->evidence = EVIDENCE_NONE;
	unit->required = profile_requires(confirm->profile, key);
	return unit;
}

/* Is it only after a reload, a reboot or a restart, or in a file? */
static bool is_live(const struct change *change)
{
	return change->verdict == VERDICT_CHANGE && change->knob->attr;
}

const struct ctrl *confirm_ctrl_of(const struct confirm *confirm,
				   const struct knob *knob,
				   const struct target *target)
{
	const struct site_list list =
		sites_of(confirm->ctx->arena, confirm->ctx->facts, knob);

	VEC_EACH(&list.sites, const struct site, it)
		if (it->target.kind == target->kind &&
		    text_equal(it->target.name, target->name))
			return it->ctrl;
	return NULL;
}

/* The disk that is seen of a path, the controller of what is a whole drive's,
 * all disks of a subsystem; nothing of what is the whole host's. */
static void add_drives(const struct confirm *confirm,
		       const struct change *change, struct drives *drives)
{
	struct arena *arena = confirm->ctx->arena;
	const struct facts *facts = confirm->ctx->facts;
	const struct target *target = &change->target;
	const struct ns *ns = facts_ns(facts, target->name);
	const struct ctrl *ctrl =
		target->kind == TARGET_VECTOR ?
			confirm_ctrl_of(confirm, change->knob, target) :
			facts_ctrl(facts, target->name);

	if (ns)
		add_name(arena, drives,
			 ns->kind == NS_PATH && ns->head ? ns->head : ns->name);
	else if (ctrl)
		add_name(arena, drives, ctrl->name);
	else if (target->kind == TARGET_SUBSYSTEM)
		VEC_EACH(&facts->namespaces, const struct ns, it)
			if (it->kind == NS_HEAD &&
			    text_equal(it->subsystem, target->name))
				add_name(arena, drives, it->name);
}

void confirm_find_units(struct confirm *confirm)
{
	const struct context *ctx = confirm->ctx;

	VEC_EACH(&ctx->plan->changes, const struct change, it) {
		const enum evidence evidence =
			knob_evidence(it->knob, ctx->facts, &it->target);
		struct confirm_unit *unit;

		if (it->origin != ORIGIN_PROFILE || it->pending ||
		    (it->verdict != VERDICT_CHANGE &&
		     it->verdict != VERDICT_LATER))
			continue;
		/* It is not written, so no boot will bring it. */
		if (ctx->options.live_only && !is_live(it))
			continue;
		unit = unit_of(confirm,
			       profile_key_behind(confirm->profile, it->key));
		if (is_live(it) && (!unit->live || evidence < unit->evidence))
			unit->evidence = evidence;
		unit->live = unit->live || is_live(it);
		unit->hides_waiting |= is_live(it) &&
				       it->knob->flags & KNOB_HIDES_WAITING;
		add_drives(confirm, it, &unit->drives);
	}
}

void confirm_spare_users(struct confirm *confirm)
{
	struct arena *arena = confirm->ctx->arena;

	VEC_EACH(&confirm->units, struct confirm_unit, unit)
		VEC_EACH(&confirm->load.drives, const struct load_drive, it)
			if (unit->hides_waiting && it->users && !unit->unfit &&
			    confirm_unit_has(confirm, unit, it))
				unit->unfit = arena_printf(
					arena,
					"%s is in use by %s: while it is switched nobody sees how long they wait",
					it->ns->name, it->users);
}

bool confirm_can_measure(const struct confirm_unit *unit)
{
	return unit->live && unit->evidence != EVIDENCE_NONE && !unit->unfit;
}

struct drives confirm_drives(const struct confirm *confirm)
{
	struct drives drives = { 0 };

	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		if (confirm_can_measure(unit))
			VEC_EACH(&unit->drives.names, const char *, it)
				add_name(confirm->ctx->arena, &drives, *it);
	return drives;
}

bool confirm_unit_has(const struct confirm *confirm,
		      const struct confirm_unit *unit,
		      const struct load_drive *drive)
{
	return drives_have_ns(&unit->drives, confirm->ctx->facts, drive->ns);
}

/* Leaving out a key that the profile applied before had would be a change of
 * its own: back to the value of before nvmetune. */
static bool was_applied(const struct confirm *confirm, const char *key)
{
	const struct applied *applied = confirm->ctx->applied;

	if (applied)
		VEC_EACH(&applied->changes, const struct applied_change, it)
			if (text_equal(profile_key_behind(confirm->profile,
							  it->key),
				       key))
				return true;
	return false;
}

/* Is this key as the profile applied before wants it?  What somebody changed
 * since is not. */
static bool is_as_previous(const struct confirm *confirm, const char *key)
{
	const struct profile *previous = confirm->previous;

	if (!previous || !profile_speaks_of(previous, key))
		return false;
	VEC_EACH(&confirm->previous_plan->changes, const struct change, it)
		if (it->verdict != VERDICT_KEEP &&
		    it->origin == ORIGIN_PROFILE &&
		    text_equal(profile_key_behind(previous, it->key), key))
			return false;
	return true;
}

/* As it was before this plan. */
static struct profile_omission omission_of(const struct confirm *confirm,
					   const char *key)
{
	const bool has = is_as_previous(confirm, key);

	return (struct profile_omission){
		.key = key,
		.keep = !has && was_applied(confirm, key),
		.instead = has ? confirm->previous : NULL,
	};
}

const struct profile *confirm_profile_with(const struct confirm *confirm,
					   bool measurable_only,
					   confirm_choice *has,
					   const void *data)
{
	struct arena *arena = confirm->ctx->arena;
	struct profile_omission *omissions =
		arena_array(arena, confirm->units.n + 1, sizeof(*omissions));
	size_t n = 0;

	VEC_EACH(&confirm->units, const struct confirm_unit, unit) {
		bool measurable = confirm_can_measure(unit);

		if (measurable ? has(unit, data) : !measurable_only)
			continue;
		omissions[n++] = omission_of(confirm, unit->key);
	}
	return profile_without(arena, confirm->profile, omissions, n);
}
