# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

{
	"no disk has a change": all(.changes[];
		.target.kind == "module" or .target.kind == "cpus" or
		(.key == "irqbalance" and .verdict == "keep")),
	"a drive that comes later finds the rule":
		(rules.action == "create"),
	"that there is none is said": ($text | contains("no NVMe controllers")),
	"no split is made up": (.splits == [])
}
