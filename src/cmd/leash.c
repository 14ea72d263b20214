/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/leash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"

#define GO SIGUSR1

/* Until it is watched over; SIGKILL comes before that when we end. */
static void wait_for_guard(pid_t parent)
{
	sigset_t go;

	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	(void)sigemptyset(&go);
	(void)sigaddset(&go, GO);
	while (sigwaitinfo(&go, NULL) < 0)
		;
}

/* It lets go of everything that it has of ours: a lock, far ends of pipes. */
static void __attribute__((noreturn)) guard(const int ends[2], pid_t group)
{
	struct pollfd fd = { .fd = STDIN_FILENO }; /* its end alone */

	(void)close(ends[1]);
	if (setpgid(0, group) < 0 || dup2(ends[0], STDIN_FILENO) < 0)
		_exit(EXIT_FAILURE);
	(void)close_range(STDIN_FILENO + 1, UINT_MAX, 0);
	while (poll(&fd, 1, -1) < 0 && errno == EINTR)
		;
	(void)kill(-group, SIGKILL);
	_exit(EXIT_SUCCESS);
}

static void end(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* With all signals blocked: what is sent to the group ends no guard. */
static pid_t fork_both(struct leash *leash, const int ends[2], struct err *err)
{
	const pid_t us = getpid();

	leash->child = fork();
	if (leash->child == 0) {
		wait_for_guard(us);
		return 0;
	}
	if (leash->child < 0)
		return err_errno(err, -errno, "the workload cannot be started");
	(void)setpgid(leash->child, leash->child); /* whoever comes first */
	leash->guard = fork();
	if (leash->guard == 0)
		guard(ends, leash->child);
	if (leash->guard < 0) {
		int r = err_errno(err, -errno,
				  "the workload cannot be watched over");

		end(leash->child);
		return r;
	}
	(void)setpgid(leash->guard, leash->child);
	(void)kill(leash->child, GO);
	return leash->child;
}

pid_t leash_fork(struct leash *ret, struct err *err)
{
	struct leash leash = { .hold = -1 };
	sigset_t all, before;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, -errno, "the workload has no pipe");
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork_both(&leash, ends, err);
	(void)close(ends[0]);
	if (pid <= 0)
		(void)close(ends[1]);
	if (pid == 0)
		return 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return pid;
	leash.hold = ends[1];
	*ret = leash;
	return pid;
}

void leash_end(struct leash *leash)
{
	end(leash->guard);
	(void)close(TAKE_FD(leash->hold));
}
