/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Ownership readable at the declaration: the variable is released when it
 * leaves scope, and TAKE_PTR/TAKE_FD hand it on.  Initialise on the line
 * that declares it.
 */

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void cleanup_fclose(FILE **file)
{
	if (*file)
		(void)fclose(*file);
}

static inline void cleanup_closedir(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

#define _cleanup_free_ __attribute__((cleanup(cleanup_free)))
#define _cleanup_close_ __attribute__((cleanup(cleanup_close)))
#define _cleanup_fclose_ __attribute__((cleanup(cleanup_fclose)))
#define _cleanup_closedir_ __attribute__((cleanup(cleanup_closedir)))

#define TAKE_PTR(p)                               \
	__extension__({                           \
		__typeof__(p) *take_from = &(p);  \
		__typeof__(p) taken = *take_from; \
		*take_from = NULL;                \
		taken;                            \
	})

static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#define TAKE_FD(fd) take_fd(&(fd))
