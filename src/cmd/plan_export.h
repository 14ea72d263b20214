/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"

/*
 * What a plan wants kept, as text for somebody's own configuration: hosts
 * whose /etc is made elsewhere (ostree, NixOS, read-only roots) and pipelines
 * that write files themselves.
 *
 * kind is udev, modprobe, sysctl, systemd or cmdline: the contents of our
 * file of that kind, several one behind the other under a comment with their
 * names, or the words for a kernel command line.  Nothing wanted is no text.
 * -EINVAL: another kind.
 */
int plan_export(struct strbuf *out, const struct plan *plan, const char *kind,
		struct err *err);
