#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing in a redacted capture of any saved host names the host or a drive, in
# whatever member it stands; and the plan for it is that for the host.
. tests/cli/lib.sh

# Of a drive and a host what tells it from all others.
identities='
	[.hostname, .boot_id, (.ctrls[]? | .serial, (.nqn // "" | sub("^[^:]*:"; ""))),
	 (.subsystems[]? | .nqn // "" | sub("^[^:]*:"; "")),
	 (.namespaces[]? | .wwid // "" | sub("^[^.]*[.]"; "")),
	 (.namespaces[]?.mounts[]?.where), (.mount_points[]?.where),
	 (.layers[]?.alias), (.aliases[]?.name)] | .[] |
	select(type == "string" and length >= 4) |
	gsub("^ +| +$"; "")'
usual='^(/|/boot|/boot/efi|/efi|/home|/opt|/root|/srv|/tmp|/usr|/usr/local|/var|/var/lib|/var/log|/var/tmp|localhost|none|nvme)$'
verdicts='[.changes[] | [.key, .verdict, .have, .want]]'

hosts=0 checked=0
for host in tests/hosts/*.json; do
	hosts=$((hosts + 1))
	nvmetune capture --facts "$host" --redact -o "$TMPDIR/redacted.json"
	expect 0; silent
	jq -r "$identities" "$host" | sort -u | grep -vE "$usual" \
		>"$TMPDIR/secrets"
	# Also where a member we do not know of has it.
	jq -r '[.. | strings] | .[]' "$host" |
		grep -oE '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}' |
		sort -u >>"$TMPDIR/secrets"
	checked=$((checked + $(wc -l <"$TMPDIR/secrets")))
	! grep -wFn -f "$TMPDIR/secrets" "$TMPDIR/redacted.json" |
		head -n 3 | grep . || fail "$host: it is told"
	nvmetune plan --facts "$host" --profile oltp --format json
	expect 0
	jq "$verdicts" "$out" >"$TMPDIR/open"
	nvmetune plan --facts "$TMPDIR/redacted.json" --profile oltp --format json
	expect 0
	jq "$verdicts" "$out" | cmp -s - "$TMPDIR/open" ||
		fail "$host: another plan"
	# Redacted once is redacted.
	nvmetune capture --facts "$TMPDIR/redacted.json" --redact \
		-o "$TMPDIR/twice.json"
	expect 0
	rm "$TMPDIR/redacted.json" "$TMPDIR/twice.json"
done
[ $hosts -ge 30 ] && [ $checked -ge 100 ] ||
	fail "only $checked identities of $hosts hosts"
