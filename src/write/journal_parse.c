/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "sys/hash.h"
#include "write/journal.h"
#include "write/journal_text.h"
#include "json/read.h"

struct reader {
	struct arena *arena;
	struct arena *lines; /* what JSON takes of each, gone in the end */
	struct journal *journal;
	struct err *err;
};

static int damaged(const struct reader *reader, const char *what)
{
	return err_set(reader->err, -EBADMSG, "%s", what);
}

/* The member's text for as long as the journal lives; NULL: it has none. */
static const char *kept_text(const struct reader *reader,
			     const struct json_node *node, const char *key)
{
	const char *text = json_member_text(node, key);

	return text ? arena_strdup(reader->arena, text) : NULL;
}

static int find_name(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (text_equal(names[i], name))
			return i;
	return -1;
}

/* The step that a record speaks of, or NULL. */
static struct step *step_of(const struct reader *reader,
			    const struct json_node *node)
{
	struct step_list *list = &reader->journal->list;
	int64_t nr;

	if (!json_member_int(node, "step", &nr) || nr < 1 ||
	    (uint64_t)nr > list->steps.n)
		return NULL;
	return &list->steps.items[nr - 1];
}

static int read_head(const struct reader *reader, const struct json_node *node)
{
	struct journal_head *head = &reader->journal->head;
	const char *schema = json_member_text(node, "schema");
	int64_t id, by;

	if (head->id)
		return damaged(reader, "begins twice");
	if (!text_equal(schema, JOURNAL_SCHEMA))
		return err_set(
			reader->err, -EBADMSG,
			"schema \"%s\" is not %s: written by another version",
			schema ? schema : "", JOURNAL_SCHEMA);
	if (!json_member_int(node, "id", &id) || id < 1 || id > UINT32_MAX)
		return damaged(reader, "has no id");
	*head = (struct journal_head){
		.id = (unsigned int)id,
		.time = kept_text(reader, node, "time"),
		.uid = -1,
		.sudo_user = kept_text(reader, node, "sudo_user"),
		.profile = kept_text(reader, node, "profile"),
		.profile_hash = kept_text(reader, node, "profile_hash"),
		.plan_hash = kept_text(reader, node, "plan_hash"),
		.boot_id = kept_text(reader, node, "boot_id"),
		.kernel = kept_text(reader, node, "kernel"),
		.initramfs = kept_text(reader, node, "initramfs"),
	};
	(void)json_member_int(node, "uid", &head->uid);
	(void)json_member_bool(node, "persist_only", &head->persist_only);
	(void)json_member_bool(node, "trial", &head->trial);
	if (json_member_int(node, "confirmed_by", &by) && by > 0 &&
	    by <= UINT32_MAX)
		head->confirmed_by = (unsigned int)by;
	if (!head->profile)
		return damaged(reader, "has no profile");
	return 0;
}

/* A new step with the number that is due; NULL when it has another. */
static struct step *new_step(const struct reader *reader,
			     const struct json_node *node, enum step_kind kind)
{
	struct step_list *list = &reader->journal->list;
	struct step *step;
	int64_t nr;

	if (!json_member_int(node, "step", &nr) ||
	    (uint64_t)nr != list->steps.n + 1)
		return NULL;
	step = vec_add(reader->arena, &list->steps);
	step->nr = (unsigned int)nr;
	step->kind = kind;
	return step;
}

static bool is_path_below(const char *path)
{
	return path && *path && !text_equal(path, "..") &&
	       !text_has_prefix(path, "../") && !strstr(path, "/../") &&
	       !text_has_suffix(path, "/..");
}

/* Where the attributes of this kind of target are: nothing else is written,
 * whatever a journal says. */
static bool is_value_place(const struct target *target, const char *attr)
{
	if (!is_path_below(attr))
		return false;
	switch (target->kind) {
	case TARGET_HOST:
		return text_equal(target->dir, "") &&
		       (text_has_prefix(attr, "proc/sys/") ||
			text_has_prefix(attr, "sys/"));
	case TARGET_VECTOR:
		return is_path_below(target->dir) &&
		       text_has_prefix(target->dir, "proc/irq/");
	case TARGET_MODULE:
	case TARGET_CTRL:
	case TARGET_QUEUE:
	case TARGET_FUNCTION:
	case TARGET_SUBSYSTEM:
	case TARGET_CPUS:
		break;
	case TARGET_SERVICE:
	case TARGET_WRAPPER:
		return false; /* they have files, and no value */
	}
	return is_path_below(target->dir) &&
	       text_has_prefix(target->dir, "sys/");
}

static int read_value_step(const struct reader *reader,
			   const struct json_node *node)
{
	struct step *step = new_step(reader, node, STEP_VALUE);
	int role =
		find_name(journal_role_names, json_member_text(node, "role"));
	int kind = find_name(target_kind_names, json_member_text(node, "kind"));

	if (!step)
		return damaged(reader, "steps are not in order");
	if (role < 0 || kind < 0)
		return damaged(reader, "a value has an unknown role or kind");
	step->role = (enum step_role)role;
	step->key = kept_text(reader, node, "key");
	step->target = (struct target){
		.kind = (enum target_kind)kind,
		.name = kept_text(reader, node, "target"),
		.dir = kept_text(reader, node, "dir"),
		.id = kept_text(reader, node, "id"),
	};
	step->attr = kept_text(reader, node, "attr");
	step->before = kept_text(reader, node, "before");
	step->after = kept_text(reader, node, "after");
	(void)json_member_bool(node, "nudge", &step->nudge);
	(void)json_member_bool(node, "unsettled", &step->unsettled);
	(void)json_member_bool(node, "lasts", &step->lasts);
	if (!step->key || !step->target.name || !step->target.id ||
	    !step->before || !is_value_place(&step->target, step->attr))
		return damaged(reader, "a value is incomplete");
	if (!step->after != (step->role == ROLE_RECORD))
		return damaged(reader, "a value contradicts its role");
	return 0;
}

static bool read_mode(const struct json_node *node, const char *key,
		      unsigned int *ret)
{
	int64_t mode;

	if (!json_member_int(node, key, &mode) || mode < 0 || mode > 07777)
		return false;
	*ret = (unsigned int)mode;
	return true;
}

static int read_file_step(const struct reader *reader,
			  const struct json_node *node)
{
	struct step *step = new_step(reader, node, STEP_FILE);

	if (!step)
		return damaged(reader, "steps are not in order");
	step->path = kept_text(reader, node, "path");
	step->old_text = kept_text(reader, node, "before");
	step->new_text = kept_text(reader, node, "after");
	if (!is_path_below(step->path) || step->path[0] != '/' ||
	    (step->old_text &&
	     !read_mode(node, "before_mode", &step->old_mode)) ||
	    (step->new_text && !read_mode(node, "after_mode", &step->new_mode)))
		return damaged(reader, "a file is incomplete");
	return 0;
}

static int read_folder_step(const struct reader *reader,
			    const struct json_node *node)
{
	struct step *step = new_step(reader, node, STEP_FOLDER);

	if (!step)
		return damaged(reader, "steps are not in order");
	step->path = kept_text(reader, node, "path");
	if (!is_path_below(step->path) || step->path[0] != '/')
		return damaged(reader, "a folder is incomplete");
	return 0;
}

static int read_action_step(const struct reader *reader,
			    const struct json_node *node)
{
	struct step *step = new_step(reader, node, STEP_ACTION);
	int action = find_name(journal_action_names,
			       json_member_text(node, "action"));

	if (!step)
		return damaged(reader, "steps are not in order");
	step->path = kept_text(reader, node, "path");
	if (action < 0 || !step->path)
		return damaged(reader, "an action is unknown");
	step->action = (enum step_action)action;
	return 0;
}

static int read_start(const struct reader *reader, const struct json_node *node)
{
	struct step *step = step_of(reader, node);

	if (!step)
		return damaged(reader, "starts an unknown step");
	step->progress = STEP_STARTED;
	return 0;
}

static bool read_left(struct step *step, const char *text)
{
	if (!text)
		return true;
	if (strlen(text) >= sizeof(step->left))
		return false;
	memcpy(step->left, text, strlen(text) + 1);
	step->has_left = true;
	return true;
}

static int read_done(const struct reader *reader, const struct json_node *node)
{
	struct step *step = step_of(reader, node);

	if (!step || step->progress == STEP_PLANNED)
		return damaged(reader, "a step is done that was not started");
	step->progress = STEP_DONE;
	if (!read_left(step, json_member_text(node, "left")))
		return damaged(reader, "a value is too long");
	return 0;
}

static int read_refused(const struct reader *reader,
			const struct json_node *node)
{
	struct step *step = step_of(reader, node);

	if (!step)
		return damaged(reader, "an unknown step was refused");
	step->progress = STEP_REFUSED;
	return 0;
}

static int read_commit(const struct reader *reader,
		       const struct json_node *node)
{
	const struct json_node *left = json_member(node, "left");

	if (!left || left->kind != JSON_ARRAY)
		return damaged(reader, "a commit says nothing of the values");
	VEC_EACH(&left->children, struct json_node, it) {
		struct step *step = step_of(reader, it);

		if (!step || !read_left(step, json_member_text(it, "value")))
			return damaged(reader,
				       "a commit names an unknown step");
	}
	reader->journal->state = JOURNAL_COMMITTED;
	reader->journal->was_committed = true;
	return 0;
}

static int read_undo(const struct reader *reader, const struct json_node *node)
{
	struct journal_who *who = &reader->journal->undone_by;

	*who = (struct journal_who){
		.time = kept_text(reader, node, "time"),
		.uid = -1,
		.sudo_user = kept_text(reader, node, "sudo_user"),
	};
	(void)json_member_int(node, "uid", &who->uid);
	reader->journal->state = JOURNAL_UNDOING;
	return 0;
}

/* The steps that an array of numbers names. */
static int read_marks(const struct reader *reader, const struct json_node *node,
		      const char *key, size_t offset)
{
	const struct json_node *array = json_member(node, key);
	struct step_list *list = &reader->journal->list;

	VEC_EACH(&list->steps, struct step, step)
		*(bool *)((char *)step + offset) = false;
	if (!array || array->kind != JSON_ARRAY)
		return damaged(reader, "an end is incomplete");
	VEC_EACH(&array->children, struct json_node, it) {
		if (it->kind != JSON_INT || it->number < 1 ||
		    (uint64_t)it->number > list->steps.n)
			return damaged(reader, "an end names an unknown step");
		*(bool *)((char *)&list->steps.items[it->number - 1] + offset) =
			true;
	}
	return 0;
}

static int read_undone(const struct reader *reader,
		       const struct json_node *node)
{
	int r = read_marks(reader, node, "kept", offsetof(struct step, kept));

	if (r == 0)
		r = read_marks(reader, node, "gone",
			       offsetof(struct step, gone));
	if (r < 0)
		return r;
	reader->journal->state = JOURNAL_UNDONE;
	return 0;
}

static int read_record(const struct reader *reader,
		       const struct json_node *node)
{
	static const struct {
		const char *name;
		int (*read)(const struct reader *reader,
			    const struct json_node *node);
	} records[] = {
		{ "begin", read_head },		{ "value", read_value_step },
		{ "file", read_file_step },	{ "folder", read_folder_step },
		{ "start", read_start },	{ "done", read_done },
		{ "refused", read_refused },	{ "commit", read_commit },
		{ "undo", read_undo },		{ "undone", read_undone },
		{ "action", read_action_step },
	};
	const char *name = json_member_text(node, "record");

	if (!reader->journal->head.id && !text_equal(name, "begin"))
		return damaged(reader, "does not begin with \"begin\"");
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		if (text_equal(records[i].name, name))
			return records[i].read(reader, node);
	return err_set(reader->err, -EBADMSG, "unknown record \"%s\"",
		       name ? name : "");
}

/* Does the text behind the sum have that sum? */
static bool is_whole(const char *line, size_t n)
{
	char sum[HASH_TEXT_SIZE];

	if (n <= JOURNAL_SUM_SIZE || line[JOURNAL_SUM_SIZE] != ' ')
		return false;
	hash_text(line + JOURNAL_SUM_SIZE + 1, n - JOURNAL_SUM_SIZE - 1, sum);
	return memcmp(line, sum, JOURNAL_SUM_SIZE) == 0;
}

static int read_line(const struct reader *reader, const char *line, size_t n)
{
	struct json_node node;
	int r = json_parse(reader->lines, line + JOURNAL_SUM_SIZE + 1,
			   n - JOURNAL_SUM_SIZE - 1, &node, reader->err);

	return r < 0 ? r : read_record(reader, &node);
}

int journal_parse(struct arena *arena, const char *text, struct journal *ret,
		  struct err *err)
{
	struct journal journal = { .state = JOURNAL_OPEN, .undone_by.uid = -1 };
	_cleanup_arena_ struct arena *lines = arena_new();
	const struct reader reader = {
		.arena = arena, .lines = lines, .journal = &journal, .err = err
	};
	const char *line = text;
	unsigned int number = 0;

	while (*line) {
		size_t n = strcspn(line, "\n");
		const char *next = line + n + (line[n] ? 1 : 0);

		number++;
		if (!line[n] || !is_whole(line, n)) {
			if (!*next)
				break;
			return err_set(err, -EBADMSG, "line %u is damaged",
				       number);
		}
		if (read_line(&reader, line, n) < 0)
			return err_context(err, "line %u", number);
		line = next;
	}
	if (!journal.head.id)
		return err_set(err, -EBADMSG, "is empty");
	journal.size = (size_t)(line - text);
	*ret = journal;
	return 0;
}
