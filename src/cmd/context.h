/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/command.h"
#include "cmd/drives.h"
#include "cmd/out.h"
#include "core/facts.h"
#include "core/plan.h"
#include "core/profile.h"
#include "sys/sysroot.h"

/*
 * What commands share: options, the root, facts, profile and plan, each made
 * when first asked for.  Everything is released when the command ends.
 */
struct context {
	struct arena *arena;
	struct options options;
	struct sysroot *root;	       /* opened by context_root() */
	struct facts *facts;	       /* by context_facts() */
	const struct profile *profile; /* by context_plan() */
	struct applied *applied;       /* by context_applied() */
	struct plan *plan;	       /* by context_plan() */
	struct drives only; /* likewise: the drives that were named */
	enum out_format format;
	bool color;
	unsigned int width; /* of the terminal; 0: not a terminal */
};

void context_init(struct context *ctx);
void context_done(struct context *ctx);
/* Settles format, color and width from the options; -EINVAL. */
int context_options(struct context *ctx, struct err *err);

/* Each is 0 or a negative errno with err set; called twice it does nothing.
 * Several error lines (problems) are printed by these, and err is then empty
 * but for its code. */
int context_root(struct context *ctx, struct err *err);
/* A file that the user named, as an absolute path of the real file system. */
int context_path(struct context *ctx, const char *name, const char **ret,
		 struct err *err);
int context_facts(struct context *ctx, struct err *err); /* --facts or live */
int context_applied(struct context *ctx, struct err *err);
/* The profile that was applied last, as applied.ini has it; NULL: none, or it
 * cannot be read.  Behind context_facts(). */
const struct profile *context_previous(struct context *ctx);
/* drives: names as the user gave them, see cmd/drives.h. */
int context_plan(struct context *ctx, int nr_drives, char **drives,
		 struct err *err);
/*
 * The same without what is to be written: files follow the profile and hold
 * for all drives, so that a plan of some has none to write.
 */
int context_plan_live(struct context *ctx, int nr_drives, char **drives,
		      struct err *err);
/* Behind it: what another profile would come to, on the same facts. */
int context_plan_for(struct context *ctx, const struct profile *profile,
		     struct plan **ret, struct err *err);
