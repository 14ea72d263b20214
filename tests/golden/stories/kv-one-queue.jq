# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "kv";

set_by_rule("/etc/udev/rules.d/60-io-scheduler.rules") + {
	"that one queue is all there is, is said":
		has_advice("queues.one"; "nvme0")
}
