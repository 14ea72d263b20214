#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What apply's options narrow, and what stops it before the first write.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
fingerprint "$dir" >"$TMPDIR/before"

unchanged() {
	same_host "$dir" "$TMPDIR/before"
	[ ! -e "$dir/var/lib/nvmetune/txn" ] || fail "a transaction was begun"
}

oltp "$dir" nvme0
expect 2; one_line; tells -- "--live-only"
oltp "$dir" --live-only --persist-only
expect 2; one_line
for option in "--workload true" "--budget 10m" "--min-effect 2" --in-use \
	"--time 1" "--depth 8" "--block 8k" "--metric cpu" "--jobs 1" "--seed 1"; do
	# shellcheck disable=SC2086 # an option and its value
	oltp "$dir" $option
	expect 2; one_line
	tells "${option% *} says how to measure, and nothing is measured"
done
for option in --update-initramfs --update-grub --allow-reload; do
	oltp "$dir" --trial "$option"
	expect 2; one_line; tells -- "--trial puts everything back"
done
nvmetune apply --sysroot "$dir"
expect 1; one_line; tells "no profile was applied here yet"
oltp "$dir" --expect 0000
expect 1; tells "not the expected one"
unchanged

# A drive whose kernel lacks an attribute cannot have it.
rm "$dir/sys/class/block/nvme0n1/queue/nr_requests"
oltp "$dir" --strict
expect 1; tells "queue.nr_requests@nvme0n1: cannot: "; tells -- "--strict: 1 "
oltp "$dir"
expect 0; says "transaction 1: 5 changed"
nvmetune rollback --sysroot "$dir"
expect 0
rm -rf "$dir"
host "$dir"

printf '# mine\n' >"$dir/etc/udev/rules.d/90-nvmetune.rules"
oltp "$dir"
expect 1; one_line; tells "90-nvmetune.rules"
[ "$(scheduler "$dir" nvme0n1)" = mq-deadline ] || fail "a value was changed"
oltp "$dir" --keep-going
expect 1; tells "going on without it"
[ "$(scheduler "$dir" nvme0n1)" = none ] || fail "the rest was not done"
[ "$(<"$dir/etc/udev/rules.d/90-nvmetune.rules")" = "# mine" ] || fail "file"
nvmetune rollback --sysroot "$dir"
expect 0
rm "$dir/etc/udev/rules.d/90-nvmetune.rules"
same_host "$dir" "$TMPDIR/before"

# A plan of some drives has no file to write, and is what --live-only does.
nvmetune plan --sysroot "$dir" --profile tests/cli/profiles/oltp.ini nvme1
expect 0
! grep -q "^create\|to write" "$out" || fail "files in a plan of one drive"
hash=$(sed -n 's/.*--expect //p' "$out")
nvmetune plan --sysroot "$dir" --profile tests/cli/profiles/oltp.ini
expect 0; says "create    /etc/udev/rules.d/90-nvmetune.rules"
oltp "$dir" --live-only nvme0 --expect "$hash"
expect 1; tells "not the expected one"
oltp "$dir" --live-only nvme1 --expect "$hash" --dry-run
expect 0

oltp "$dir" --live-only nvme1
expect 0
says "not kept over a reboot: --live-only writes no rule"
grep -q "to write\|^create" "$out" && fail "a plan of files that are not written"
[ "$(scheduler "$dir" nvme0n1)" = mq-deadline ] || fail "nvme0 was not meant"
[ "$(scheduler "$dir" nvme1n1)" = none ] || fail "nvme1 was"
[ ! -e "$dir/etc/nvmetune" ] || fail "--live-only wrote files"
nvmetune rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

oltp "$dir" --persist-only
expect 0
says "--persist-only changes no value"; says "0 to change"
[ "$(scheduler "$dir" nvme1n1)" = mq-deadline ] || fail "a value was changed"
[ -e "$dir/etc/nvmetune/applied.ini" ] || fail "--persist-only wrote no file"
nvmetune verify --sysroot "$dir"
expect 0
says "pending"; says "true after a reboot"; says "no drift"
nvmetune rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

hash=$("$NVMETUNE" plan --sysroot "$dir" --profile tests/cli/profiles/oltp.ini --format json |
	sha256sum | cut -d' ' -f1)
oltp "$dir" --expect "$hash" --format json
expect 0; json ".schema == \"nvmetune.apply/1\" and .plan_hash == \"$hash\" and
	.changed == 6"
nvmetune rollback --sysroot "$dir" --format json
expect 0; json '.schema == "nvmetune.rollback/1" and .undone == 1 and
	.restored == 6 and .conflicts == 0'
