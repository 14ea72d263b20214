/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The plan for an image, which has neither devices nor values: what of the
 * profile will hold when it boots, and on which of the drives it meets there.
 */

#include <string.h>

#include "base/parse.h"
#include "core/planner.h"

static const char later[] = "true when the image boots";

/* What our files keep without a look at the device. */
static enum persistence kept_by(const struct knob *knob)
{
	switch (knob->kept) {
	case KEPT_BY_DISK_RULE:
	case KEPT_BY_CTRL_RULE:
	case KEPT_BY_FUNCTION_RULE:
	case KEPT_BY_SUBSYSTEM_RULE:
	case KEPT_BY_CPU_RULE:
		return PERSIST_RULE;
	case KEPT_BY_SYSCTL:
		return PERSIST_SYSCTL;
	case KEPT_BY_OPTION:
		return PERSIST_OPTION;
	case KEPT_BY_UNIT:
		return PERSIST_UNIT;
	case KEPT_NOT:
	case KEPT_BY_HELPER:
	case KEPT_BY_RUNNER:
		break;
	}
	return PERSIST_CANNOT;
}

static bool is_constant(const struct setting *setting)
{
	return setting->asked.type == setting->knob->type;
}

/* Fleets are of many drives: a setting is for all of them (NULL), or for
 * those that its section names. */
static const char *whose(struct planner *planner, const struct section *section)
{
	struct strbuf text;

	if (section->match.terms.n == 0)
		return NULL;
	strbuf_init(&text, planner->arena);
	VEC_EACH(&section->match.terms, struct match_term, term)
		strbuf_printf(&text, "%s%s %s%s",
			      text.len ? ", " : "only on drives with ",
			      match_key_name(term->key),
			      term->negated ? "not " : "", term->pattern);
	return text.text;
}

/* "host", "drives", "drives:old-firmware" */
static struct target target_of(struct planner *planner,
			       const struct section *section)
{
	const char *kind = section->kind == SECTION_DRIVES ? "drives" : "host";

	return (struct target){
		.kind = TARGET_HOST,
		.name = section->name[0] ? arena_printf(planner->arena, "%s:%s",
							kind, section->name) :
					   kind,
		.dir = "",
		.id = "image",
	};
}

/* A unit of the image may not take what our drop-in would say, or not be
 * there.  False: it does take it. */
static bool is_lost_on_unit(struct planner *planner, struct change *change,
			    const struct setting *setting)
{
	static const struct target host = {
		.kind = TARGET_HOST, .name = "host", .dir = "", .id = "host"
	};
	const struct knob *knob = setting->knob;
	struct intents scratch = { 0 };

	if (knob->kept != KEPT_BY_UNIT ||
	    knob->intend(planner->arena, planner->facts, setting, &scratch))
		return false;
	change->persistence = PERSIST_NONE;
	change->reason = knob->unkept;
	if (!knob->moot(knob, planner->facts, &host, &setting->asked)) {
		change->verdict = VERDICT_CANNOT;
		return true;
	}
	change->reason = arena_printf(planner->arena, "not applicable: %s",
				      knob->absent(knob, planner->arena,
						   planner->facts, &host));
	return true;
}

/* What the device helper finds out on each drive that it meets. */
static bool is_helpers(const struct planner *planner,
		       const struct setting *setting)
{
	const enum knob_kept kept = setting->knob->kept;

	return num_or(planner->facts->device_helper, 0) &&
	       (kept == KEPT_BY_HELPER ||
		(!is_constant(setting) &&
		 (kept == KEPT_BY_DISK_RULE || kept == KEPT_BY_CTRL_RULE ||
		  kept == KEPT_BY_FUNCTION_RULE)));
}

static void plan_setting(struct planner *planner, const struct section *section,
			 const struct setting *setting)
{
	const struct knob *knob = setting->knob;
	const struct target target = target_of(planner, section);
	struct change *change =
		plan_add(planner, knob, knob->name, &target, setting);

	change->persistence = is_helpers(planner, setting) ? PERSIST_HELPER :
							     kept_by(knob);
	change->note = whose(planner, section);
	if (is_lost_on_unit(planner, change, setting))
		return;
	if (change->persistence == PERSIST_CANNOT) {
		change->verdict = VERDICT_CANNOT;
		change->persistence = PERSIST_NONE;
		change->reason = knob->unkept;
	} else if (change->persistence != PERSIST_HELPER &&
		   !is_constant(setting)) {
		change->verdict = VERDICT_CANNOT;
		change->persistence = PERSIST_NONE;
		change->reason =
			"it differs from drive to drive, and a udev rule holds constants only";
	} else {
		if (is_constant(setting))
			change->want = setting->asked;
		change->verdict = VERDICT_LATER;
		change->reason = later;
	}
}

void plan_image(struct planner *planner)
{
	const struct profile *profile = planner->input->profile;

	VEC_EACH(&profile->sections, struct section, section)
		VEC_EACH(&section->settings, struct setting, setting)
			if (setting->knob->scope != SCOPE_MODULE &&
			    !setting->implied &&
			    setting->asked.type != VALUE_KEEP &&
			    !profile_is_shadowed(profile, section, setting))
				plan_setting(planner, section, setting);
}

/* "kernel 6.1.0-53: nvme is built in, ..." */
static void add_remark(struct strbuf *text, const char *release,
		       const char *remark)
{
	strbuf_printf(text, "%skernel %s: %s", text->len ? "; " : "", release,
		      remark);
}

static const struct module *module_of(const struct image_kernel *kernel,
				      const char *name)
{
	VEC_EACH(&kernel->modules, struct module, module)
		if (strcmp(module->name, name) == 0)
			return module;
	return NULL;
}

/* Why the option does nothing under this kernel, or NULL. */
static const char *not_under(struct planner *planner,
			     const struct image_kernel *kernel,
			     const char *name, const char *param,
			     const char *value)
{
	const struct module *module = module_of(kernel, name);

	if (!module || text_equal(module->state, "absent"))
		return arena_printf(planner->arena, "has no module %s", name);
	if (text_equal(module->state, "builtin"))
		return arena_printf(
			planner->arena,
			"%s is built in and reads no modprobe.d: %s.%s=%s belongs on its command line",
			name, name, param, value);
	if (!module_find(module, param))
		return arena_printf(planner->arena,
				    "its %s has no parameter %s and ignores it",
				    name, param);
	return NULL;
}

void plan_image_option(struct planner *planner, struct change *change,
		       const char *module, const char *param)
{
	struct strbuf note;
	size_t n = 0;

	strbuf_init(&note, planner->arena);
	VEC_EACH(&planner->facts->kernels, struct image_kernel, kernel) {
		const char *why = not_under(planner, kernel, module, param,
					    change->want.u.text);

		if (why)
			add_remark(&note, kernel->release, why);
		n += why != NULL;
	}
	change->verdict = VERDICT_LATER;
	change->persistence = PERSIST_OPTION;
	change->reason = later;
	change->note = n ? note.text : NULL;
	if (planner->facts->initramfs_tool)
		change->needs |= NEED_INITRAMFS;
	if (n == planner->facts->kernels.n) {
		change->verdict = VERDICT_CANNOT;
		change->persistence = PERSIST_CANNOT;
		change->reason =
			"none of the image's kernels takes it from a file";
	}
}
