/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/restore_text.h"

#include "cmd/out.h"

char *step_name(struct arena *arena, const struct step *step)
{
	if (step->kind != STEP_VALUE)
		return arena_strdup(arena, step->path);
	return arena_printf(arena, "%s: %s", step->target.name, step->key);
}

const char *step_outcome(const struct step *step)
{
	static const char *const words[] = {
		[ACTION_INITRAMFS] = "rebuilt",
		[ACTION_RELOAD] = "reloaded",
		[ACTION_UNITS] = "read again",
		[ACTION_GRUB] = "made anew",
	};

	return words[step->action];
}

static void note_done(const char *name, const struct step *step)
{
	if (step->kind == STEP_VALUE)
		out_note("%s: back to \"%s\"", name, step->before);
	else
		out_note("%s: %s", name,
			 step->old_text ? "back to what it held" : "removed");
}

static void note_conflict(const char *name, const struct restore_event *event)
{
	const struct step *step = event->step;
	const char *ours = step->has_left ? step->left : step->after;

	if (step->kind == STEP_VALUE)
		out_note(
			"%s: was \"%s\", nvmetune left \"%s\", now it is \"%s\": kept, --force overwrites it",
			name, step->before, ours ? ours : step->before,
			event->now);
	else if (event->now)
		out_note(
			"%s: changed by hand since nvmetune wrote it: kept, --force overwrites it",
			name);
	else
		out_note(
			"%s: removed or replaced since nvmetune wrote it: kept so, --force overwrites it",
			name);
}

void restore_note(const struct restore_event *event)
{
	struct arena *arena = arena_new();
	const char *name = step_name(arena, event->step);

	switch (event->what) {
	case RESTORE_DONE:
		note_done(name, event->step);
		break;
	case RESTORE_CONFLICT:
		note_conflict(name, event);
		break;
	case RESTORE_GONE:
		out_note("%s: not brought back: %s", name, event->why);
		break;
	case RESTORE_FAILED:
		out_note("%s: cannot be brought back: %s", name, event->why);
		break;
	}
	arena_free(arena);
}
