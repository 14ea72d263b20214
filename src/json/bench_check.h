/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * Whether a cell of a saved result holds figures that can be true: what was
 * typed in, converted from another tool or put together from two runs is
 * refused before it is judged.
 */

struct arena;
struct err;
struct json_node;

/*
 * root is the whole result, whose "drives" may know the link.  -ERANGE: the
 * figures contradict each other or the link, and err says how.  What is not
 * in the file is not checked.
 */
int bench_check_cell(struct arena *arena, const struct json_node *root,
		     const struct json_node *cell, struct err *err);
