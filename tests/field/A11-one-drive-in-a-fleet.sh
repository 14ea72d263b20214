#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In an image a cure for one model is conditional on that model and named so in the
# plan; what is for the whole fleet is told apart from it.
. tests/field/lib.sh

image=$TMPDIR/image
mkdir -p "$image"/{etc,usr/lib,usr/sbin,var/lib,lib/modules/6.1.0-50-amd64}
printf 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12"\n' >"$image/usr/lib/os-release"
: >"$image/lib/modules/6.1.0-50-amd64/modules.builtin"
: >"$image/usr/sbin/update-initramfs"
profile <<-END
	[drives]
	queue.rq_affinity = 2
	[drives one-model]
	match.model = Micron_2400_*
	power.apst = off
END
# shellcheck disable=SC2034 # of lib.sh
from=(--root "$image")
plan
json '[.changes[].id] | sort ==
	["power.apst@drives:one-model", "queue.rq_affinity@drives"]'
page plan
says "only on drives with model Micron_2400_*"
nvmetune apply --root "$image" --profile "$profile"
expect 0
grep 'pm_qos_latency_tolerance_us' "$image$rules" >"$TMPDIR/apst"
[ -s "$TMPDIR/apst" ] || fail "no rule"
! grep -vF 'ATTRS{model}=="Micron_2400_*"' "$TMPDIR/apst" ||
	fail "a cure for every drive"
! grep 'rq_affinity' "$image$rules" | grep -F 'ATTRS{model}' ||
	fail "the fleet's setting is for one model"
# No word for a boot of every host comes from a section of one model.
! grep -rq default_ps_max_latency_us "$image/etc" || fail "a parameter for all"
