/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The device helper: started by udev for one drive that has come or has been
 * reset.  It is as quick as it can be, since udev's worker waits for it.
 */

#include <errno.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/restore_text.h"
#include "core/owner.h"
#include "knobs/knob_list.h"
#include "probe/drive.h"
#include "sys/profile_file.h"
#include "write/device.h"
#include "write/lock.h"
#include "write/state.h"

#define APPLIED_LIMIT (1U << 20)

/* For the paths of a controller whose subsystem others lead to. */
#define POLL_MS 50
#define MOST_POLLS 40
#define QUIET_POLLS 10

/* For a queue: 2 s, and 50 ms where nothing says that it is whole. */
#define QUEUE_POLL_MS 10
#define MOST_QUEUE_POLLS 200
#define BEGUN_POLLS 5

/* Both to stderr and, on the live host, to the system's log: udev shows
 * nobody what its programs say. */
static void say(const struct context *ctx, int priority, const char *text)
{
	char line[512];
	size_t n = strlen(text);

	n = n < sizeof(line) ? n : sizeof(line) - 1;
	memcpy(line, text, n);
	line[n] = '\0';
	escape_in_place(line);
	out_note("%s", line);
	if (sysroot_is_live(ctx->root))
		syslog(priority | LOG_DAEMON, "%s", line);
}

static int say_failed(const struct context *ctx, const char *ctrl,
		      const struct err *err)
{
	say(ctx, LOG_ERR, arena_printf(ctx->arena, "%s: %s", ctrl, err->text));
	return EXIT_FAILED;
}

/* A reason to do nothing that is none to worry. */
static int leave_alone(const struct context *ctx, const char *ctrl,
		       const char *why)
{
	say(ctx, LOG_NOTICE,
	    arena_printf(ctx->arena, "%s: left alone: %s", ctrl, why));
	return EXIT_DONE;
}

static void tell(void *data, const struct execute_event *event)
{
	const struct context *ctx = data;
	const struct step *step = event->step;

	if (event->what == EXECUTE_DONE)
		say(ctx, LOG_NOTICE,
		    arena_printf(ctx->arena, "%s: from \"%s\" to \"%s\"",
				 step_name(ctx->arena, step), step->before,
				 step->after));
	else
		say(ctx, event->what == EXECUTE_FAILED ? LOG_ERR : LOG_NOTICE,
		    event->why);
}

/* root acts on what it says: nobody else may have written it. */
static int check_mode(const struct context *ctx, struct err *err)
{
	mode_t mode;
	int r = sysroot_mode(ctx->root, OWNER_APPLIED, &mode);

	if (r == 0 && mode & 022)
		r = err_set(err, -EPERM,
			    OWNER_APPLIED
			    ": others than root may write to it: not used");
	return r;
}

static int read_applied(struct context *ctx, struct profile *ret,
			struct err *err)
{
	struct problems problems = { .arena = ctx->arena };
	const char *from;
	char *text;
	int r = sysroot_read_file(ctx->root, ctx->arena, OWNER_APPLIED,
				  APPLIED_LIMIT, &text);

	if (r < 0)
		return err_errno(err, r, OWNER_APPLIED);
	r = check_mode(ctx, err);
	if (r < 0)
		return r;
	from = owner_profile(ctx->arena, text);
	if (!owner_is_us(text))
		return err_set(err, -EINVAL,
			       OWNER_APPLIED ": was not written by nvmetune");
	r = profile_read(ctx->arena, knobs_all(), from ? from : "applied",
			 OWNER_APPLIED, text, strlen(text), ret, &problems);
	if (r < 0 && problems.lines.n)
		return err_set(err, r, "%s", problems.lines.items[0]);
	return r < 0 ? err_errno(err, r, OWNER_APPLIED) : 0;
}

static bool speaks_of(const struct profile *profile, const struct knob *knob)
{
	VEC_EACH(&profile->sections, const struct section, section)
		VEC_EACH(&section->settings, const struct setting, setting)
			if (setting->knob == knob)
				return true;
	return false;
}

/* Queues have all of theirs, since writing one may move another; whatever
 * takes a look at vectors or a command to the drive only where it is asked
 * for. */
static struct knob_set knobs_for(struct arena *arena,
				 const struct profile *profile)
{
	const struct knob_set *all = knobs_all();
	const struct knob **items = arena_array(arena, all->n, sizeof(*items));
	struct knob_set set = { .items = items };

	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];
		const bool is_drives = knob->scope == SCOPE_CTRL ||
				       knob->scope == SCOPE_FUNCTION ||
				       knob->scope == SCOPE_VECTOR;

		if (knob->scope == SCOPE_QUEUE ||
		    (is_drives && speaks_of(profile, knob)))
			items[set.n++] = knob;
	}
	return set;
}

/* The controller and its disks, by the names that a plan is narrowed with. */
static const char *const *own_names(struct arena *arena,
				    const struct facts *facts, const char *ctrl,
				    size_t *ret_n)
{
	const size_t most = facts->namespaces.n + 1;
	const char **names = arena_array(arena, most, sizeof(*names));
	size_t n = 0;

	names[n++] = ctrl;
	VEC_EACH(&facts->namespaces, const struct ns, ns)
		if (ns->kind == NS_HEAD)
			names[n++] = ns->name;
	*ret_n = n;
	return names;
}

/* What other paths to the same disks have is for their own helpers. */
static void drop_siblings(const struct facts *facts, const char *ctrl,
			  struct plan *plan)
{
	size_t n = 0;

	VEC_EACH(&plan->changes, const struct change, change) {
		const struct ns *ns =
			change->target.kind == TARGET_QUEUE ?
				facts_ns(facts, change->target.name) :
				NULL;

		if (!ns || ns->kind == NS_HEAD || text_equal(ns->ctrl, ctrl))
			plan->changes.items[n++] = *change;
	}
	plan->changes.n = n;
}

static int plan_drive(struct context *ctx, const struct profile *profile,
		      const struct facts *facts, const struct knob_set *knobs,
		      const char *ctrl, struct plan *ret, struct err *err)
{
	struct problems problems = { .arena = ctx->arena };
	struct plan_input input = { .facts = facts,
				    .profile = profile,
				    .knobs = knobs,
				    .by_helper = true };
	int r;

	input.only.names = own_names(ctx->arena, facts, ctrl, &input.only.n);
	r = plan_build(ctx->arena, &input, ret, &problems);
	if (r < 0)
		return err_set(err, r, "%s",
			       problems.lines.n ? problems.lines.items[0] :
						  "no plan can be made");
	drop_siblings(facts, ctrl, ret);
	return 0;
}

static int set_drive(struct context *ctx, const char *ctrl, const char *disk,
		     unsigned int txn, struct err *err)
{
	struct profile profile = { 0 };
	struct facts facts;
	struct plan plan;
	struct knob_set knobs;
	struct device_input input = { .root = ctx->root,
				      .plan = &plan,
				      .txn = txn,
				      .tell = tell,
				      .data = ctx };
	struct device_result result = { 0 };
	int r = read_applied(ctx, &profile, err);

	if (r < 0)
		return r;
	knobs = knobs_for(ctx->arena, &profile);
	probe_drive(ctx->root, &knobs, ctrl, disk, ctx->arena, &facts);
	if (!facts_ctrl(&facts, ctrl))
		return 0; /* gone meanwhile */
	r = plan_drive(ctx, &profile, &facts, &knobs, ctrl, &plan, err);
	if (r < 0)
		return r;
	input.ctrl_id = facts_ctrl_id(ctx->arena, facts_ctrl(&facts, ctrl));
	input.boot_id = facts.boot_id;
	r = device_set(ctx->arena, &input, &result, err);
	/* What failed has been told. */
	return r == 0 && result.failed ? -EIO : r;
}

static bool is_live(struct context *ctx, const char *ctrl)
{
	const char *state = sysroot_text(
		ctx->root, ctx->arena,
		arena_printf(ctx->arena, "sys/class/nvme/%s/state", ctrl),
		NULL);

	return text_equal(state, "live");
}

/*
 * The hidden disk of a path that comes late sends no event, and none follows:
 * of a controller that is one more way to disks that are seen already they are
 * waited for.  Any other disk has an event of its own.
 */
static void wait_for_paths(struct context *ctx, const char *ctrl)
{
	const struct timespec pause = { .tv_nsec = POLL_MS * 1000000L };
	unsigned int quiet = 0, before = 0;

	for (unsigned int i = 0; i < MOST_POLLS && quiet < QUIET_POLLS; i++) {
		const struct drive_paths paths =
			probe_drive_paths(ctx->root, ctx->arena, ctrl);

		if (!paths.missing)
			return;
		quiet = paths.there && paths.there == before ? quiet + 1 : 0;
		before = paths.there;
		(void)nanosleep(&pause, NULL);
	}
}

static int do_ctrl(struct context *ctx, const char *ctrl, const char *disk)
{
	_cleanup_close_ int lock = -1;
	struct err err = { 0 };
	unsigned int txn = 0;
	int r;

	if (!is_live(ctx, ctrl))
		return EXIT_DONE;
	if (!disk)
		wait_for_paths(ctx, ctrl);
	r = lock_take_device(ctx->root, ctx->arena, ctrl, &lock, &err);
	if (r < 0)
		return say_failed(ctx, ctrl, &err);
	if (lock_is_taken(ctx->root))
		return leave_alone(ctx, ctrl, "another nvmetune is running");
	r = device_standing(ctx->root, ctx->arena, &txn, &err);
	if (r == -EBUSY)
		return leave_alone(ctx, ctrl, err.text);
	if (r == 0)
		r = set_drive(ctx, ctrl, disk, txn, &err);
	if (r < 0 && err.text[0])
		return say_failed(ctx, ctrl, &err);
	return r < 0 ? EXIT_FAILED : EXIT_DONE;
}

/*
 * Run by a rule in front of all others, so that those which set a queue's
 * attribute find it.  It sets nothing itself: once the queue is there, udev's
 * rules do what they do in a boot, ours as well as somebody's that has the last
 * word over it.  Setting it behind the rules instead, as the helper does what
 * no rule holds, would overrule that one.
 */
static int wait_for_queue(struct context *ctx, const char *disk)
{
	const struct timespec pause = { .tv_nsec = QUEUE_POLL_MS * 1000000L };
	unsigned int begun = 0;

	for (unsigned int i = 0; i < MOST_QUEUE_POLLS; i++) {
		const enum drive_queue queue =
			probe_drive_queue(ctx->root, ctx->arena, disk);

		if (queue == DRIVE_QUEUE_GONE || queue == DRIVE_QUEUE_WHOLE)
			return EXIT_DONE;
		begun += queue == DRIVE_QUEUE_BEGUN;
		if (begun > BEGUN_POLLS)
			return EXIT_DONE;
		(void)nanosleep(&pause, NULL);
	}
	say(ctx, LOG_WARNING,
	    arena_printf(
		    ctx->arena,
		    "%s: the kernel has not made its queue in 2 s: udev rules cannot set it; \"nvmetune verify\" tells what is missing, \"nvmetune apply\" sets it",
		    disk));
	return EXIT_FAILED;
}

static int set_ctrls(struct context *ctx, const char *name, bool is_disk)
{
	struct names ctrls;
	int status = EXIT_DONE;

	/* Nothing is applied, or /var, where it would say what, is not mounted
	 * yet: nothing to do, and no folder made for it. */
	if (!sysroot_exists(ctx->root, OWNER_APPLIED) ||
	    !sysroot_exists(ctx->root, STATE_DIR))
		return EXIT_DONE;
	probe_drive_ctrls(ctx->root, ctx->arena, name, &ctrls);
	VEC_EACH(&ctrls.names, char *, ctrl)
		if (do_ctrl(ctx, *ctrl, is_disk ? name : NULL) != EXIT_DONE)
			status = EXIT_FAILED;
	return status;
}

static int device(struct context *ctx, int argc, char **argv, struct err *err)
{
	const bool only_waits = ctx->options.wait_queue;
	bool is_disk = false;
	int r;

	if (argc != 1 || !probe_drive_name(argv[0], &is_disk))
		return command_usage(
			&command_device, err,
			"give one drive by its kernel name: nvme0, nvme0n1 or nvme0c0n1");
	if (only_waits && !is_disk)
		return command_usage(&command_device, err,
				     "--wait-queue is for a disk: nvme0n1");
	r = context_root(ctx, err);
	if (r == 0 && !only_waits && sysroot_is_live(ctx->root) &&
	    geteuid() != 0)
		r = err_set(err, -EPERM,
			    "device changes the host: only root may");
	if (r < 0)
		return EXIT_FAILED;
	return only_waits ? wait_for_queue(ctx, argv[0]) :
			    set_ctrls(ctx, argv[0], is_disk);
}

static const struct opt opts[] = {
	{ .name = "wait-queue",
	  OPT_TO(FLAG, wait_queue),
	  .help = "only wait until the disk has its queue, 2 seconds at most" },
	OPT_SYSROOT_WRITE,
	OPT_END,
};

const struct command command_device = {
	.name = "device",
	.args = "NAME",
	.summary = "restore the applied settings of one drive, for udev",
	.opts = opts,
	.flags = CMD_HIDDEN,
	.run = device,
	.details =
		"udev starts it when a drive has appeared or was reset.  It sets what no udev\n"
		"rule can hold and what the reset lost, as /etc/nvmetune/applied.ini says.  It\n"
		"does nothing if no profile was applied, if the controller is not live, or while\n"
		"another nvmetune is running.\n"
		"\n"
		"Before Linux 5.15 the kernel tells udev of a disk before it has created the\n"
		"disk's queue.  udev then runs --wait-queue before any rule: it sets nothing and\n"
		"ends as soon as the queue is there, so that all rules find it.",
};
