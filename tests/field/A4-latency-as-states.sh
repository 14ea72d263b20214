#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A latency limit is told as the idle states of this drive that it keeps: those
# whose exit latency is not above it; one that keeps none, and is not 0, is
# warned of.
. tests/field/lib.sh

host laptop-apst # PS3 leaves in 5000 us, PS4 in 22000
note_of() { # value of the profile
	profile <<-END
		[drives]
		power.apst = $1
	END
	plan
	note=$(jq -r '.changes[] | select(.id == "power.apst@nvme0").note // ""' \
		"$out")
}
keeps() { # value, states
	note_of "$1"
	[ "$note" = "keeps $2" ] || fail "$1: $note"
}
# 100000 is what is there: changed, so that there is something to say.
edit '.ctrls[0].pm_qos_latency_us = 0'
keeps 100000 "PS3 (exit 5000 us), PS4 (exit 22000 us)"
keeps 22000 "PS3 (exit 5000 us), PS4 (exit 22000 us)"
for latency in 15000 5500 5000; do
	keeps $latency "PS3 (exit 5000 us), not PS4 (exit 22000 us)"
done
keeps no-deepest-state "PS3 (exit 5000 us), not PS4 (exit 22000 us)"
change power.apst@nvme0 '.want == 5000'
for latency in 4999 2000 300; do
	note_of $latency
	[[ $note = "warning: keeps no state of this drive"* ]] ||
		fail "$latency: $note"
done

edit '.ctrls[0].pm_qos_latency_us = 100000'
note_of off
[ -z "$note" ] || fail "off: $note"
change power.apst@nvme0 '.want == 0 and .verdict == "change"'
