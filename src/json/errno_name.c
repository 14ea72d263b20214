/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/errno_name.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* Names and not numbers: the latter differ between architectures. */
struct name {
	int code;
	const char *text;
};

/* clang-format off */
#define NAME(code) { code, #code }
static const struct name names[] = {
	NAME(EPERM), NAME(ENOENT), NAME(ESRCH), NAME(EINTR), NAME(EIO),
	NAME(ENXIO), NAME(E2BIG), NAME(ENOEXEC), NAME(EBADF), NAME(EAGAIN),
	NAME(ENOMEM), NAME(EACCES), NAME(EFAULT), NAME(ENOTBLK), NAME(EBUSY),
	NAME(EEXIST), NAME(EXDEV), NAME(ENODEV), NAME(ENOTDIR), NAME(EISDIR),
	NAME(EINVAL), NAME(ENFILE), NAME(EMFILE), NAME(ENOTTY), NAME(ETXTBSY),
	NAME(EFBIG), NAME(ENOSPC), NAME(ESPIPE), NAME(EROFS), NAME(EMLINK),
	NAME(EPIPE), NAME(EDOM), NAME(ERANGE), NAME(EDEADLK),
	NAME(ENAMETOOLONG), NAME(ENOSYS), NAME(ENOTEMPTY), NAME(ELOOP),
	NAME(ENODATA), NAME(ETIME), NAME(EPROTO), NAME(EBADMSG),
	NAME(EOVERFLOW), NAME(EILSEQ), NAME(EOPNOTSUPP), NAME(ETIMEDOUT),
	NAME(EALREADY), NAME(ESTALE), NAME(EREMOTEIO), NAME(ENOMEDIUM),
	NAME(ECANCELED), NAME(ENOKEY), NAME(EADDRNOTAVAIL), NAME(ENOTSUP),
};
#undef NAME
/* clang-format on */

#define N (sizeof(names) / sizeof(names[0]))

const char *errno_name(int code)
{
	for (size_t i = 0; i < N; i++)
		if (names[i].code == code)
			return names[i].text;
	return NULL;
}

int errno_parse(const char *name)
{
	for (size_t i = 0; i < N; i++)
		if (strcmp(names[i].text, name) == 0)
			return names[i].code;
	return 0;
}
