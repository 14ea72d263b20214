/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/txn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/escape.h"
#include "sys/sysroot.h"
#include "write/audit.h"
#include "write/file.h"
#include "write/state.h"

#define PRIVATE_MODE 0600

static const char *journal_path(const struct txn *txn)
{
	return state_path(txn->root, txn->arena, txn->journal.head.id,
			  "journal");
}

const char *txn_time(struct arena *arena)
{
	char text[AUDIT_TIME_SIZE];

	audit_time(text);
	return arena_strdup(arena, text);
}

/* JSON holds no broken UTF-8, and what the journal gives back is byte for
 * byte what it was given. */
static bool is_utf8(const char *text)
{
	while (text && *text) {
		const unsigned char c = (unsigned char)*text;
		unsigned int n = escape_utf8_len(text);

		/* Control characters are well-formed, C1 takes two bytes. */
		if (n == 0 && (c < 0x20 || c == 0x7f))
			n = 1;
		else if (n == 0 && c == 0xc2 &&
			 ((unsigned char)text[1] & 0xe0) == 0x80)
			n = 2;
		if (n == 0)
			return false;
		text += n;
	}
	return true;
}

static int check_texts(const struct step_list *list, struct err *err)
{
	VEC_EACH(&list->steps, struct step, step) {
		if (!is_utf8(step->old_text) || !is_utf8(step->new_text))
			return err_set(err, -EILSEQ, "%s: is not valid UTF-8",
				       step->path);
		if (!is_utf8(step->before) || !is_utf8(step->after))
			return err_set(err, -EILSEQ,
				       "%s: %s: the value is not valid UTF-8",
				       step->target.name, step->key);
	}
	return 0;
}

static char *whole_text(const struct txn *txn)
{
	struct strbuf out;

	strbuf_init(&out, txn->arena);
	journal_put_head(&out, &txn->journal.head);
	VEC_EACH(&txn->journal.list.steps, struct step, step)
		journal_put_step(&out, step);
	return out.text;
}

/* Only where there is one: it gives back the space that is held behind. */
static int cut_torn_line(const struct txn *txn)
{
	const off_t whole = (off_t)txn->journal.size;
	struct stat st;

	if (fstat(txn->fd, &st) < 0)
		return -1;
	return st.st_size > whole ? ftruncate(txn->fd, whole) : 0;
}

/* A tree that was copied by hard links shares its journal with the other, whose
 * history is another one from now on. */
static int own_alone(struct txn *txn, struct err *err)
{
	const char *path = journal_path(txn);
	_cleanup_arena_ struct arena *arena = arena_new();
	struct stat st;
	unsigned int mode;
	size_t size = 0;
	char *text = NULL;
	int r;

	if (fstat(txn->fd, &st) < 0)
		return err_errno(err, -errno, "%s: cannot write", path);
	if (st.st_nlink <= 1)
		return 0;
	r = file_read_bytes(txn->root, arena, path, JOURNAL_SIZE_LIMIT, &text,
			    &size, &mode, err);
	if (r == 0 && (!text || size < txn->journal.size))
		r = err_set(err, -ESTALE, "%s: changed meanwhile", path);
	if (r < 0)
		return r;
	text[txn->journal.size] = '\0';
	r = file_put(txn->root, path, text, PRIVATE_MODE, err);
	if (r < 0)
		return r;
	(void)close(txn->fd);
	txn->fd = sysroot_open_fd(txn->root, path, O_WRONLY | O_APPEND);
	return txn->fd < 0 ? err_errno(err, txn->fd, "%s: cannot write", path) :
			     0;
}

/* Everything that the lines to come need. */
static int open_for_lines(struct txn *txn, bool again, struct err *err)
{
	size_t room = journal_room(&txn->journal.list);
	const char *path = journal_path(txn);

	strbuf_init(&txn->line, txn->arena);
	strbuf_pad(&txn->line, room);
	strbuf_reset(&txn->line);
	txn->fd = sysroot_open_fd(txn->root, path, O_WRONLY | O_APPEND);
	if (txn->fd < 0)
		return err_errno(err, txn->fd, "%s: cannot write", path);
	if (again && own_alone(txn, err) < 0)
		return err->code;
	if (again && cut_torn_line(txn) < 0)
		return err_errno(err, -errno, "%s: cannot write", path);
	/* Where the file system can: a disk that fills up meanwhile must not
	 * keep us from saying how it ended.  One that is full when the journal
	 * is taken up again still has what was held from the beginning. */
	if (fallocate(txn->fd, FALLOC_FL_KEEP_SIZE, (off_t)txn->journal.size,
		      (off_t)room) < 0 &&
	    errno == ENOSPC && !again)
		return err_errno(err, -ENOSPC, "%s: cannot write", path);
	return 0;
}

static int put_files(struct txn *txn, const struct txn_begin_input *input,
		     struct err *err)
{
	const unsigned int id = txn->journal.head.id;
	char *text = whole_text(txn);
	int r;

	txn->journal.size = strlen(text);
	r = file_put(txn->root,
		     state_path(txn->root, txn->arena, id, "plan.json"),
		     input->plan_json, PRIVATE_MODE, err);
	if (r == 0)
		r = file_put(txn->root,
			     state_path(txn->root, txn->arena, id,
					"facts.json"),
			     input->facts_json, PRIVATE_MODE, err);
	if (r == 0)
		r = file_put(txn->root, journal_path(txn), text, PRIVATE_MODE,
			     err);
	return r == 0 ? open_for_lines(txn, false, err) : r;
}

int txn_begin(const struct sysroot *root, struct arena *arena,
	      const struct txn_begin_input *input, struct txn **ret,
	      struct err *err)
{
	struct txn *txn = ARENA_NEW(arena, struct txn);
	unsigned int nr = 0;
	int r;

	*txn = (struct txn){ .root = root, .arena = arena, .fd = -1 };
	txn->journal = (struct journal){ .head = input->head,
					 .list = input->list,
					 .state = JOURNAL_OPEN };
	VEC_EACH(&txn->journal.list.steps, struct step, step)
		step->nr = ++nr;
	/* Two builds of an image are the same, byte for byte. */
	txn->journal.head.uid = -1;
	if (!sysroot_is_image(root)) {
		txn->journal.head.time = txn_time(arena);
		txn->journal.head.uid = (int64_t)getuid();
	}
	r = check_texts(&txn->journal.list, err);
	if (r == 0)
		r = state_new_txn(root, arena, &txn->journal.head.id, err);
	if (r < 0)
		return err_context(err, "cannot begin a transaction");
	r = put_files(txn, input, err);
	if (r < 0) {
		txn_close(txn);
		state_drop_txn(root, arena, txn->journal.head.id);
		return err_context(err, "cannot begin a transaction");
	}
	*ret = txn;
	return 0;
}

/* A disk block that never arrived reads as NUL bytes: as good as torn. */
static int cut_zeroes(char *text, size_t size, struct err *err)
{
	size_t n = strlen(text);

	for (size_t i = n; i < size; i++)
		if (text[i])
			return err_set(err, -EBADMSG, "holds a NUL byte");
	return 0;
}

int txn_read(const struct sysroot *root, struct arena *arena, unsigned int id,
	     struct journal *ret, struct err *err)
{
	const char *path = state_path(root, arena, id, "journal");
	_cleanup_arena_ struct arena *bytes = arena_new();
	unsigned int mode;
	size_t size = 0;
	char *text = NULL;
	int r;

	r = file_read_bytes(root, bytes, path, JOURNAL_SIZE_LIMIT, &text, &size,
			    &mode, err);
	if (r < 0)
		return r;
	if (!text)
		return err_set(err, -ENOENT, "there is no transaction %u", id);
	r = cut_zeroes(text, size, err);
	if (r == 0)
		r = journal_parse(arena, text, ret, err);
	if (r == 0 && ret->head.id != id)
		r = err_set(err, -EBADMSG, "is the journal of transaction %u",
			    ret->head.id);
	return r < 0 ? err_context(err, "%s", path) : 0;
}

int txn_reopen(const struct sysroot *root, struct arena *arena, unsigned int id,
	       struct txn **ret, struct err *err)
{
	struct txn *txn = ARENA_NEW(arena, struct txn);
	int r;

	*txn = (struct txn){ .root = root, .arena = arena, .fd = -1 };
	r = txn_read(root, arena, id, &txn->journal, err);
	if (r == 0)
		r = open_for_lines(txn, true, err);
	if (r < 0) {
		txn_close(txn);
		return r;
	}
	*ret = txn;
	return 0;
}

/*
 * The line goes out with one write.  If that fails half way, the half line is
 * taken back, so that a later one does not end up behind it.
 */
static int append(struct txn *txn, bool durable, struct err *err)
{
	const struct strbuf *line = &txn->line;
	ssize_t n;
	int code = 0;

	do
		n = write(txn->fd, line->text, line->len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		code = -errno;
	else if ((size_t)n < line->len)
		code = -ENOSPC;
	else if (durable && fdatasync(txn->fd) < 0)
		code = -errno;
	if (code == 0) {
		txn->journal.size += line->len;
	} else {
		(void)cut_torn_line(txn);
		(void)err_errno(err, code,
				"transaction %u: cannot write its journal",
				txn->journal.head.id);
	}
	strbuf_reset(&txn->line);
	return code;
}

int txn_start(struct txn *txn, struct step *step, struct err *err)
{
	int r;

	journal_put_start(&txn->line, step);
	r = append(txn, true, err);
	if (r == 0)
		step->progress = STEP_STARTED;
	return r;
}

/* Not synced by itself: the next start or the commit does that, and a step
 * that is only known as started is taken back just the same. */
int txn_done(struct txn *txn, struct step *step, const char *left,
	     struct err *err)
{
	step->has_left = left && strlen(left) < sizeof(step->left);
	if (step->has_left)
		memcpy(step->left, left, strlen(left) + 1);
	journal_put_done(&txn->line, step);
	step->progress = STEP_DONE;
	return append(txn, false, err);
}

int txn_refused(struct txn *txn, struct step *step, const char *why,
		struct err *err)
{
	journal_put_refused(&txn->line, step, why);
	step->progress = STEP_REFUSED;
	return append(txn, false, err);
}

int txn_commit(struct txn *txn, struct err *err)
{
	int r;

	journal_put_commit(&txn->line, &txn->journal);
	r = append(txn, true, err);
	if (r < 0)
		return r;
	txn->journal.state = JOURNAL_COMMITTED;
	txn->journal.was_committed = true;
	return 0;
}

int txn_undo(struct txn *txn, bool force, struct err *err)
{
	char time[AUDIT_TIME_SIZE];
	struct journal_who who;
	int r;

	audit_who(txn->root, time, &who);
	journal_put_undo(&txn->line, force, &who);
	r = append(txn, true, err);
	if (r == 0)
		txn->journal.state = JOURNAL_UNDOING;
	return r;
}

int txn_undone(struct txn *txn, struct err *err)
{
	int r;

	journal_put_undone(&txn->line, &txn->journal);
	r = append(txn, true, err);
	if (r == 0)
		txn->journal.state = JOURNAL_UNDONE;
	return r;
}

void txn_close(struct txn *txn)
{
	if (txn && txn->fd >= 0) {
		(void)close(txn->fd);
		txn->fd = -1;
	}
}

void txn_closep(struct txn **txn)
{
	txn_close(*txn);
}
