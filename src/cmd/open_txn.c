/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/open_txn.h"

#include <errno.h>

#include "write/history.h"

int open_txn_check(struct context *ctx, bool only_looks, struct err *err)
{
	/* Not kept: the plan reads it, too. */
	_cleanup_arena_ struct arena *arena = arena_new();
	const struct history_entry *entry;
	struct history history;
	struct err why = { 0 };
	int r = history_read(ctx->root, arena, &history, &why);

	if (r == -EACCES && only_looks)
		return 0;
	if (r < 0) {
		*err = why;
		return r;
	}
	entry = history_blocking(&history);
	if (!entry)
		return 0;
	if (entry->damage)
		return err_set(err, -EBUSY,
			       "%s; see docs/journal.md for the way on by hand",
			       entry->damage);
	return err_set(
		err, -EBUSY,
		"transaction %u%s%s is %s: \"nvmetune rollback\" brings the %s back to before it%s",
		entry->id, entry->journal.head.time ? " of " : "",
		entry->journal.head.time ? entry->journal.head.time : "",
		journal_state_name(entry->journal.state),
		ctx->options.image ? "image" : "host",
		entry->journal.state == JOURNAL_OPEN &&
				!entry->journal.head.trial ?
			", \"nvmetune apply --resume\" finishes it" :
			"");
}
