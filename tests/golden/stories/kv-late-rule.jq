# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "kv";

set_by_rule("/etc/udev/rules.d/99-io-scheduler.rules") + {
	"a rule that runs after ours cannot be beaten":
		(scheduler | .persistence == "cannot" and (.persist_reason |
			contains("/etc/udev/rules.d/99-io-scheduler.rules:1")))
}
