# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "kv";

set_by_rule("/etc/udev/rules.d/60-io-scheduler.rules") + {
	"ours sorts behind it and wins": (scheduler.persistence == "udev rule"),
	"only our own file is written": all(.files[];
		.path | test("^/etc/(udev/rules.d/90-nvmetune.rules|modprobe.d/nvmetune.conf|sysctl.d/90-nvmetune.conf|nvmetune/(applied.ini|irqbalance.env)|systemd/system/irqbalance.service.d/50-nvmetune.conf)$"))
}
