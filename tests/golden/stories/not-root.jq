# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

{
	"what could not be seen is said": (.blind | length > 0)
} + if $profile == "low-latency" then {
	"without the drive's answer no split is predicted, and that is said":
		(queue_split("nvme0") | .next == null and (.reason | length > 0))
} else {} end
