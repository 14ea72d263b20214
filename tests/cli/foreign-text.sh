#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A model or a mount point cannot drive the terminal, nor break JSON.
. tests/cli/lib.sh

jq '.ctrls[0].model = "EVIL\u001b[31m\u0007\u009b2J\n\"X"
	| .ctrls[0].serial = "A\tB\\C"
	| .namespaces[0].mounts = [{device: "nvme0n1", where: "/a\u001b]0;x\u0007"}]' \
	tests/hosts/hygon-8node.json >"$TMPDIR/evil.json"

harmless() {
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$out" "$err" ||
		fail "control characters"
}
for format in table json raw; do
	for command in status "plan --profile oltp" "status --wide" \
		"status --compare"; do
		# shellcheck disable=SC2086
		nvmetune $command --format $format --facts "$TMPDIR/evil.json"
		expect 0
		harmless
	done
done
nvmetune status --facts "$TMPDIR/evil.json"
says 'EVIL\x1b[31m\x07'
nvmetune status --format json --facts "$TMPDIR/evil.json"
json '.drives[0].model == "EVIL\u001b[31m\u0007\u009b2J\n\"X"'
nvmetune status --facts "$TMPDIR/evil.json" $'nvme\033[31m9'
expect 1
harmless
nvmetune $'frob\033[31m'
expect 2
harmless

# Those that write, on a tree whose drive, journal and units are hostile.
dir=$TMPDIR/host
tests/tools/mkroot tests/roots/two-nodes.tree "$dir" || fail "mkroot"
rm -rf "$dir/etc/nvmetune"
ctrl=$(readlink -f "$dir/sys/class/nvme/nvme0")
esc=$'\033]0;x\007\033[2J'
printf 'EVIL%s", RUN+="x' "$esc" >"$ctrl/model"
printf 'S%s\xff' "$esc" >"$ctrl/serial"
printf 'nqn.2020-01.%s:x' "$esc" >"$ctrl/subsysnqn"
printf 'eui.%s' "$esc" >"$ctrl/nvme0n1/wwid"
printf '[%s] none' "$esc" >"$dir/sys/class/block/nvme1n1/queue/scheduler"
printf '# %s\nACTION=="add", SUBSYSTEM=="block", ATTR{queue/scheduler}="%s"\n' \
	"$esc" "$esc" >"$dir/etc/udev/rules.d/99-$esc.rules" 2>/dev/null ||
	printf 'ACTION=="add", SUBSYSTEM=="block", ATTR{queue/scheduler}="%s"\n' \
		"$esc" >"$dir/etc/udev/rules.d/99-evil.rules"
for command in status "plan --profile oltp" "apply --profile oltp" \
	"apply --profile oltp --keep-going" verify "verify --format raw" \
	history "history show 1" "history show 1 --format json" \
	"device nvme0" rollback; do
	# shellcheck disable=SC2086
	nvmetune $command --sysroot "$dir"
	[ "$rc" -le 7 ] || fail "$command: exit $rc"
	harmless
done
! grep -rq 'RUN' "$dir/etc/udev/rules.d/90-nvmetune.rules" 2>/dev/null ||
	fail "a model became a rule"
# A journal that says so, too.
txn=$(echo "$dir"/var/lib/nvmetune/txn/*)
[ -d "${txn%% *}" ] || fail "nothing was applied"
printf '%s\n%s\n' "$esc" "$esc" >>"${txn%% *}/journal"
for command in history "history show 1" rollback "device nvme0" "apply --profile oltp"; do
	# shellcheck disable=SC2086
	nvmetune $command --sysroot "$dir"
	harmless
done
