/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Words of the kernel command line, for what has no other place: parameters
 * of what is built in.  grub.d is the one place where a file of our own can
 * hold them; elsewhere the user is told what to write where.
 */

#include <string.h>

#include "base/parse.h"
#include "core/boot.h"
#include "core/owner.h"
#include "core/planner.h"

/* What a shell takes as it stands, and the kernel as one word. */
static bool is_plain(const char *word)
{
	return word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "abcdefghijklmnopqrstuvwxyz"
				 "0123456789_.,:=+-")] == '\0';
}

bool plan_holds_words(const struct planner *planner, const char *word)
{
	return text_equal(planner->facts->cmdline_tool, "grub.d") &&
	       is_plain(word);
}

static const struct own_file *our_file(const struct facts *facts)
{
	VEC_EACH(&facts->own_files, struct own_file, file)
		if (text_equal(file->path, OWNER_WORDS))
			return file;
	return NULL;
}

static bool is_in_our_file(const struct facts *facts, const char *word)
{
	const struct own_file *file = our_file(facts);
	const char *at = file && file->content ? file->content : "";
	const size_t n = strlen(word);

	for (; (at = strstr(at, word)); at += n)
		if (at[-1] == ' ' && at[n] == '"')
			return true;
	return false;
}

/* grub.cfg was made since our file was written, so it has what that says. */
static bool is_in_grub(const struct facts *facts)
{
	const struct own_file *file = our_file(facts);

	return file && file->mtime.known && facts->grub_mtime.known &&
	       facts->grub_mtime.value >= file->mtime.value;
}

void plan_word_persist(struct planner *planner, struct change *change,
		       const char *word)
{
	change->persistence = PERSIST_WORD;
	*vec_add(planner->arena, &planner->plan->intents.words) =
		(struct word_intent){ .word = word,
				      .file = change->file,
				      .line = change->line };
	if (!is_in_our_file(planner->facts, word) ||
	    !is_in_grub(planner->facts))
		change->needs |= NEED_GRUB;
}

void plan_word_later(struct planner *planner, struct change *change,
		     const char *word)
{
	plan_word_persist(planner, change, word);
	change->verdict = VERDICT_LATER;
	change->needs |= NEED_REBOOT;
	change->pending = is_in_our_file(planner->facts, word);
	change->reason =
		!change->pending ?
			"it is built into this kernel, which reads it from the command line: true after a reboot" :
		change->needs & NEED_GRUB ?
			"already written, but grub.cfg is perhaps older: true after \"update-grub\" and a reboot" :
			"already written, and true after a reboot";
}
