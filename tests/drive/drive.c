/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drive.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioctl.h>
#include <linux/nvme_ioctl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum opcode {
	GET_LOG_PAGE = 0x02,
	IDENTIFY = 0x06,
	SET_FEATURES = 0x09,
	GET_FEATURES = 0x0a,
};

static struct drive *present;
static int drive_fd = -1;

void drive_set(struct drive *drive)
{
	present = drive;
	drive_fd = -1;
}

int drive_open(void *data, const char *path)
{
	(void)data;
	(void)path;
	present->nr_opens++;
	drive_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return drive_fd < 0 ? -errno : drive_fd;
}

static void give(const struct nvme_passthru_cmd *cmd, const void *data,
		 size_t n)
{
	if (n > cmd->data_len)
		n = cmd->data_len;
	memcpy((void *)(uintptr_t)cmd->addr, data, n);
}

static int answer(struct nvme_passthru_cmd *cmd)
{
	uint8_t fid = cmd->cdw10 & 0xff;

	switch (cmd->opcode) {
	case IDENTIFY:
		give(cmd, present->identify, sizeof(present->identify));
		return 0;
	case GET_LOG_PAGE:
		give(cmd, present->smart, sizeof(present->smart));
		return 0;
	case GET_FEATURES:
		if (fid == 0x0c)
			give(cmd, present->apst, present->apst_bytes);
		cmd->result = (cmd->cdw10 >> 8 & 7) == 3 ?
				      present->capabilities[fid] :
				      present->features[fid];
		return 0;
	case SET_FEATURES:
		present->features[fid] = cmd->cdw11;
		return 0;
	}
	return 0x4001; /* invalid opcode, do not retry */
}

static int admin(struct nvme_passthru_cmd *cmd)
{
	int fails = present->fails[cmd->opcode];

	present->commands[present->nr_commands++ & 63] = (struct drive_command){
		.opcode = cmd->opcode,
		.nsid = cmd->nsid,
		.cdw10 = cmd->cdw10,
		.cdw11 = cmd->cdw11,
		.data_len = cmd->data_len,
		.timeout_ms = cmd->timeout_ms,
		.aligned = cmd->addr % 4096 == 0,
	};
	if (fails < 0) {
		errno = -fails;
		return -1;
	}
	return fails ? fails : answer(cmd);
}

/* Visible, or the library finds libc's and asks the real kernel. */
__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request,
						 ...);

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (present && fd == drive_fd && request == NVME_IOCTL_ADMIN_CMD)
		return admin(arg);
	return (int)syscall(SYS_ioctl, fd, request, arg);
}
