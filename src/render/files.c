/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/files.h"

#include "base/parse.h"
#include "core/owner.h"
#include "render/header.h"
#include "render/modprobe.h"
#include "render/sysctl.h"
#include "render/udev_rules.h"

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

static const char *conflict(const struct own_file *have,
			    const struct applied *applied)
{
	const char *left;

	if (!have || !have->present.known)
		return "the file could not be read";
	if (!have->content)
		return NULL;
	if (!owner_is_us(have->content))
		return "the file is not nvmetune's: move it away first";
	if (left_there(applied, have->path, &left) &&
	    !text_equal(left, have->content))
		return "the file was changed by hand since nvmetune wrote it: move it away first";
	return NULL;
}

static void add_file(struct arena *arena, const struct facts *facts,
		     const struct applied *applied, struct plan *plan,
		     const char *path, const char *want)
{
	const struct own_file *have = own_file(facts, path);
	struct planned_file *file = vec_add(arena, &plan->files);

	*file = (struct planned_file){
		.path = path,
		.have = have ? have->content : NULL,
		.want = want && *want ? want : NULL,
	};
	file->reason = conflict(have, applied);
	if (!have && !file->want) {
		file->action = FILE_SAME;
		file->reason = NULL;
	} else if (have && have->present.known &&
		   (text_equal(file->have, file->want) ||
		    (owner_is_us(file->have) &&
		     owner_same_lines(file->have, file->want)))) {
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
}

/* One row a file: where it lies and what writes its text. */
struct own_text {
	const char *path;
	void (*render)(const struct intents *intents, struct strbuf *out);
};

static void render_applied(const struct intents *intents, struct strbuf *out)
{
	render_header(out, intents->profile);
	strbuf_puts(out, intents->resolved);
}

static const struct own_text own_texts[] = {
	{ OWNER_RULES, render_udev_rules },
	{ OWNER_OPTIONS, render_modprobe },
	{ OWNER_SYSCTL, render_sysctl },
	{ OWNER_APPLIED, render_applied },
};

void render_files(struct arena *arena, const struct facts *facts,
		  const struct applied *applied, struct plan *plan)
{
	for (size_t i = 0; i < sizeof(own_texts) / sizeof(own_texts[0]); i++) {
		struct strbuf text;

		strbuf_init(&text, arena);
		own_texts[i].render(&plan->intents, &text);
		add_file(arena, facts, applied, plan, own_texts[i].path,
			 text.text);
	}
}
