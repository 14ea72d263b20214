/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/files.h"

#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "core/runner.h"
#include "render/grub.h"
#include "render/header.h"
#include "render/irqbalance.h"
#include "render/modprobe.h"
#include "render/runner.h"
#include "render/sysctl.h"
#include "render/udev_rules.h"

/* One row a file: where it lies and what writes its text; and what takes that
 * text where /etc is generated, on NixOS. */
struct own_text {
	const char *path;
	void (*render)(const struct intents *intents, struct strbuf *out);
	const char *nix_option;
	unsigned int mode; /* 0: 0644, or what it has */
};

static const struct own_file *own_file(const struct facts *facts,
				       const char *path)
{
	VEC_EACH(&facts->own_files, struct own_file, file)
		if (text_equal(file->path, path))
			return file;
	return NULL;
}

/* What we left at the path; false when we have no record of it. */
static bool left_there(const struct applied *applied, const char *path,
		       const char **ret)
{
	if (!applied)
		return false;
	VEC_EACH(&applied->files, struct own_file, file)
		if (text_equal(file->path, path)) {
			*ret = file->content;
			return true;
		}
	return false;
}

/* A comment counts: whoever wrote it wants to find it again. */
static bool is_edited(const struct own_file *have,
		      const struct applied *applied)
{
	const char *left;

	return left_there(applied, have->path, &left) &&
	       !text_equal(left, have->content);
}

static const char *conflict(struct arena *arena, const struct facts *facts,
			    const struct own_file *have,
			    const struct applied *applied,
			    const char *nix_option)
{
	if (!have || !have->present.known)
		return "the file could not be read";
	if (have->store)
		return arena_printf(
			arena,
			"its folder is %s, where nothing may be written: give the text that \"plan --wide\" shows to %s in the system's configuration%s",
			have->store, nix_option,
			num_or(facts->image, 0) ?
				"" :
				", and use \"apply --live-only\"");
	if (!have->content)
		return NULL;
	if (!owner_is_us(have->content))
		return "the file is not nvmetune's: move it away first";
	if (is_edited(have, applied))
		return "the file was changed by hand since nvmetune wrote it: move it away first";
	return NULL;
}

/* Our own comments tell from where it was asked, and may do so in vain. */
static bool is_as_wanted(const struct planned_file *file,
			 const struct own_file *have,
			 const struct applied *applied)
{
	if (text_equal(file->have, file->want))
		return true;
	return owner_is_us(file->have) && !is_edited(have, applied) &&
	       owner_same_lines(file->have, file->want);
}

/*
 * The text is ours, and its permissions have been changed: a script that cannot
 * be started, or a file in which others decide what root does.
 */
static void judge_mode(struct arena *arena, const struct own_file *have,
		       struct planned_file *file)
{
	const unsigned int mode = have ? (unsigned int)num_or(have->mode, 0) :
					 0;
	const char *why = NULL;

	if (file->action != FILE_SAME || !file->want || mode == 0)
		return;
	if (mode & 022)
		why = "others than root may write it";
	else if (file->mode & 0100 && (mode & 0111) != 0111)
		why = "not everybody may run it";
	if (!why)
		return;
	if (!file->mode)
		file->mode = 0644;
	file->action = FILE_REPLACE;
	file->reason = arena_printf(arena, "%s: its mode is %04o, not %04o",
				    why, mode, file->mode);
}

static struct planned_file *
add_file(struct arena *arena, const struct facts *facts,
	 const struct applied *applied, struct plan *plan,
	 const struct own_text *text, const char *want)
{
	const struct own_file *have = own_file(facts, text->path);
	struct planned_file *file = vec_add(arena, &plan->files);

	*file = (struct planned_file){
		.path = text->path,
		.have = have ? have->content : NULL,
		.want = want && *want ? want : NULL,
	};
	file->reason = conflict(arena, facts, have, applied, text->nix_option);
	if (!have && !file->want) {
		file->action = FILE_SAME;
		file->reason = NULL;
	} else if (have && have->present.known &&
		   is_as_wanted(file, have, applied)) {
		file->action = FILE_SAME;
		file->reason = NULL;
	} else if (file->reason) {
		file->action = FILE_CONFLICT;
	} else if (!file->have) {
		file->action = FILE_CREATE;
	} else if (!file->want) {
		file->action = FILE_REMOVE;
	} else {
		file->action = FILE_REPLACE;
	}
	file->mode = text->mode;
	judge_mode(arena, have, file);
	return file;
}

static void render_applied(const struct intents *intents, struct strbuf *out)
{
	render_header(out, intents->profile);
	strbuf_puts(out, intents->resolved);
}

static const struct own_text own_texts[] = {
	{ OWNER_RULES, render_udev_rules, "services.udev.extraRules", 0 },
	{ OWNER_OPTIONS, render_modprobe, "boot.extraModprobeConfig", 0 },
	{ OWNER_SYSCTL, render_sysctl,
	  "environment.etc.\"sysctl.d/90-nvmetune.conf\".text", 0 },
	{ OWNER_WORDS, render_grub, "boot.kernelParams", 0 },
	{ OWNER_IRQBALANCE, render_irqbalance_env,
	  "environment.etc.\"nvmetune/irqbalance.env\".text", 0 },
	{ OWNER_IRQBALANCE_UNIT, render_irqbalance_unit,
	  "systemd.services.irqbalance", 0 },
	{ OWNER_APPLIED, render_applied,
	  "environment.etc.\"nvmetune/applied.ini\".text", 0 },
};

static const char *nix_option(bool service)
{
	return service ? "systemd.services" : "environment.systemPackages";
}

/* Of a saved host nobody may have asked for the file: then it is taken for
 * absent, and apply looks again. */
static void add_runners(struct arena *arena, const struct facts *facts,
			const struct applied *applied, struct plan *plan)
{
	VEC_EACH(&plan->intents.runners, const struct runner_intent, it) {
		const struct own_file *have = own_file(facts, it->path);
		struct planned_file *file;
		struct strbuf text;

		strbuf_init(&text, arena);
		if (!it->stays)
			render_runner(it, plan->profile, &text);
		else if (have && have->content)
			strbuf_puts(&text, have->content);
		file = add_file(
			arena, facts, applied, plan,
			&(struct own_text){ .path = it->path,
					    .nix_option =
						    nix_option(it->is_service),
					    .mode = render_runner_mode(it) },
			text.text);
		if (!have && file->want) {
			file->action = FILE_CREATE;
			file->reason = NULL;
		}
	}
}

static bool is_planned(const struct plan *plan, const char *path)
{
	VEC_EACH(&plan->files, const struct planned_file, it)
		if (strcmp(it->path, path) == 0)
			return true;
	return false;
}

static void add_leftover(struct arena *arena, const struct facts *facts,
			 const struct applied *applied, struct plan *plan,
			 const struct own_file *file)
{
	enum section_kind kind;
	const char *name;

	if (file->content && !is_planned(plan, file->path) &&
	    runner_of_path(arena, file->path, &kind, &name))
		(void)add_file(
			arena, facts, applied, plan,
			&(struct own_text){ .path = file->path,
					    .nix_option = nix_option(
						    kind == SECTION_SERVICE) },
			NULL);
}

/* What was written for a service or a wrapper and is not wanted any more. */
static void add_leftovers(struct arena *arena, const struct facts *facts,
			  const struct applied *applied, struct plan *plan)
{
	VEC_EACH(&facts->own_files, const struct own_file, file)
		if (owner_is_us(file->content))
			add_leftover(arena, facts, applied, plan, file);
	if (applied)
		VEC_EACH(&applied->files, const struct own_file, file)
			add_leftover(arena, facts, applied, plan, file);
}

/* Where nothing reads grub.d, nobody looked for our file there. */
static bool is_unread(const struct facts *facts, const char *path,
		      const char *text)
{
	return text_equal(path, OWNER_WORDS) && !*text &&
	       !own_file(facts, path);
}

/* grub.cfg has the words; what a boot with the old ones set stays till then. */
static unsigned int needs_of(const struct planned_file *file)
{
	if (!text_equal(file->path, OWNER_WORDS))
		return 0;
	switch (file->action) {
	case FILE_CREATE:
		return NEED_GRUB;
	case FILE_REPLACE:
	case FILE_REMOVE:
		return NEED_GRUB | NEED_REBOOT;
	case FILE_SAME:
	case FILE_CONFLICT:
		break;
	}
	return 0;
}

void render_files(struct arena *arena, const struct facts *facts,
		  const struct applied *applied, struct plan *plan)
{
	for (size_t i = 0; i < sizeof(own_texts) / sizeof(own_texts[0]); i++) {
		struct strbuf text;

		strbuf_init(&text, arena);
		own_texts[i].render(&plan->intents, &text);
		if (is_unread(facts, own_texts[i].path, text.text))
			continue;
		plan->file_needs |= needs_of(add_file(
			arena, facts, applied, plan, &own_texts[i], text.text));
	}
	add_runners(arena, facts, applied, plan);
	add_leftovers(arena, facts, applied, plan);
}
