#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# irqbalance is told by files of ours alone, and they go without a trace.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
env=$dir/etc/nvmetune/irqbalance.env
unit=$dir/etc/systemd/system/irqbalance.service.d/50-nvmetune.conf
host "$dir"
mkdir -p "$dir/lib/systemd/system" "$dir/etc/default" "$dir/proc/612"
printf 'banmod' >"$dir/usr/sbin/irqbalance"
cat >"$dir/lib/systemd/system/irqbalance.service" <<-'END'
	[Service]
	EnvironmentFile=-/etc/default/irqbalance
	ExecStart=/usr/sbin/irqbalance --foreground $OPTIONS
END
echo 'OPTIONS="--banirq=137 --banirq=9 --hintpolicy=exact"' \
	>"$dir/etc/default/irqbalance"
runs() { # ARGUMENT...
	printf '%s\0' /usr/sbin/irqbalance --foreground "$@" \
		>"$dir/proc/612/cmdline"
}
runs --banirq=137 --banirq=9 --hintpolicy=exact
fingerprint "$dir" >"$TMPDIR/before"
for word in ban-nvme off keep; do
	printf '[profile]\nsummary = Irqs\n[host]\nirqbalance = %s\n' $word \
		>"$TMPDIR/$word.ini"
done

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/ban-nvme.ini" \
	--detailed-exitcode
expect 4
says 'later     irqbalance on host'
says 'still needed: a restart of irqbalance.service'
grep -qx 'EnvironmentFile=-/etc/nvmetune/irqbalance.env' "$unit" ||
	fail "the drop-in does not name the file"
grep -qx 'OPTIONS="--hintpolicy=exact --banirq=9 --banirq=137 --banmod=nvme"' \
	"$env" || fail "not merged: $(cat "$env")"
cp "$env" "$TMPDIR/env"

# The same once more, however the host orders its own list.
echo 'OPTIONS="--hintpolicy=exact --banirq=9 --banirq=137"' \
	>"$dir/etc/default/irqbalance"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/ban-nvme.ini" \
	--detailed-exitcode
expect 4
says 'nothing to do'
says 'pending   irqbalance on host'
cmp -s "$env" "$TMPDIR/env" || fail "the second apply wrote other bytes"
echo 'OPTIONS="--banirq=137 --banirq=9 --hintpolicy=exact"' \
	>"$dir/etc/default/irqbalance"
nvmetune verify --sysroot "$dir"
expect 0
says 'true after a restart of irqbalance.service'

# Restarted, it is as wanted.
runs --hintpolicy=exact --banirq=9 --banirq=137 --banmod=nvme
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/ban-nvme.ini" \
	--detailed-exitcode
expect 0
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/ban-nvme.ini" --strict
expect 0
says 'nothing to do'

# What goes with the profile needs a restart, too.
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/keep.ini" \
	--detailed-exitcode
expect 4
for file in "$env" "$unit"; do
	[ ! -e "$file" ] || fail "$file is left"
done
runs --banirq=137 --banirq=9 --hintpolicy=exact
nvmetune rollback --sysroot "$dir"
expect 0
says 'still needed: a restart of irqbalance.service'
cmp -s "$env" "$TMPDIR/env" || fail "rollback does not bring back the bytes"
nvmetune rollback --sysroot "$dir" --all
expect 0
same_host "$dir" "$TMPDIR/before"

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/off.ini"
expect 0
grep -qx 'ConditionPathExists=!/etc/nvmetune/applied.ini' "$unit" ||
	fail "nothing keeps it from starting"
nvmetune rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

# Somebody else's drop-in of that name stays.
mkdir -p "${unit%/*}"
echo '[Service]' >"$unit"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/ban-nvme.ini"
expect 1
tells "is not nvmetune's"
[ "$(<"$unit")" = '[Service]' ] || fail "it was overwritten"
