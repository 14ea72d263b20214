/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/intents.h"

/*
 * The text of 90-nvmetune.rules, or nothing (out as it was) when no intent
 * needs a rule.
 *
 * The rules act on "add" only: udev's watch turns every close of a node that
 * was open for writing into "change", and a rule on that would undo a running
 * measurement.  They speak of whole disks that have a request queue
 * (TEST=="mq": a multipath head has none, whatever its files say).  In an
 * initramfs, where there is no applied.ini, they do nothing.
 */
void render_udev_rules(const struct intents *intents, struct strbuf *out);

/* The same for a configuration that writes the file by itself, and knows of no
 * applied.ini. */
void render_udev_export(const struct intents *intents, struct strbuf *out);
