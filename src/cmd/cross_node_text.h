/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/cross_node.h"

/* A paragraph for each verdict. */
void cross_node_put(const struct cross_nodes *nodes, struct strbuf *out);
