#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The packaged rule and units: their names, what they run, how far they are
# locked in.
. tests/cli/apply-lib.sh

rule=udev/91-nvmetune-device.rules

# A file of this name in /etc would mask the packaged one: apply writes none.
dir=$TMPDIR/host
host "$dir"
for profile in oltp low-latency throughput virt-host cloud power-save; do
	nvmetune apply --sysroot "$dir" --profile $profile
	expect 0
	[ -z "$(find "$dir" -name "$(basename $rule)")" ] ||
		fail "profile $profile writes a file named as the packaged rule"
done

# It runs nothing where the program is not, as in an initramfs, and the name of
# the program is the same everywhere, for "make install" to replace.
grep -vE '^(#|$)' $rule >"$TMPDIR/rule"
guard=$(grep -n 'TEST!="/usr/bin/nvmetune"' "$TMPDIR/rule" | cut -d: -f1)
first=$(grep -n RUN "$TMPDIR/rule" | cut -d: -f1)
[ "${guard:-9}" -lt "${first:-0}" ] || fail "$rule: RUN is not guarded"
! grep -h nvmetune $rule systemd/* | grep -E '^(RUN|ExecStart|TEST)' |
	grep 'bin/' | grep -qv '/usr/bin/nvmetune' ||
	fail "another path than /usr/bin/nvmetune"
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
