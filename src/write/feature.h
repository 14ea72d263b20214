/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/value.h"

/*
 * The door to a drive's features.  Values are never saved in the drive (bit
 * SV): they would go with it to another host, and the default that it lost
 * could not be brought back.
 *
 * Commands go only to a controller that is live (-EAGAIN otherwise, -ENODEV
 * when it is gone).  What a drive refuses for good is -EOPNOTSUPP, with the
 * drive's reason in err; any other status is -EREMOTEIO.
 */

struct err;
struct sysroot;

/*
 * The current value of a feature of the controller with this folder
 * ("sys/class/nvme/nvme0"): dword 0 of the completion.
 */
int feature_get(const struct sysroot *root, const char *ctrl_dir, uint8_t id,
		uint32_t *ret, struct err *err);
int feature_set(const struct sysroot *root, const char *ctrl_dir, uint8_t id,
		uint32_t value, struct err *err);

/*
 * A feature as if it were an attribute: "feature/08" below the controller's
 * folder, with the text of core/coalescing.h.  There is no other yet.
 */
bool feature_is_path(const char *path);
int feature_read_path(const struct sysroot *root, const char *path,
		      char ret[VALUE_TEXT_SIZE], struct err *err);
int feature_write_path(const struct sysroot *root, const char *path,
		       const char *text, struct err *err);
