/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What each knob reads on each target it lives on. */

#include <errno.h>
#include <string.h>

#include "core/sites.h"
#include "probe/scan.h"

/* "[none] mq-deadline kyber" without the brackets; NULL where the attribute
 * offers no choice. */
static const char *choices(struct arena *arena, const char *text)
{
	char *copy, *out;

	if (!strchr(text, '['))
		return NULL;
	copy = arena_strdup(arena, text);
	out = copy;
	for (const char *in = copy; *in; in++)
		if (*in != '[' && *in != ']')
			*out++ = *in;
	*out = '\0';
	return copy;
}

static void observe_attr(struct scan *scan, const struct knob *knob,
			 const struct target *target, struct observation *ret)
{
	const char *path =
		arena_printf(scan->arena, "%s/%s", target->dir, knob->attr);
	int why = 0;
	const char *text = sysroot_text(scan->root, scan->arena, path, &why);

	if (!text) {
		ret->why = why;
		return;
	}
	if (knob_read_value(knob, text, &ret->value) < 0)
		ret->why = EBADMSG;
	ret->choices = choices(scan->arena, text);
}

static void observe(struct scan *scan, const struct knob *knob,
		    const struct target *target)
{
	struct observation *ret = vec_add(scan->arena, &scan->facts->observed);

	ret->knob = knob->name;
	ret->target_kind = (int64_t)target->kind;
	ret->target = target->name;
	if (knob->observe)
		knob->observe(knob, scan->root, scan->arena, target, ret);
	else if (knob->attr)
		observe_attr(scan, knob, target, ret);
}

void observe_scan(struct scan *scan)
{
	for (size_t i = 0; i < scan->knobs->n && !sysroot_is_image(scan->root);
	     i++) {
		const struct knob *knob = scan->knobs->items[i];
		struct site_list list;

		if (knob->recall)
			continue;
		list = sites_of(scan->arena, scan->facts, knob);
		VEC_EACH(&list.sites, struct site, site)
			observe(scan, knob, &site->target);
	}
}
