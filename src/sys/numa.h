/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * Binding the calling thread, and what it executes, to CPUs and memory.
 *
 * Facts about nodes never come from here: libnuma reads the host in a
 * constructor and its masks are as wide as the host's.
 */

struct binding;
struct err;

/*
 * 0 when CPUs and memory are bound; 1 when only the CPUs are, with the reason
 * in err (containers often forbid memory policies); a negative errno when
 * not even the CPUs could be bound.  Memory already touched stays where it
 * is: bind before allocating.
 */
int numa_bind_thread(const struct binding *binding, struct err *err);
