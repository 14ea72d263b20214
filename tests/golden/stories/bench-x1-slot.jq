# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "bench";

bench + {
	"a slot of one lane is not trained down":
		(has_advice("link.trained-down"; "nvme0") | not),
	"but slower than the drive, by design":
		(advice("link.slot") | contains("8.0 GT/s x1") and
			contains("by design"))
}
