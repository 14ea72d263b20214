/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/drives.h"
#include "core/binding.h"
#include "sys/numa.h"

/* As a shell tells them apart. */
#define EXIT_CANNOT_RUN 126
#define EXIT_NO_COMMAND 127

/* A controller stands for itself; disks must all be near one node. */
static int bind_drive(struct context *ctx, const struct drives *drives,
		      struct binding *ret, struct err *err)
{
	const struct facts *facts = ctx->facts;
	bool any = false;

	VEC_EACH(&drives->names, const char *, it) {
		const struct ctrl *ctrl = facts_ctrl(facts, *it);
		const struct ns *ns = facts_ns(facts, *it);
		struct binding binding;
		int r;

		r = ctrl ? binding_of_ctrl(ctx->arena, facts, ctrl, &binding,
					   err) :
			   binding_of_ns(ctx->arena, facts, ns, &binding, err);
		if (r < 0)
			return r;
		if (any && binding.node != ret->node)
			return err_set(
				err, -EXDEV,
				"%s is on node %lld, another of these drives on node %lld",
				*it, (long long)binding.node,
				(long long)ret->node);
		*ret = binding;
		any = true;
	}
	return 0;
}

static int decide(struct context *ctx, int argc, char **argv,
		  struct binding *ret, struct err *err)
{
	struct drives drives = { 0 };
	int r = context_facts(ctx, err);

	if (r == 0 && argc > 0)
		r = drives_resolve(ctx->facts, ctx->root, ctx->arena, argc,
				   argv, &drives, err);
	if (r < 0)
		return r;
	drives_tell(&drives);
	if (ctx->options.node_given)
		return binding_of_node(ctx->arena, ctx->facts,
				       ctx->options.node, ret, err);
	r = bind_drive(ctx, &drives, ret, err);
	if (r == -ENODATA || r == -EXDEV)
		return err_set(err, r, "%s (--node N chooses a node)",
			       arena_strdup(ctx->arena, err->text));
	return r;
}

/* Everything is inherited by what runs now: CPUs, memory policy, the exit
 * status that the caller sees. */
static int become(struct context *ctx, struct err *err)
{
	char **command = ctx->options.argv;
	int r;

	/* What main() did for itself is not the command's to inherit. */
	(void)signal(SIGPIPE, SIG_DFL);
	(void)execvp(command[0], command);
	r = -errno;
	(void)err_errno(err, r, "%s: cannot run it", command[0]);
	return r == -ENOENT ? EXIT_NO_COMMAND : EXIT_CANNOT_RUN;
}

static int run(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct binding binding;
	int r;

	if (!ctx->options.argv || !ctx->options.argv[0])
		return command_usage(&command_run, err,
				     "no command: run DRIVE -- COMMAND");
	if (argc == 0 && !ctx->options.node_given)
		return command_usage(&command_run, err,
				     "no drive: run DRIVE -- COMMAND");
	r = decide(ctx, argc, argv, &binding, err);
	if (r == 0)
		r = numa_bind_thread(&binding, err);
	if (r < 0)
		return EXIT_FAILED;
	if (r > 0)
		out_note("%s", err->text);
	*err = (struct err){ 0 };
	return become(ctx, err);
}

static const struct opt opts[] = {
	{ .name = "node",
	  OPT_TO(NUMBER, node),
	  .arg = "N",
	  .given = offsetof(struct options, node_given),
	  .help = "use this node instead of the drive's" },
	OPT_END,
};

const struct command command_run = {
	.name = "run",
	.args = "DRIVE -- COMMAND [ARGUMENT...]",
	.summary = "run a command bound to a drive's node",
	.opts = opts,
	.flags = CMD_RAW_ARGS,
	.run = run,
	.details =
		"It gets those CPUs of the node that are online, allowed and not isolated, and\n"
		"memory of the node, or of the nearest node that has some.  A drive whose node is\n"
		"unknown, or that is reached from several nodes, is refused unless --node names\n"
		"one.  Where memory policies are not permitted (containers), only CPUs are bound,\n"
		"with a warning.",
	.exits = "126  the command cannot be run\n"
		 "127  there is no such command\n"
		 "else the status of the command",
};
