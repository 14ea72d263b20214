/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Of libnvme only the two functions with an args struct: its wrappers for
 * single features send wrong bytes up to 1.5 (coalescing with threshold and
 * time swapped).  They return 0, an NVMe status above it, or -1 and errno.
 */
#include "write/feature.h"

#include <errno.h>
#include <libnvme.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"
#include "core/coalescing.h"
#include "sys/sysroot.h"

#define PAGE_BYTES 4096U
#define PATH_BYTES 256
#define COALESCING_PATH "/feature/08"

/* Status code and its type, without "do not retry", "more" and the delay. */
#define STATUS_MASK 0x7ff
#define SPECIFIC(code) (NVME_SCT_CMD_SPECIFIC << 8 | (code))

struct refusal {
	int status; /* NVMe Base 2.0, figures 94 and 95 */
	const char *why;
};

static const struct refusal refusals[] = {
	{ NVME_SC_INVALID_OPCODE, "the drive does not know the command" },
	{ NVME_SC_INVALID_FIELD, "the drive does not take it (Invalid Field)" },
	{ SPECIFIC(NVME_SC_FEATURE_NOT_CHANGEABLE),
	  "the drive says that it cannot be changed" },
	{ SPECIFIC(NVME_SC_FEATURE_NOT_SAVEABLE),
	  "the drive says that it cannot be saved" },
	{ SPECIFIC(NVME_SC_FEATURE_NOT_PER_NS),
	  "the drive says that it is none of a namespace" },
};

static int outcome(int r, struct err *err)
{
	const int status = r & STATUS_MASK;

	if (r == 0)
		return 0;
	if (r < 0)
		return err_errno(err, errno ? -errno : -EIO, "the command");
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		if (refusals[i].status == status)
			return err_set(err, -EOPNOTSUPP, "%s", refusals[i].why);
	return err_set(err, -EREMOTEIO,
		       "the drive answers with NVMe status 0x%x",
		       (unsigned int)r);
}

static int read_attr(const struct sysroot *root, const char *ctrl_dir,
		     const char *name, char *text, size_t size, struct err *err)
{
	char path[PATH_BYTES];
	ssize_t n;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", ctrl_dir, name) >=
	    sizeof(path))
		return err_set(err, -ENAMETOOLONG, "its folder is too long");
	n = sysroot_read(root, path, text, size);
	if (n == -ENOENT)
		n = -ENODEV;
	return n < 0 ? err_errno(err, (int)n, "its %s", name) : 0;
}

/* "sys/class/nvme/nvme0" to the descriptor of /dev/nvme0. */
static int open_ctrl(const struct sysroot *root, const char *ctrl_dir,
		     struct err *err)
{
	const char *slash = strrchr(ctrl_dir, '/');
	char state[32], number[32], path[PATH_BYTES];
	int r = read_attr(root, ctrl_dir, "state", state, sizeof(state), err);

	if (r == 0 && !text_equal(text_trim(state), "live"))
		r = err_set(err, -EAGAIN, "the controller is not live");
	if (r == 0)
		r = read_attr(root, ctrl_dir, "dev", number, sizeof(number),
			      err);
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "dev/%s",
		       slash ? slash + 1 : ctrl_dir);
	r = sysroot_open_device(root, path, text_trim(number));
	return r < 0 ? err_errno(err, r, "/%s", path) : r;
}

int feature_get(const struct sysroot *root, const char *ctrl_dir, uint8_t id,
		uint32_t *ret, struct err *err)
{
	_cleanup_close_ int fd = open_ctrl(root, ctrl_dir, err);
	/* 0Ch gives a table of 256 bytes; controllers transfer a page. */
	const bool has_data = id == NVME_FEAT_FID_AUTO_PST;
	_cleanup_free_ void *page =
		has_data ? aligned_alloc(PAGE_BYTES, PAGE_BYTES) : NULL;
	uint32_t result = 0;
	struct nvme_get_features_args args = {
		.args_size = sizeof(args),
		.fd = fd,
		.result = &result,
		.data = page,
		.data_len = has_data ? sizeof(struct nvme_feat_auto_pst) : 0,
		.timeout = 0, /* the driver's: a short one ends in a reset */
		.nsid = NVME_NSID_NONE,
		.sel = NVME_GET_FEATURES_SEL_CURRENT,
		.fid = id,
		.uuidx = NVME_UUID_NONE,
	};
	int r;

	if (fd < 0)
		return fd;
	if (has_data && !page)
		return err_set(err, -ENOMEM, "no memory");
	r = outcome(nvme_get_features(&args), err);
	if (r == 0)
		*ret = result;
	return r;
}

int feature_set(const struct sysroot *root, const char *ctrl_dir, uint8_t id,
		uint32_t value, struct err *err)
{
	_cleanup_close_ int fd = open_ctrl(root, ctrl_dir, err);
	struct nvme_set_features_args args = {
		.args_size = sizeof(args),
		.fd = fd,
		.timeout = 0,
		.nsid = NVME_NSID_NONE,
		.cdw11 = value,
		.save = false,
		.uuidx = NVME_UUID_NONE,
		.fid = id,
	};

	if (fd < 0)
		return fd;
	return outcome(nvme_set_features(&args), err);
}

bool feature_is_path(const char *path)
{
	return text_has_suffix(path, COALESCING_PATH);
}

static int ctrl_of(const char *path, char ret[PATH_BYTES], struct err *err)
{
	const size_t n = strlen(path) - strlen(COALESCING_PATH);

	if (n >= PATH_BYTES)
		return err_set(err, -ENAMETOOLONG, "its folder is too long");
	memcpy(ret, path, n);
	ret[n] = '\0';
	return 0;
}

int feature_read_path(const struct sysroot *root, const char *path,
		      char ret[VALUE_TEXT_SIZE], struct err *err)
{
	char ctrl_dir[PATH_BYTES];
	struct coalescing now;
	uint32_t dword = 0;
	int r = ctrl_of(path, ctrl_dir, err);

	if (r == 0)
		r = feature_get(root, ctrl_dir, NVME_FEAT_FID_IRQ_COALESCE,
				&dword, err);
	if (r < 0)
		return r;
	now = coalescing_from_dword(dword);
	coalescing_to_text(&now, ret);
	return 0;
}

int feature_write_path(const struct sysroot *root, const char *path,
		       const char *text, struct err *err)
{
	char ctrl_dir[PATH_BYTES];
	struct coalescing want;
	int r = ctrl_of(path, ctrl_dir, err);

	if (r < 0)
		return r;
	if (coalescing_parse(text, &want) < 0)
		return err_set(err, -EINVAL, "\"%s\" is no coalescing", text);
	return feature_set(root, ctrl_dir, NVME_FEAT_FID_IRQ_COALESCE,
			   coalescing_to_dword(&want), err);
}
