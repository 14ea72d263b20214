# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

def options: [.changes[] | select(.target.kind == "module")];

{
	"nothing is changed now, and nothing has a value": all(.changes[];
		.verdict != "change" and .have == null),
	"the rules are written for drives that come": (rules.action == "create"),
	"no host is spoken of": ($text | contains("on an image of Debian")
		and (contains("no NVMe controllers") | not)),
	"the kernel that has nvme built in is named with each option":
		all(options[]; .note | contains("kernel 5.10.0-32-amd64")
			and contains("command line")),
	"the other takes it from a file": all(options[];
		.verdict == "later" and .persistence == "modprobe.d"),
	"a share is of the CPUs that every host has": ($profile != "fleet" or
		any(options[]; .key == "module.nvme.poll_queues" and .want == "2")),
	"every initramfs is rebuilt by its kernel's name": (options == [] or
		($text | contains("update-initramfs -u -k 6.1.0-50-amd64"))),
	"a workaround is said to be for its drives only": ($profile != "fleet"
		or ($text | contains("only on drives with model SOLIDIGM*")))
}
