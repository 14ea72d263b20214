/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/leash.h"

#define TAIL_BYTES (64U << 10) /* a figure stands at the end */
#define LOOK_MS 100	       /* how late a signal may be seen */
#define GRACE_MS 2000	       /* from SIGTERM to SIGKILL */
#define NOT_STARTED 126

/* A run while it lasts. */
struct child {
	pid_t pid; /* of the shell, and of its process group */
	struct leash leash;
	int out; /* what it prints; -1: it prints no more */
	uint64_t start_ns;
	uint64_t term_ns; /* SIGTERM was sent; 0: not yet */
	bool killed;
	char *tail;
	size_t len;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* That a handler ran is what ends ppoll(). */
static void wake(int number)
{
	(void)number;
}

static void __attribute__((noreturn))
become(const char *command, int out, const sigset_t *mask)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	/* What main() did for itself is not the command's to inherit. */
	(void)signal(SIGPIPE, SIG_DFL);
	(void)sigprocmask(SIG_SETMASK, mask, NULL);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
	    dup2(out, STDOUT_FILENO) >= 0)
		(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_STARTED);
}

static int start(const char *command, const sigset_t *mask, struct child *child,
		 struct err *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, -errno, "the workload has no pipe");
	child->start_ns = now_ns();
	child->pid = leash_fork(&child->leash, err);
	if (child->pid == 0)
		become(command, ends[1], mask);
	(void)close(ends[1]);
	child->out = ends[0];
	if (child->pid < 0)
		return child->pid;
	(void)fcntl(child->out, F_SETFL, O_NONBLOCK);
	return 0;
}

/* The last bytes are kept, the first make room. */
static void keep(struct child *child, const char *text, size_t n)
{
	size_t over;

	if (child->len + n > TAIL_BYTES) {
		over = child->len + n - TAIL_BYTES;
		memmove(child->tail, child->tail + over, child->len - over);
		child->len -= over;
	}
	for (size_t i = 0; i < n; i++)
		child->tail[child->len++] = text[i] ? text[i] : ' ';
}

static void take_output(struct child *child)
{
	char text[4096];
	ssize_t n;

	while (child->out >= 0) {
		n = read(child->out, text, sizeof(text));
		if (n > 0) {
			keep(child, text, (size_t)n);
			continue;
		}
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			(void)close(TAKE_FD(child->out));
		return;
	}
}

/* Asked to end first, so that it can remove what it laid out. */
static void urge(struct child *child)
{
	uint64_t now = now_ns();

	if (child->term_ns == 0) {
		child->term_ns = now;
		(void)kill(-child->pid, SIGTERM);
	} else if (!child->killed &&
		   now - child->term_ns > GRACE_MS * 1000000ULL) {
		child->killed = true;
		(void)kill(-child->pid, SIGKILL);
	}
}

/* The shell has ended and waits to be asked: its number is still ours. */
static bool has_ended(const struct child *child)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)child->pid, &info,
		      WEXITED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid == child->pid;
}

static void watch(struct child *child, const struct workload *workload,
		  const sigset_t *mask, struct workload_run *run)
{
	const struct timespec look = { .tv_nsec = LOOK_MS * 1000000L };

	while (!has_ended(child)) {
		struct pollfd fd = { .fd = child->out, .events = POLLIN };

		if (workload->stop && *workload->stop)
			urge(child);
		if (run->timed_out || now_ns() - child->start_ns >
					      workload->limit_ms * 1000000ULL) {
			run->timed_out = true;
			urge(child);
		}
		(void)ppoll(&fd, 1, &look, mask);
		take_output(child);
	}
	run->elapsed_ns = now_ns() - child->start_ns;
	take_output(child);
}

/* What it left in the background would run into the next slice. */
static int reap(struct child *child, int *ret_status, struct err *err)
{
	int r = 0;

	(void)kill(-child->pid, SIGKILL);
	while (waitpid(child->pid, ret_status, 0) < 0)
		if (errno != EINTR) {
			r = err_errno(err, -errno, "the workload is lost");
			break;
		}
	leash_end(&child->leash);
	return r;
}

int workload_start_and_wait(struct arena *arena,
			    const struct workload *workload,
			    struct workload_run *ret, struct err *err)
{
	const struct sigaction action = { .sa_handler = wake };
	struct child child = { .out = -1,
			       .tail = arena_alloc(arena, TAIL_BYTES + 1) };
	struct workload_run run = { .limit_ms = workload->limit_ms };
	struct sigaction before;
	sigset_t before_mask, mask, chld;
	int r;

	/* Blocked but while it waits: an end just before that is not missed. */
	(void)sigemptyset(&chld);
	(void)sigaddset(&chld, SIGCHLD);
	(void)pthread_sigmask(SIG_BLOCK, &chld, &before_mask);
	mask = before_mask;
	(void)sigdelset(&mask, SIGCHLD);
	(void)sigaction(SIGCHLD, &action, &before);
	r = start(workload->command, &before_mask, &child, err);
	if (r == 0) {
		watch(&child, workload, &mask, &run);
		r = reap(&child, &run.status, err);
	}
	if (child.out >= 0)
		(void)close(child.out);
	(void)sigaction(SIGCHLD, &before, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &before_mask, NULL);
	if (r == 0 && workload->stop && *workload->stop)
		r = err_set(err, -EINTR, "the workload was interrupted");
	if (r < 0)
		return r;
	run.output = child.tail;
	*ret = run;
	return 0;
}

int workload_measure(struct arena *arena, struct workload *workload,
		     struct workload_run *ret_run, double *ret, struct err *err)
{
	int r = workload_start_and_wait(arena, workload, ret_run, err);

	return r < 0 ? r :
		       workload_judge(arena, ret_run, &workload->metric, ret,
				      err);
}
