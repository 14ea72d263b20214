/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/escape.h"
#include "cmd/out.h"

void progress_init(struct progress *progress)
{
	progress->is_terminal = out_takes_codes(STDERR_FILENO);
	progress->has_line = false;
}

/* What wraps cannot be written over: only its last row would be. */
static void cut_to_terminal(char *text)
{
	struct winsize size;
	size_t n = strlen(text);

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return;
	while (n > 0 && out_columns(text) >= size.ws_col)
		text[--n] = '\0';
}

void progress_tell(struct progress *progress, const char *fmt, ...)
{
	char text[160];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	escape_in_place(text);
	if (!progress->is_terminal) {
		out_note("%s", text);
		return;
	}
	cut_to_terminal(text);
	(void)fprintf(stderr, "\r\033[K%s", text);
	(void)fflush(stderr);
	progress->has_line = true;
}

void progress_done(struct progress *progress)
{
	if (!progress->has_line)
		return;
	(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr);
	progress->has_line = false;
}
