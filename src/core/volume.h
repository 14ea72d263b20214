/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/glob.h"
#include "core/facts.h"

/*
 * Volumes behind a network, by the model they report: a fail-over takes
 * longer than the driver's 30 s, and a shorter time turns it into errors.
 */
#define VOLUME_MODELS \
	"Amazon Elastic Block Store|nvme_card-pd|MSFT NVMe Accelerator*"

static inline bool volume_is_network(const struct ctrl *ctrl)
{
	return ctrl->model && glob_match(VOLUME_MODELS, ctrl->model);
}
