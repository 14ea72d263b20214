/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/status_rows.h"

/* Between the files that fill the cells of "nvmetune status". */

/*
 * The controller of a row whose column is about PCIe drives, or NULL.  A head
 * has several: such a column does not apply to it, and the cell says so.
 */
const struct ctrl *status_pcie(const void *row, struct cell *cell);

/* Of the drive's link, power and interrupts: status_pcie.c. */
void status_get_link(const void *row, struct cell *cell);
void status_get_link_most(const void *row, struct cell *cell);
void status_get_drive_can(const void *row, struct cell *cell);
void status_get_link_state(const void *row, struct cell *cell);
void status_get_link_speed(const void *row, struct cell *cell);
void status_get_link_width(const void *row, struct cell *cell);
void status_get_link_max_speed(const void *row, struct cell *cell);
void status_get_link_max_width(const void *row, struct cell *cell);
void status_get_bandwidth(const void *row, struct cell *cell);
void status_get_vectors(const void *row, struct cell *cell);
void status_get_vectors_local(const void *row, struct cell *cell);
void status_get_vectors_by_node(const void *row, struct cell *cell);
void status_get_local_of_vectors(const void *row, struct cell *cell);
void status_get_apst(const void *row, struct cell *cell);
void status_get_pm_qos(const void *row, struct cell *cell);
void status_get_aspm(const void *row, struct cell *cell);
void status_get_coalescing(const void *row, struct cell *cell);
void status_get_coalescing_completions(const void *row, struct cell *cell);
void status_get_coalescing_us(const void *row, struct cell *cell);
