#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The CPUs to bind to are those of the node that are online, allowed and not
# isolated, printed as ranges; where isolated CPUs are, never as a node.
. tests/field/lib.sh

host two-socket-32cpu '.isolated = "14-15" | .online = "0-11,13-31" |
	.allowed = "1-31"'
status
json '.drives[0].numactl == "numactl --physcpubind=1-11,13 --membind=0"'
json 'all(.. | strings; contains("cpunodebind") or contains(" -N ") | not)'

# Nothing of the node is left: no binding, rather than somebody else's CPUs.
edit '.isolated = "0-15"'
status
json '.drives[0] | .numactl == null and .run == null and .node == 0'
edit '.isolated = "" | .allowed = "16-31"'
status
json '.drives[0] | .numactl == null and .run == null'
