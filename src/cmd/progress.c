/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/escape.h"
#include "cmd/out.h"

void progress_init(struct progress *progress)
{
	progress->is_terminal = isatty(STDERR_FILENO) == 1;
	progress->has_line = false;
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
