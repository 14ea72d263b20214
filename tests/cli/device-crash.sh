#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The device helper is killed at every call that changes the machine, or the
# call fails: rollback brings back what it had set, and the next event what it
# had not.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host profile=$TMPDIR/helper.ini
cat >"$profile" <<'INI'
[profile]
summary = Two values that a reset loses, one that differs from drive to drive

[drives]
queue.nr_requests = max
queue.max_sectors_kb = 64
queue.read_ahead_kb = 0
INI
host "$fresh"
mkdir -p "$fresh/run"
fingerprint "$fresh" >"$TMPDIR/before"
# A drive that comes after apply: only the notes have what it had.
mv "$fresh/sys/class/nvme/nvme1" "$fresh/sys/class/block/nvme1n1" "$TMPDIR"
nvmetune apply --sysroot "$fresh" --profile "$profile"
expect 0
mv "$TMPDIR/nvme1" "$fresh/sys/class/nvme/"
mv "$TMPDIR/nvme1n1" "$fresh/sys/class/block/"

values() {
	(cd "$dir/sys/class/block/nvme1n1/queue" &&
		echo "$(<nr_requests) $(<max_sectors_kb) $(<read_ahead_kb)")
}
copy "$fresh" "$dir"
calls device --sysroot "$dir" nvme1 >"$TMPDIR/list"
wanted=$(values)
[ "$wanted" = "2048 64 0" ] || fail "the helper set $wanted"

# A file that was emptied for a write stands for an attribute, which never is.
fill_in() {
	local attr
	for attr in nr_requests max_sectors_kb read_ahead_kb; do
		attr=sys/class/block/nvme1n1/queue/$attr
		[ -s "$dir/$attr" ] || cp "$fresh/$attr" "$dir/$attr"
	done
}
as_before() {
	rm -rf "$dir/run/nvmetune"
	same_host "$dir" "$TMPDIR/before"
}
points=0
while read -r call count; do
	for ((i = 1; i <= count; i += stride)); do
		for how in signal=KILL error=EIO; do
			copy "$fresh" "$dir"
			broken "$call:$how:when=$i" device --sysroot "$dir" \
				nvme1 2>/dev/null
			[ "$how" != signal=KILL ] || expect 137
			points=$((points + 1))
			cp -a "$dir" "$dir.again"
			nvmetune rollback --sysroot "$dir"
			expect 0
			doing "$call $i $how, then rollback"
			as_before
			rm -rf "$dir"
			mv "$dir.again" "$dir"
			fill_in
			nvmetune device --sysroot "$dir" nvme1
			expect 0
			[ "$(values)" = "$wanted" ] ||
				fail "$call $i $how, then again: $(values)"
			nvmetune rollback --sysroot "$dir"
			expect 0
			doing "$call $i $how, again, then rollback"
			as_before
		done
	done
done <"$TMPDIR/list"
[ "$points" -ge $((40 / stride)) ] || fail "only $points points were tried"
points "$points"
