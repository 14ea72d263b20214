#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# With nvme_core.multipath=N a disk has its queue itself; the parameter is read, and
# changed by no live write.
. tests/field/lib.sh

tree two-nodes
rm -rf "$root/etc/nvmetune" "$root/etc/modprobe.d"
echo N | put sys/module/nvme_core/parameters/multipath
capture
json '.multipath == false and ([.namespaces[].kind] | unique == ["plain"])'
profile <<-END
	[drives]
	queue.scheduler = none

	[host]
	module.nvme_core.multipath = Y
END
plan
verdict queue.scheduler@nvme0n1 change
change module.nvme_core.multipath '.verdict == "later" and
	(.needs | index("reload") != null)'
apply
expect 0
[ "$(<"$root/sys/module/nvme_core/parameters/multipath")" = N ] ||
	fail "the parameter was written live"
grep -q "^options nvme_core multipath=Y" \
	"$root/etc/modprobe.d/nvmetune.conf" || fail "no option"
tree multipath
capture
json '.multipath == true and ([.namespaces[].kind] | unique ==
	["head", "path"])'
