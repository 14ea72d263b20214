/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * Facts that may be shown to strangers.
 *
 * Host name, boot id, serial numbers, NQNs behind their naming authority,
 * namespace ids behind their type, mount points that are not usual ones, and
 * every UUID become tokens such as "serial-3fa91c"; so do they wherever else
 * they stand: in the command line, in rules, in file contents.  The same
 * text is the same token, on every host, so that what belonged together
 * still does.  A token has 24 bits: too few to tell which of all serial
 * numbers it was.
 *
 * Models, firmware, sizes, paths of files and PCI addresses stay: they are
 * what a report is about.  So does what an administrator wrote into a rule
 * or an option: look at the file before you publish it.
 */

struct arena;

/* In place: the texts of facts are replaced by new ones in the arena. */
void facts_redact(struct arena *arena, struct facts *facts);

/* The same of what is no fact, with the secrets of facts that were not
 * redacted; belongs to the arena. */
struct redaction;
struct redaction *redaction_new(struct arena *arena, const struct facts *facts);
const char *redaction_text(struct redaction *redaction, const char *text);
/* Where a secret stands in bytes, in place: its token, cut or padded with
 * spaces to its length. */
void redaction_bytes(struct redaction *redaction, char *bytes, size_t n);
