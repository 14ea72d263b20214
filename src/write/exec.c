/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/boot.h"
#include "sys/sysroot.h"

#define NOT_STARTED 127

static const char *find_program(const struct sysroot *root, struct arena *arena,
				const char *name)
{
	static const char *const folders[] = { "usr/sbin", "usr/bin", "sbin",
					       "bin" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		const char *path =
			arena_printf(arena, "%s/%s", folders[i], name);

		if (sysroot_exists(root, path))
			return arena_printf(arena, "/%s", path);
	}
	return NULL;
}

/* out: where its standard output goes. */
static void __attribute__((noreturn))
become(const char *path, const char *const *words, int out)
{
	static const char *const environment[] = {
		"PATH=/usr/sbin:/usr/bin:/sbin:/bin",
		"LC_ALL=C",
		NULL,
	};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* What main() did for itself is not the program's to inherit: scripts
	 * count on it that the writer of a pipe ends with the reader. */
	(void)signal(SIGPIPE, SIG_DFL);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
	    dup2(out, STDOUT_FILENO) >= 0)
		(void)execve(path, (char *const *)words,
			     (char *const *)environment);
	_exit(NOT_STARTED);
}

static int wait_for(pid_t child, const char *path, struct err *err)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_errno(err, -errno, "%s: is lost", path);
	if (WIFSIGNALED(status))
		return err_set(err, -EIO, "%s: ended by signal %d", path,
			       WTERMSIG(status));
	if (WEXITSTATUS(status) == 0)
		return 0;
	return err_set(err, -EIO, "%s: ended with status %d", path,
		       WEXITSTATUS(status));
}

static int run(const char *path, const char *const *words, struct err *err)
{
	pid_t child = fork();

	if (child < 0)
		return err_errno(err, -errno, "%s: cannot be started", path);
	if (child == 0)
		become(path, words, STDERR_FILENO);
	return wait_for(child, path, err);
}

int exec_rebuild_initramfs(const struct sysroot *root, struct arena *arena,
			   const char *tool, const char *kernel,
			   struct err *err)
{
	const char *const *words = boot_rebuild_words(arena, tool, kernel);
	const char *path = words ? find_program(root, arena, words[0]) : NULL;

	if (!sysroot_is_live(root))
		return err_set(err, -EOPNOTSUPP,
			       "an initramfs is rebuilt on the live host only");
	if (!path)
		return err_set(err, -EOPNOTSUPP,
			       "no program that builds an initramfs was found");
	return run(path, words, err);
}

int exec_update_grub(const struct sysroot *root, struct arena *arena,
		     struct err *err)
{
	static const char *const words[] = { "update-grub", NULL };
	const char *path = find_program(root, arena, words[0]);

	if (!sysroot_is_live(root))
		return err_set(err, -EOPNOTSUPP,
			       "grub.cfg is made anew on the live host only");
	if (!path)
		return err_set(err, -EOPNOTSUPP,
			       "there is no update-grub to make grub.cfg anew");
	return run(path, words, err);
}

/* As sd_booted(3) finds out. */
bool exec_has_systemd(const struct sysroot *root)
{
	return sysroot_is_live(root) &&
	       sysroot_exists(root, "run/systemd/system");
}

int exec_reload_units(const struct sysroot *root, struct arena *arena,
		      struct err *err)
{
	static const char *const words[] = { "systemctl", "daemon-reload",
					     NULL };
	const char *path = find_program(root, arena, words[0]);

	if (!path)
		return err_set(
			err, -EOPNOTSUPP,
			"systemd runs, but there is no systemctl to have it read its units again");
	return run(path, words, err);
}

#define MOST_OUTPUT ((size_t)16 << 20)

/* Until it prints no more; a signal to us is one to it. */
static int take_output(int fd, pid_t child, const volatile sig_atomic_t *stop,
		       struct strbuf *out)
{
	char text[4096];

	for (;;) {
		ssize_t n = read(fd, text, sizeof(text));

		if (n > 0 && out->len < MOST_OUTPUT)
			strbuf_put(out, text, (size_t)n);
		else if (n == 0)
			return 0;
		else if (n < 0 && errno != EINTR)
			return -errno;
		if (stop && *stop) {
			(void)kill(child, SIGTERM);
			return -EINTR;
		}
	}
}

static int run_and_read(const char *path, const char *const *words,
			const volatile sig_atomic_t *stop, struct strbuf *out,
			struct err *err)
{
	int ends[2];
	pid_t child;
	int r, ended;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, -errno, "%s: cannot be started", path);
	child = fork();
	if (child == 0)
		become(path, words, ends[1]);
	(void)close(ends[1]);
	if (child < 0) {
		r = err_errno(err, -errno, "%s: cannot be started", path);
		(void)close(ends[0]);
		return r;
	}
	r = take_output(ends[0], child, stop, out);
	(void)close(ends[0]);
	ended = wait_for(child, path, err);
	if (r == -EINTR)
		return err_set(err, r, "interrupted");
	return r < 0 ? err_errno(err, r, "%s: cannot be read", path) : ended;
}

int exec_fio(const struct sysroot *root, struct arena *arena,
	     const char *const *words, const volatile sig_atomic_t *stop,
	     char **ret_text, struct err *err)
{
	const char *path = find_program(root, arena, words[0]);
	struct strbuf out;
	int r;

	if (!path)
		return err_set(err, -EOPNOTSUPP, "fio is not installed");
	if (!sysroot_is_live(root))
		return err_set(err, -EOPNOTSUPP,
			       "fio reads the drives of the live host only");
	strbuf_init(&out, arena);
	r = run_and_read(path, words, stop, &out, err);
	if (r == 0)
		*ret_text = out.text;
	return r;
}
