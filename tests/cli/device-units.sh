#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The packaged rules and units: their names, what they run, how far they are
# locked in.
. tests/cli/apply-lib.sh

rule=udev/91-nvmetune-device.rules

# A file of this name in /etc would mask the packaged one: apply writes none.
dir=$TMPDIR/host
host "$dir"
for profile in oltp low-latency throughput virt-host cloud power-save; do
	nvmetune apply --sysroot "$dir" --profile $profile
	expect 0
	for each in udev/*.rules; do
		[ -z "$(find "$dir" -name "$(basename "$each")")" ] ||
			fail "profile $profile writes a file named as $each"
	done
done

# They run nothing where the program is not, as in an initramfs, or nothing was
# applied, and the name of the program is the same everywhere, for "make install"
# to replace.
for each in udev/*.rules; do
	grep -vE '^(#|$)' "$each" >"$TMPDIR/rule"
	first=$(grep -nE 'RUN|PROGRAM' "$TMPDIR/rule" | cut -d: -f1)
	for path in /usr/bin/nvmetune /etc/nvmetune/applied.ini; do
		guard=$(grep -n "TEST!=\"$path\", GOTO" "$TMPDIR/rule" |
			cut -d: -f1)
		[ "${guard:-9}" -lt "${first:-0}" ] ||
			fail "$each: runs something without $path"
	done
done
! grep -hE '^(RUN|ExecStart|TEST|PROGRAM)' udev/*.rules systemd/* |
	grep 'bin/' | grep -qv '/usr/bin/nvmetune' ||
	fail "another path than /usr/bin/nvmetune"
! udevadm verify --help >/dev/null 2>&1 ||
	udevadm verify udev/*.rules >"$out" 2>&1 ||
	fail "udevadm verify: $(<"$out")"

# The wait comes before all rules that are for an attribute, and only where the
# disk is not complete: what runs a program makes each event of a boot longer.
wait=udev/00-nvmetune-queue.rules
[ "$(printf '%s\n' 01-md-raid-creating.rules 10-local.rules "${wait##*/}" |
	sort | head -n 1)" = "${wait##*/}" ] || fail "$wait comes too late"
grep -vE '^(#|$)' $wait >"$TMPDIR/rule"
[ "$(head -n 1 "$TMPDIR/rule")" = 'ACTION!="add", GOTO="nvmetune_queue_end"' ] ||
	fail "$wait: acts on other events than add"
[ "$(grep -c 'PROGRAM' "$TMPDIR/rule")" = "$(grep -c \
	'^TEST!="integrity", PROGRAM=="[^"]*"$' "$TMPDIR/rule")" ] ||
	fail "$wait: runs a program for a complete disk"

grep -vE '^(#|$)' $rule >"$TMPDIR/rule"
# Each close of a disk that was open for writing is a "change".
! grep -E 'change' "$TMPDIR/rule" | grep -v '^ACTION!=' | grep -vq connected ||
	fail "$rule: acts on a change that is not of a reset"

command -v systemd-analyze >/dev/null || skip "no systemd-analyze"
mkdir "$TMPDIR/units"
for unit in systemd/*; do
	# The program that was built, and no manual page of this machine.
	sed -e "s,/usr/bin/nvmetune,$NVMETUNE," -e /^Documentation=/d \
		"$unit" >"$TMPDIR/units/$(basename "$unit")"
done
doing "systemd-analyze"
systemd-analyze verify "$TMPDIR"/units/* >"$out" 2>&1 ||
	fail "systemd-analyze verify: $(<"$out")"
[ ! -s "$out" ] || fail "systemd-analyze verify: $(<"$out")"
systemd-analyze --help | grep -q offline ||
	skip "this systemd-analyze judges only what is loaded"
for unit in "$TMPDIR"/units/*.service; do
	systemd-analyze security --offline=true --threshold=25 --no-pager \
		"$unit" >"$out" 2>&1 ||
		fail "systemd-analyze security: $(tail -n 1 "$out")"
done
