/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The part of a plan that speaks of module parameters.  They are never
 * changed live: nvme.ko samples its queue counts again at every reset of
 * every drive, and on 6.1 and 6.12 that hangs I/O.
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "core/boot.h"
#include "core/owner.h"
#include "core/planner.h"
#include "core/queues.h"

struct param_name {
	const char *module;
	const char *param;
};

static struct param_name split(struct arena *arena, const char *text)
{
	const char *dot = strchr(text, '.');

	return (struct param_name){
		.module = arena_strndup(arena, text, (size_t)(dot - text)),
		.param = dot + 1,
	};
}

/* The option that the module is given: the last one wins. */
static const struct module_option *last_option(const struct facts *facts,
					       const struct param_name *name)
{
	const struct module_option *last = NULL;

	VEC_EACH(&facts->options, struct module_option, option)
		if (text_equal(option->module, name->module) &&
		    text_equal(option->param, name->param))
			last = option;
	return last;
}

static void list_options(struct planner *planner, struct change *change,
			 const struct param_name *name)
{
	VEC_EACH(&planner->facts->options, struct module_option, option)
		if (text_equal(option->module, name->module) &&
		    text_equal(option->param, name->param))
			*vec_add(planner->arena, &change->set_by) =
				arena_printf(
					planner->arena,
					"%s:%" PRId64 ": %s%s%s", option->file,
					option->line, option->param,
					option->value ? "=" : "",
					option->value ? option->value : "");
}

/* Do the drives show that the driver was loaded with these poll queues? */
static bool is_in_force(const struct facts *facts,
			const struct param_name *name, const struct value *want)
{
	struct queue_split split;
	const char *missing;
	unsigned int count;

	if (strcmp(name->module, "nvme") != 0 ||
	    strcmp(name->param, "poll_queues") != 0 ||
	    parse_uint(want->u.text, &count) < 0)
		return true;
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
		if (ctrl->queues_poll.known &&
		    queue_split_predict(facts, ctrl, 0, count, &split,
					&missing) &&
		    split.nr_poll != (unsigned int)ctrl->queues_poll.value)
			return false;
	return true;
}

/* Our file's line, or another's with the same value, already there. */
static bool is_persisted(const struct change *change,
			 const struct module_option *last)
{
	struct value value;

	return last && last->value && value_text(last->value, &value) &&
	       knob_same(change->knob, &value, &change->want);
}

/* The option that our file cannot beat, if it says otherwise: the command
 * line is given after all files, and files in the order of their names. */
static const char *beaten_by(struct planner *planner,
			     const struct change *change,
			     const struct param_name *name)
{
	const struct module_option *last = NULL;
	struct value value;

	VEC_EACH(&planner->facts->options, struct module_option, option)
		if (text_equal(option->module, name->module) &&
		    text_equal(option->param, name->param) && option->value &&
		    queue_option_is_behind_ours(option))
			last = option;
	if (!last || !value_text(last->value, &value) ||
	    knob_same(change->knob, &value, &change->want))
		return NULL;
	if (strcmp(last->file, "/proc/cmdline") == 0)
		return arena_printf(
			planner->arena,
			"the kernel command line says %s.%s=%s, which wins over modprobe.d",
			name->module, name->param, last->value);
	return arena_printf(planner->arena,
			    "%s:%" PRId64 " comes after our file and says %s",
			    last->file, last->line, last->value);
}

/* Written by us, so that the age of our file is that of the option. */
static bool is_in_our_file(const struct module_option *option)
{
	return option && text_equal(option->file, OWNER_OPTIONS);
}

/* An image may be there whose tool is not known. */
static bool has_initramfs(const struct planner *planner)
{
	return planner->facts->initramfs_tool || planner->facts->initramfs;
}

static const char *pending_reason(struct planner *planner, enum image_age age)
{
	if (age == IMAGE_OLDER)
		return arena_printf(
			planner->arena,
			"already written, but %s is older and does not have it: true after it is rebuilt, and a reload or a reboot",
			planner->facts->initramfs);
	return "already written, and true after a reload of the module or a reboot";
}

/* A program that polls, and no queue to poll (submit_bio(), BLK_STS_NOTSUPP
 * since 6.12 at the latest; 6.1 takes the flag off the request). */
static const char *lost_polling(const struct change *change,
				const struct param_name *name)
{
	if (strcmp(name->param, "poll_queues") != 0 ||
	    strcmp(change->want.u.text, "0") != 0 ||
	    change->have.type != VALUE_TEXT ||
	    strcmp(change->have.u.text, "0") == 0)
		return NULL;
	return "programs that ask io_uring to poll then get \"Operation not supported\" from kernels such as 6.12, and interrupts, without a word, from those such as 6.1";
}

static void say_later(struct planner *planner, struct change *change,
		      const struct param_name *name)
{
	const struct module_option *last = last_option(planner->facts, name);
	enum image_age age = IMAGE_UNKNOWN;

	change->verdict = VERDICT_LATER;
	change->needs = NEED_RELOAD;
	change->note = lost_polling(change, name);
	change->pending = is_persisted(change, last);
	if (change->pending && is_in_our_file(last))
		age = boot_image_age(planner->facts);
	if (has_initramfs(planner) && age != IMAGE_NEWER)
		change->needs |= NEED_INITRAMFS;
	change->reason =
		change->pending ?
			pending_reason(planner, age) :
			"the module reads it when it is loaded: true after a reload or a reboot";
}

/* It holds now; what does the next boot see? */
static void say_kept(struct planner *planner, struct change *change,
		     const struct param_name *name)
{
	const struct module_option *last = last_option(planner->facts, name);

	change->reason = "as the profile wants it";
	if (!has_initramfs(planner) || !is_in_our_file(last) ||
	    !is_persisted(change, last) ||
	    boot_image_age(planner->facts) != IMAGE_OLDER)
		return;
	change->needs = NEED_INITRAMFS;
	change->reason = arena_printf(
		planner->arena,
		"as the profile wants it, but %s is older than the option: a boot from it loses it",
		planner->facts->initramfs);
}

static void say_builtin(struct planner *planner, struct change *change,
			const struct param_name *name)
{
	const struct module_option *said = NULL;
	struct arena *arena = planner->arena;
	const char *word = arena_printf(arena, "%s.%s=%s", name->module,
					name->param, change->want.u.text);

	VEC_EACH(&planner->facts->options, struct module_option, option)
		if (text_equal(option->module, name->module) &&
		    text_equal(option->param, name->param) &&
		    text_equal(option->file, "/proc/cmdline"))
			said = option;
	if (plan_holds_words(planner, word)) {
		plan_word_later(planner, change, word);
	} else {
		change->verdict = VERDICT_CANNOT;
		change->reason = arena_printf(
			arena,
			"%s is built into this kernel, which reads no modprobe.d: %s",
			name->module,
			boot_argument(arena, planner->facts, word));
	}
	if (said && said->value &&
	    !text_equal(said->value, change->want.u.text))
		change->reason = arena_printf(
			arena, "%s, in place of %s.%s=%s, which is there now",
			change->reason, name->module, name->param, said->value);
}

/* In force, and in what a boot reads, if a file of ours can hold it. */
static bool keep_word(struct planner *planner, struct change *change,
		      const struct param_name *name)
{
	const char *word = arena_printf(planner->arena, "%s.%s=%s",
					name->module, name->param,
					change->want.u.text);

	if (!plan_holds_words(planner, word))
		return false;
	change->reason = "as the profile wants it";
	plan_word_persist(planner, change, word);
	return true;
}

static void judge(struct planner *planner, struct change *change,
		  const struct param_name *name, const struct module *module)
{
	const bool is_builtin = module && text_equal(module->state, "builtin");
	const char *beaten;

	if (change->have.type == VALUE_TEXT &&
	    knob_same(change->knob, &change->have, &change->want) &&
	    is_in_force(planner->facts, name, &change->want)) {
		if (is_builtin && keep_word(planner, change, name))
			return;
		say_kept(planner, change, name);
	} else if (is_builtin) {
		say_builtin(planner, change, name);
		return;
	} else {
		say_later(planner, change, name);
	}
	change->persistence = PERSIST_OPTION;
	beaten = beaten_by(planner, change, name);
	if (beaten) {
		change->persistence = PERSIST_CANNOT;
		change->persist_reason = beaten;
	}
}

static void plan_param(struct planner *planner, const struct setting *setting)
{
	struct param_name name = split(planner->arena, setting->param);
	const struct module *module = facts_module(planner->facts, name.module);
	const struct module_param *param =
		module ? module_find(module, name.param) : NULL;
	struct target target = {
		.kind = TARGET_MODULE,
		.name = name.module,
		.dir = arena_printf(planner->arena, "sys/module/%s",
				    name.module),
		.id = name.module,
	};
	struct change *change = plan_add(planner, setting->knob, setting->key,
					 &target, setting);
	struct err err = { 0 };
	int r = knob_resolve(setting->knob, setting->param, planner->facts,
			     &target, &setting->asked, &change->want, &err);

	if (param && param->live)
		(void)value_text(param->live, &change->have);
	list_options(planner, change, &name);
	if (r == -EINVAL)
		plan_problem(planner, setting, &err);
	if (r < 0) {
		change->verdict = VERDICT_CANNOT;
		change->reason = plan_reason(planner, &err, setting->key);
		return;
	}
	if (num_or(planner->facts->image, 0))
		plan_image_option(planner, change, name.module, name.param);
	else
		judge(planner, change, &name, module);
}

/* A parameter that only the profile applied before had. */
static struct change *add_return(struct planner *planner, const char *key,
				 const char *module)
{
	const struct target target = {
		.kind = TARGET_MODULE, .name = module, .dir = "", .id = module
	};
	const char *param;
	const struct knob *knob =
		knob_set_find(planner->input->knobs, key, &param);
	struct change *change = plan_add(planner, knob, key, &target, NULL);

	change->param = param;
	change->origin = ORIGIN_RETURN;
	change->verdict = VERDICT_LATER;
	change->needs = NEED_RELOAD;
	if (has_initramfs(planner))
		change->needs |= NEED_INITRAMFS;
	return change;
}

static bool is_asked(const struct planner *planner, const char *key)
{
	const struct setting *setting =
		profile_effective(planner->input->profile, key, NULL, NULL);

	return setting && setting->asked.type != VALUE_KEEP;
}

/* Lines of our file that this profile does not have: they go. */
static void plan_leftovers(struct planner *planner)
{
	VEC_EACH(&planner->facts->options, struct module_option, option) {
		const char *key = arena_printf(planner->arena, "module.%s.%s",
					       option->module, option->param);
		struct change *change;

		if (strcmp(option->file, OWNER_OPTIONS) != 0 ||
		    is_asked(planner, key))
			continue;
		change = add_return(planner, key, option->module);
		if (option->value)
			(void)value_text(option->value, &change->have);
		change->reason =
			"only the profile applied before had it: its line goes, and the driver's default is back after a reload or a reboot";
	}
}

/* Does the loaded module still have what our file said before, and would get
 * something else now? */
static bool is_still_loaded(const struct facts *facts,
			    const struct dropped_option *option)
{
	const struct param_name name = { option->module, option->param };
	const struct module_option *next = last_option(facts, &name);
	const struct module *module = facts_module(facts, option->module);
	const struct module_param *param =
		module ? module_find(module, option->param) : NULL;

	return param && text_equal(param->live, option->value) &&
	       !(next && text_equal(next->value, option->value));
}

/*
 * Lines that went in this boot, while the module goes on with what they said.
 * After a reboot nothing tells whose value it is.
 */
static void plan_dropped(struct planner *planner)
{
	const struct applied *applied = planner->input->applied;

	if (!applied || !applied->boot_id ||
	    !text_equal(applied->boot_id, planner->facts->boot_id))
		return;
	VEC_EACH(&applied->dropped, const struct dropped_option, option) {
		const char *key = arena_printf(planner->arena, "module.%s.%s",
					       option->module, option->param);
		struct change *change;

		if (is_asked(planner, key) ||
		    !is_still_loaded(planner->facts, option))
			continue;
		change = add_return(planner, key, option->module);
		change->pending = true;
		(void)value_text(option->value, &change->have);
		change->reason =
			"only the profile applied before had it: its line is gone, but the loaded module still has it until a reload or a reboot";
	}
}

void plan_modules(struct planner *planner)
{
	const struct profile *profile = planner->input->profile;

	if (planner->input->only.n)
		return;
	VEC_EACH(&profile->sections, struct section, section)
		VEC_EACH(&section->settings, struct setting, setting)
			if (setting->knob->scope == SCOPE_MODULE &&
			    setting->asked.type != VALUE_KEEP &&
			    profile_effective(profile, setting->key, NULL,
					      NULL) == setting)
				plan_param(planner, setting);
	plan_leftovers(planner);
	plan_dropped(planner);
}

static unsigned int wanted_count(struct planner *planner, const char *param)
{
	const char *own = NULL;

	VEC_EACH(&planner->plan->intents.options, struct module_intent, it)
		if (strcmp(it->module, "nvme") == 0 &&
		    strcmp(it->param, param) == 0)
			own = it->value;
	return queue_count_at_load(planner->facts, param, own);
}

/* Fewer queues than CPUs, and than there are now; whose is "reads: " or "". */
static const char *too_few(struct planner *planner, const char *whose,
			   unsigned int next, struct num now)
{
	unsigned int possible = cpuset_count(&planner->facts->possible);

	if (next >= possible || !now.known || next >= (uint64_t)now.value)
		return NULL;
	return arena_printf(
		planner->arena,
		"%s%u queue%s with interrupts for %u CPUs (now %" PRId64 ")",
		whose, next, next == 1 ? "" : "s", possible, now.value);
}

/* Without queues of their own, reads share the default ones. */
static const char *split_warning(struct planner *planner,
				 const struct split *split,
				 unsigned int asked_poll)
{
	struct num now_read = num_or(split->now_read, 0) ? split->now_read :
							   split->now_default;
	const char *reads;

	if (asked_poll && split->next_poll == 0)
		return "the drive has too few queues for polling";
	if (split->next_read == 0)
		return too_few(planner, "", split->next_default,
			       split->now_default);
	reads = too_few(planner, "reads: ", split->next_read, now_read);
	return reads ? reads :
		       too_few(planner, "writes: ", split->next_default,
			       split->now_default);
}

static bool is_about_queues(const struct module_intent *intent)
{
	return strcmp(intent->module, "nvme") == 0 &&
	       (strcmp(intent->param, "poll_queues") == 0 ||
		strcmp(intent->param, "write_queues") == 0);
}

void plan_splits(struct planner *planner)
{
	unsigned int write_queues = wanted_count(planner, "write_queues");
	unsigned int poll_queues = wanted_count(planner, "poll_queues");
	bool wanted = false;

	VEC_EACH(&planner->plan->intents.options, struct module_intent, it)
		wanted = wanted || is_about_queues(it);
	if (!wanted)
		return;
	VEC_EACH(&planner->facts->ctrls, struct ctrl, ctrl) {
		struct queue_split next = { 0 };
		struct split *split;

		if (!text_equal(ctrl->transport, "pcie"))
			continue;
		split = vec_add(planner->arena, &planner->plan->splits);
		*split = (struct split){
			.ctrl = ctrl->name,
			.now_default = ctrl->queues_default,
			.now_read = ctrl->queues_read,
			.now_poll = ctrl->queues_poll,
		};
		split->predicted =
			queue_split_predict(planner->facts, ctrl, write_queues,
					    poll_queues, &next, &split->reason);
		split->next_default = next.nr_default;
		split->next_read = next.nr_read;
		split->next_poll = next.nr_poll;
		if (split->predicted)
			split->reason =
				split_warning(planner, split, poll_queues);
	}
}
