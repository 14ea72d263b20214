/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/history.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/owner.h"
#include "sys/modprobe_conf.h"
#include "write/device_restore.h"
#include "write/execute.h"
#include "write/file.h"
#include "write/state.h"
#include "write/txn.h"

/* Every slice of many drives and keys. */
#define RESULT_LIMIT ((size_t)256 << 20)

int history_read(const struct sysroot *root, struct arena *arena,
		 struct history *ret, struct err *err)
{
	struct history history = { { 0 } };
	struct txn_ids ids;
	int r = state_list(root, arena, &ids, err);

	if (r < 0)
		return r;
	VEC_EACH(&ids.ids, unsigned int, id) {
		struct history_entry *entry = vec_add(arena, &history.entries);
		struct err damage = { 0 };

		entry->id = *id;
		r = txn_read(root, arena, *id, &entry->journal, &damage);
		if (r < 0)
			entry->damage = arena_strdup(arena, damage.text);
	}
	*ret = history;
	return 0;
}

const struct history_entry *history_blocking(const struct history *history)
{
	for (size_t i = history->entries.n; i-- > 0;) {
		const struct history_entry *entry = &history->entries.items[i];

		if (entry->damage || entry->journal.state == JOURNAL_OPEN ||
		    entry->journal.state == JOURNAL_UNDOING)
			return entry;
	}
	return NULL;
}

int history_trial_result(const struct sysroot *root, struct arena *arena,
			 unsigned int id, char **ret_text, struct err *err)
{
	unsigned int mode;
	size_t size;

	return file_read_bytes(root, arena,
			       state_path(root, arena, id, TRIAL_RESULT),
			       RESULT_LIMIT, ret_text, &size, &mode, err);
}

static bool stands(const struct history_entry *entry)
{
	return !entry->damage && entry->journal.state == JOURNAL_COMMITTED;
}

static struct applied_change *find_change(struct applied *applied,
					  const struct step *step)
{
	VEC_EACH(&applied->changes, struct applied_change, it)
		if (it->target_kind == (int64_t)step->target.kind &&
		    text_equal(it->key, step->key) &&
		    text_equal(it->target_id, step->target.id))
			return it;
	return NULL;
}

static void forget(struct applied *applied, struct applied_change *change)
{
	*change = applied->changes.items[--applied->changes.n];
}

static void note_left(const struct knob_set *knobs, const struct step *step,
		      struct applied_change *change)
{
	const char *param;
	const struct knob *knob = knob_set_find(knobs, step->key, &param);

	if (!knob || !step->has_left ||
	    knob_read_value(knob, step->left, &change->left) < 0)
		change->left = (struct value){ 0 };
}

/* The value of before the oldest transaction that set it counts, until one
 * returns it. */
static void add_value(struct arena *arena, const struct knob_set *knobs,
		      const struct step *step, struct applied *applied)
{
	struct applied_change *change = find_change(applied, step);
	const struct knob *knob;
	const char *param;
	struct value before;

	if (change && step->role == ROLE_RETURN)
		forget(applied, change);
	else if (change)
		note_left(knobs, step, change);
	if (step->role != ROLE_SET || change)
		return;
	knob = knob_set_find(knobs, step->key, &param);
	if (!knob || knob_read_value(knob, step->before, &before) < 0)
		return;
	change = vec_add(arena, &applied->changes);
	*change = (struct applied_change){
		.key = step->key,
		.target_kind = step->target.kind,
		.target_id = step->target.id,
		.before = before,
	};
	note_left(knobs, step, change);
}

static void add_file(struct arena *arena, const struct step *step,
		     struct applied *applied)
{
	struct own_file *file = NULL;

	VEC_EACH(&applied->files, struct own_file, it)
		if (text_equal(it->path, step->path))
			file = it;
	if (!file)
		file = vec_add(arena, &applied->files);
	*file = (struct own_file){
		.path = step->path,
		.present = num_known(step->new_text != NULL),
		.content = step->new_text,
	};
}

static const struct module_option *find_option(const struct modprobe_conf *conf,
					       const char *module,
					       const char *param)
{
	VEC_EACH(&conf->options, const struct module_option, it)
		if (text_equal(it->module, module) &&
		    text_equal(it->param, param))
			return it;
	return NULL;
}

static void options_of(struct arena *arena, const char *text,
		       struct modprobe_conf *ret)
{
	*ret = (struct modprobe_conf){ .options = { 0 } };
	if (text)
		modprobe_conf_parse(arena, OWNER_OPTIONS,
				    arena_strdup(arena, text), ret);
}

/* Which options left our file; one that is back is not gone. */
static void add_dropped(struct arena *arena, const struct step *step,
			struct applied *applied)
{
	struct modprobe_conf before, after;
	size_t n = 0;

	options_of(arena, step->old_text, &before);
	options_of(arena, step->new_text, &after);
	VEC_EACH(&applied->dropped, struct dropped_option, it)
		if (!find_option(&after, it->module, it->param))
			applied->dropped.items[n++] = *it;
	applied->dropped.n = n;
	VEC_EACH(&before.options, const struct module_option, it)
		if (it->value && !find_option(&after, it->module, it->param))
			*vec_add(arena, &applied->dropped) =
				(struct dropped_option){ it->module, it->param,
							 it->value };
}

/* nvme.ko was loaded anew, and read what was there by then. */
static void forget_dropped(struct applied *applied)
{
	size_t n = 0;

	VEC_EACH(&applied->dropped, struct dropped_option, it)
		if (!text_equal(it->module, "nvme"))
			applied->dropped.items[n++] = *it;
	applied->dropped.n = n;
}

static void add_step(struct arena *arena, const struct knob_set *knobs,
		     const struct step *step, struct applied *applied)
{
	switch (step->kind) {
	case STEP_VALUE:
		add_value(arena, knobs, step, applied);
		break;
	case STEP_FILE:
		add_file(arena, step, applied);
		if (text_equal(step->path, OWNER_OPTIONS))
			add_dropped(arena, step, applied);
		break;
	case STEP_ACTION:
		if (step->action == ACTION_RELOAD)
			forget_dropped(applied);
		break;
	case STEP_FOLDER:
		break;
	}
}

void applied_fill(struct arena *arena, const struct history *history,
		  const struct knob_set *knobs, struct applied *ret)
{
	struct applied applied = { 0 };

	VEC_EACH(&history->entries, const struct history_entry, entry) {
		const struct journal *journal = &entry->journal;

		if (!stands(entry))
			continue;
		if (!text_equal(applied.boot_id, journal->head.boot_id))
			applied.dropped.n = 0;
		applied.profile = journal->head.profile;
		applied.boot_id = journal->head.boot_id;
		applied.persist_only = journal->head.persist_only;
		VEC_EACH(&journal->list.steps, const struct step, step)
			if (step->progress == STEP_DONE)
				add_step(arena, knobs, step, &applied);
	}
	*ret = applied;
}

int applied_from_history(const struct sysroot *root, struct arena *arena,
			 const struct knob_set *knobs, struct applied *ret,
			 struct err *err)
{
	struct history history;
	int r = history_read(root, arena, &history, err);

	if (r < 0)
		return r;
	applied_fill(arena, &history, knobs, ret);
	device_add_applied(root, arena, &history, knobs, ret);
	return 0;
}
