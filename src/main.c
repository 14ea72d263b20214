/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd/command.h"

/*
 * A descriptor below 3 that the caller closed would be given to the next file
 * that is opened, and talk would end up in there.  The reading end of a dead
 * pipe takes the place: reading sees the end, writing fails.
 */
static int fill_standard_descriptors(void)
{
	int ends[2];

	do {
		if (pipe(ends) < 0)
			return -errno;
		(void)close(ends[1]);
	} while (ends[0] <= STDERR_FILENO);
	(void)close(ends[0]);
	return 0;
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	int status;

	/* A reader that goes away must not kill an apply half way. */
	(void)signal(SIGPIPE, SIG_IGN);
	if (fill_standard_descriptors() < 0)
		return EXIT_FAILED;

	status = command_line(argc - 1, argv + 1, &err);
	/* What is said so far comes first, also where both are one pipe. */
	(void)fflush(stdout);
	if (err.text[0])
		(void)fprintf(stderr, "nvmetune: %s\n", err.text);
	return status;
}
