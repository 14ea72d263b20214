/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A stand-in drive: ioctl() of the test executable, which libnvme calls in
 * place of libc's.  It answers on the descriptors of drive_open() and writes
 * down every command, bytes as they would go to the controller.
 */

struct drive_command {
	uint8_t opcode;
	uint32_t nsid;
	uint32_t cdw10;
	uint32_t cdw11;
	uint32_t data_len;
	uint32_t timeout_ms;
	bool aligned; /* the buffer, to a page */
};

struct drive {
	uint8_t identify[4096];
	uint8_t smart[512];
	uint32_t features[256];	    /* dword 0 by feature */
	uint8_t apst[256];	    /* data of feature 0Ch, */
	size_t apst_bytes;	    /* of which so many are sent */
	uint32_t capabilities[256]; /* the same for select 3 */
	/* What an opcode gives instead: an NVMe status, or a negative errno. */
	int fails[256];
	struct drive_command commands[64];
	size_t nr_commands;
	unsigned int nr_opens;
};

/* The drive that answers from now on; NULL: none. */
void drive_set(struct drive *drive);

/* A sysroot hook "device": a descriptor on which the drive answers. */
int drive_open(void *data, const char *path);
