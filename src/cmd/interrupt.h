/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <signal.h>

/*
 * SIGINT, SIGTERM and SIGHUP ask a command to end in order: from the first
 * call on, the flag is set by them and system calls that wait return EINTR.
 */
const volatile sig_atomic_t *interrupt_flag(void);
