#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# profile list and show: the shipped profiles, one of the host's own, and the
# resolved text, which is a profile that means the same.
set -euo pipefail

fail() { echo "$*"; exit 1; }
expect() { # what, expected, actual
	[ "$2" = "$3" ] || fail "$1: expected <$2>, got <$3>"
}

root=$TMPDIR/root
own=$root/etc/nvmetune/profiles
mkdir -p "$own"
cat >"$own/oltp.ini" <<'EOF'
[profile]
summary = Ours
include = base

[drives]
queue.scheduler = kyber

[drives old]
match.model = OLD*
queue.scheduler = mq-deadline
EOF
echo '[nonsense]' >"$own/broken.ini"

expect "list" "base cloud low-latency oltp power-save throughput virt-host" \
	"$("$NVMETUNE" profile list --format raw | cut -f 1 | xargs)"
list=$("$NVMETUNE" profile list --sysroot "$root" --format json)
expect "summary" Ours "$(jq -r '.profiles[] | select(.name == "oltp").summary' <<<"$list")"
expect "file" /etc/nvmetune/profiles/oltp.ini \
	"$(jq -r '.profiles[] | select(.name == "oltp").file' <<<"$list")"
expect "replaces" "false true" \
	"$(jq -r '[.profiles[] | select(.name == ("oltp", "base")) | .replaces_shipped] | join(" ")' <<<"$list")"
expect "mistakes" 1 "$(jq '.profiles[] | select(.name == "broken").mistakes' <<<"$list")"

expect "show is the file" "$(cat "$own/oltp.ini")" \
	"$("$NVMETUNE" profile show oltp --sysroot "$root")"

"$NVMETUNE" profile show oltp --resolved --sysroot "$root" >"$TMPDIR/resolved.ini"
expect "resolved" "[profile]
summary = Ours

[drives]
; profiles/base.ini:LINE
irq.affinity = local
; /etc/nvmetune/profiles/oltp.ini:6
queue.scheduler = kyber

[drives old]
match.model = OLD*
; /etc/nvmetune/profiles/oltp.ini:10
queue.scheduler = mq-deadline" \
	"$(sed 's/base.ini:.*/base.ini:LINE/' "$TMPDIR/resolved.ini")"

# The resolved text stands for itself, and says the same.
for name in base cloud low-latency oltp power-save throughput virt-host; do
	"$NVMETUNE" profile show $name --resolved >"$TMPDIR/a.ini"
	"$NVMETUNE" profile check "$TMPDIR/a.ini" >/dev/null
	"$NVMETUNE" profile show "$TMPDIR/a.ini" --resolved >"$TMPDIR/b.ini"
	expect "$name" "$(grep -v '^;' "$TMPDIR/a.ini")" \
		"$(grep -v '^;' "$TMPDIR/b.ini")"
done

shown=$("$NVMETUNE" profile show oltp --sysroot "$root" --format json)
expect "chain" 2 "$(jq '.chain | length' <<<"$shown")"
expect "overridden" "true false false false" \
	"$(jq -r '[.sections[].settings[].overridden] | join(" ")' <<<"$shown")"
shown=$("$NVMETUNE" profile show oltp --resolved --sysroot "$root" --format json)
expect "effective" "local kyber mq-deadline" \
	"$(jq -r '[.sections[].settings[].value] | join(" ")' <<<"$shown")"
expect "match" 'model OLD* false' \
	"$(jq -r '.sections[].match[]? | "\(.key) \(.pattern) \(.negated)"' <<<"$shown")"

# Mistakes in one file do not hide that another has none.
status=0
"$NVMETUNE" profile check broken oltp --sysroot "$root" >"$TMPDIR/out" \
	2>"$TMPDIR/err" || status=$?
expect "exit" 1 $status
expect "good one" "oltp: no mistakes in 4 settings" "$(cat "$TMPDIR/out")"
grep -q '^nvmetune: /etc/nvmetune/profiles/broken.ini:1: unknown section' \
	"$TMPDIR/err" || fail "$(cat "$TMPDIR/err")"

status=0
"$NVMETUNE" profile show olpt >"$TMPDIR/out" 2>"$TMPDIR/err" || status=$?
expect "exit" 1 $status
expect "unknown name" \
	'nvmetune: no profile "olpt": there are base, cloud, low-latency, oltp, power-save, throughput, virt-host; did you mean oltp?' \
	"$(cat "$TMPDIR/err")"

# The example of the documentation is a profile.
sed -n '/^```ini$/,/^```$/p' docs/profiles.md | grep -v '^```' >"$TMPDIR/doc.ini"
expect "docs/profiles.md" "$TMPDIR/doc.ini: no mistakes in 15 settings" \
	"$("$NVMETUNE" profile check "$TMPDIR/doc.ini" \
		--facts tests/hosts/two-socket-32cpu.json)"

for usage in "" "lst" "show" "show a b" "check" "list a" "list --resolved"; do
	status=0
	# shellcheck disable=SC2086 # words on purpose
	"$NVMETUNE" profile $usage >"$TMPDIR/out" 2>&1 || status=$?
	expect "profile $usage" 2 $status
done
