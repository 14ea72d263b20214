/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/knob.h"

/*
 * Every knob, one row each, in the order in which they are listed and
 * applied: the policy of all links before their states, and L1 before its
 * substates, which it resets; the scheduler before nr_requests, which it
 * resets; queue limits before read_ahead_kb, which they reset.  K(x) stands for
 * "const struct knob knob_x" in knobs/x.c.
 */
/* clang-format off */
#define KNOB_LIST(K)             \
	K(module_param)          \
	K(kernel_numa_balancing) \
	K(cpu_governor)          \
	K(subsystem_iopolicy)    \
	K(pcie_aspm_policy)      \
	K(power_aspm_l0s)        \
	K(power_aspm)            \
	K(power_aspm_l1_1)       \
	K(power_aspm_l1_2)       \
	K(power_aspm_l1_1_pcipm) \
	K(power_aspm_l1_2_pcipm) \
	K(power_runtime)         \
	K(power_d3cold)          \
	K(power_apst)            \
	K(irqbalance)            \
	K(irq_affinity)          \
	K(irq_coalescing)        \
	K(queue_scheduler)       \
	K(queue_nr_requests)     \
	K(queue_wbt_lat_usec)    \
	K(queue_rq_affinity)     \
	K(queue_nomerges)        \
	K(queue_io_timeout)      \
	K(queue_add_random)      \
	K(queue_iostats)         \
	K(queue_max_sectors_kb)  \
	K(queue_read_ahead_kb)   \
	K(service)               \
	K(wrapper)
/* clang-format on */

#define KNOB_DECLARE(id) extern const struct knob knob_##id;
KNOB_LIST(KNOB_DECLARE)
#undef KNOB_DECLARE

const struct knob_set *knobs_all(void);
