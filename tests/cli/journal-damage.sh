#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A journal that is torn at its end is finished; one that is damaged before it,
# is not readable, or is not the one it says to be is a clear error, and nothing
# is written on its word.
. tests/cli/apply-lib.sh

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
mkdir -p "$fresh/run"
fingerprint "$fresh" >"$TMPDIR/before"
nvmetune apply --sysroot "$fresh" --profile tests/cli/profiles/oltp.ini
expect 0
fingerprint "$fresh" >"$TMPDIR/applied"
journal=$dir/var/lib/nvmetune/txn/0001/journal
lines=$(wc -l <"$fresh${journal#"$dir"}")
[ "$lines" -gt 15 ] || fail "a journal of $lines lines"

# nobody WORDS: every command that would write says WORDS, and does not.
nobody() {
	local command
	for command in "apply --profile tests/cli/profiles/oltp.ini" \
		"apply --profile tests/cli/profiles/low-latency.ini" \
		"apply --resume" rollback "rollback --force" "rollback --all" \
		"rollback 1"; do
		# shellcheck disable=SC2086
		nvmetune $command --sysroot "$dir"
		[ "$rc" != 0 ] || fail "it went well"
		one_line
		tells "$1"
	done
	printf 64 >"$dir/sys/class/block/nvme0n1/queue/read_ahead_kb"
	nvmetune device --sysroot "$dir" nvme0
	[ "$(<"$dir/sys/class/block/nvme0n1/queue/read_ahead_kb")" = 64 ] ||
		fail "the helper wrote"
	printf 128 >"$dir/sys/class/block/nvme0n1/queue/read_ahead_kb"
	rm -rf "$dir/run/nvmetune"
	same_host "$dir" "$TMPDIR/applied"
	nvmetune history --sysroot "$dir" --format json
	expect 0; json '.transactions[0].state == "damaged"'
}

# One byte of any line but the last.
tried=0
for ((line = 1; line < lines; line++)); do
	copy "$fresh" "$dir"
	sed -i "${line}s/^\(.\{30\}\)./\1~/" "$journal"
	cmp -s "$journal" "$fresh${journal#"$dir"}" && continue
	tried=$((tried + 1))
	if [ $line -le 2 ] || [ $line -ge $((lines - 2)) ]; then
		nobody "journal: line $line is damaged"
	else
		nvmetune rollback --sysroot "$dir"
		expect 1; one_line; tells "journal: line $line is damaged"
		same_host "$dir" "$TMPDIR/applied"
	fi
done
[ $tried -ge 15 ] || fail "only $tried lines"

# A line that is gone, twice there, or in another place.
for edit in 2d 2p '2{h;d};3G' "$((lines - 1))d"; do
	copy "$fresh" "$dir"
	sed -i "$edit" "$journal"
	nvmetune rollback --sysroot "$dir"
	if [ "$rc" = 0 ]; then # an end without its beginning is not: see below
		same_host "$dir" "$TMPDIR/before"
	else
		one_line; tells "/journal: "
		same_host "$dir" "$TMPDIR/applied"
	fi
done

# No journal at all, a folder, a link, somebody else's, a newer one.
copy "$fresh" "$dir"
rm "$journal" && mkdir "$journal"
nobody "0001/journal"
copy "$fresh" "$dir"
mv "$journal" "$TMPDIR/elsewhere"
ln -s "$TMPDIR/elsewhere" "$journal"
nvmetune rollback --sysroot "$dir"
same_host "$dir" "$TMPDIR/applied"
copy "$fresh" "$dir"
: >"$journal"
nobody "journal: is empty"
copy "$fresh" "$dir"
mv "$dir/var/lib/nvmetune/txn/0001" "$dir/var/lib/nvmetune/txn/0002"
nvmetune rollback --sysroot "$dir"
expect 1; one_line; tells "is the journal of transaction 1"
same_host "$dir" "$TMPDIR/applied"

# The last line torn anywhere: it has not happened, and rollback is the way.
size=$(tail -n 1 "$fresh${journal#"$dir"}" | wc -c)
for ((n = 1; n <= size; n += 7)); do
	copy "$fresh" "$dir"
	truncate -s "-$n" "$journal"
	oltp "$dir"
	expect 7; one_line; tells "nvmetune rollback"
	nvmetune rollback --sysroot "$dir"
	expect 0
	same_host "$dir" "$TMPDIR/before"
done
