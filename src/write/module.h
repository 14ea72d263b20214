/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * nvme.ko taken out and put in again, so that it reads its parameters anew.
 * Only the PCIe driver: nvme_core stays, and so do drives over fabrics.  On
 * the live host only.
 */

struct arena;
struct err;
struct sysroot;

/*
 * -EBUSY when anybody uses a drive: what a program has open or the kernel
 * has claimed is looked for first, since a multipath disk that is open holds
 * no reference on the module; then the kernel's own count decides, without
 * force.  -EOPNOTSUPP where there is no module to reload.  Nothing has
 * happened then, and err says why.
 *
 * 0: it is in again, with what modprobe.d and the command line say now, and
 * as many controllers are live as before, or half a minute is over.  Another
 * error: it is out, and could not be put in again.  *ret_core: nvme_core went
 * out and in as well, which others may use.
 */
int module_reload_nvme(const struct sysroot *root, struct arena *arena,
		       bool *ret_core, struct err *err);

/* Put in if it is out, as after a reload that was cut off. */
int module_insert_nvme(const struct sysroot *root, struct err *err);
