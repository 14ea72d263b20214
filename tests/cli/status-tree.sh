#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A saved tree is read like the host it came from, and left as it was.
. tests/cli/lib.sh

root=$TMPDIR/root
tests/tools/mkroot tests/roots/two-nodes.tree "$root" || fail "mkroot"
state() { find "$root" -printf '%p %m %s %T@ %l\n' | sort; }
before=$(state)

nvmetune status --sysroot "$root"
expect 0; silent
says "nvme0n1"; says "1/4/1"; says "mq-deadline"; says "both ends can"
says "on, no limit"; says "md0"
nvmetune status --sysroot "$root" --format json
expect 0
json '[.drives[].node] == [1, 0]'
json '.drives[1].link_state == "trained-down"'
json '.unmanaged | map(.driver) == ["vfio-pci", null]'

nvmetune plan --sysroot "$root" --profile oltp
expect 0; silent
says "60-leftover.rules:2:"
nvmetune capture --sysroot "$root"
expect 0
cp "$out" "$TMPDIR/facts.json"
nvmetune status --sysroot "$root" --format json
cp "$out" "$TMPDIR/tree"
nvmetune status --facts "$TMPDIR/facts.json" --format json
cmp -s "$out" "$TMPDIR/tree" || fail "a capture of the tree is another host"

[ "$(state)" = "$before" ] || fail "reading has changed the tree"

# A fabric's controller has no node, so none is missing.
tests/tools/mkroot tests/roots/odd.tree "$TMPDIR/odd" || fail "mkroot"
nvmetune status --sysroot "$TMPDIR/odd" --format json
expect 0
json '[.advice[] | select(.id == "node.unknown").subject] == ["nvme0", "nvme2"]'

nvmetune status --sysroot "$TMPDIR/none"
expect 1; quiet; one_line
mkdir "$TMPDIR/empty"
nvmetune status --sysroot "$TMPDIR/empty"
expect 0; says "no NVMe controllers"
