#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A capture is whole, reads back to itself, and replaces nothing but a file.
. tests/cli/lib.sh

host=tests/hosts/hygon-8node.json
nvmetune capture --facts $host
expect 0; silent; json '.schema == "nvmetune.facts/1"'
cp "$out" "$TMPDIR/once.json"
nvmetune capture --facts - <"$TMPDIR/once.json"
expect 0
cmp -s "$out" "$TMPDIR/once.json" || fail "it does not read back to itself"

nvmetune capture --facts $host -o "$TMPDIR/file.json"
expect 0; quiet; silent
cmp -s "$TMPDIR/file.json" "$TMPDIR/once.json" || fail "file is not stdout"
(cd "$TMPDIR" && "$NVMETUNE" capture --facts once.json -o here.json) ||
	fail "relative names"
cmp -s "$TMPDIR/here.json" "$TMPDIR/once.json" || fail "relative file"

nvmetune capture --facts $host --redact
expect 0
! grep -qF "$(jq -r '.ctrls[0].serial' $host)" "$out" || fail "a serial number"
! grep -qF "\"$(jq -r .hostname $host)\"" "$out" || fail "the host name"

ln -s once.json "$TMPDIR/link"
nvmetune capture --facts $host -o "$TMPDIR/link"
expect 1; one_line
[ -L "$TMPDIR/link" ] || fail "the link is gone"
nvmetune capture --facts $host -o "$TMPDIR"
expect 1; one_line
nvmetune capture --facts $host -o "$TMPDIR/none/x.json"
expect 1; one_line
[ -z "$(find "$TMPDIR" -name '*.nvmetune-new')" ] || fail "half a file is left"

# The live host, whatever it is.
nvmetune capture
expect 0; json '.schema == "nvmetune.facts/1" and (.kernel | length) > 0'
cp "$out" "$TMPDIR/live.json"
nvmetune status --facts "$TMPDIR/live.json"
expect 0; silent

# What was read, as a tree that gives the same facts.
for tree in two-nodes multipath odd no-nvme; do
	tests/tools/mkroot "tests/roots/$tree.tree" "$TMPDIR/$tree"
	nvmetune capture --sysroot "$TMPDIR/$tree" --raw "$TMPDIR/$tree.raw"
	expect 0; quiet; silent
	nvmetune capture --sysroot "$TMPDIR/$tree"
	expect 0
	cp "$out" "$TMPDIR/$tree.json"
	nvmetune capture --sysroot "$TMPDIR/$tree.raw"
	expect 0
	cmp -s "$out" "$TMPDIR/$tree.json" || fail "$tree: other facts"
done
nvmetune plan --sysroot "$TMPDIR/two-nodes.raw" --profile oltp
expect 0; says nvme0n1
[ ! -e "$TMPDIR/two-nodes.raw/sys/module/kvm" ] || fail "more than was read"

nvmetune capture --sysroot "$TMPDIR/two-nodes" --raw "$TMPDIR/hidden" --redact
expect 0; quiet; silent
for secret in LAB0 LAB1 lab1 cd8b1d4e-c975; do
	! grep -rqw -- "$secret" "$TMPDIR/hidden" || fail "$secret is told"
done
nvmetune status --sysroot "$TMPDIR/hidden"
expect 0; silent; says nvme0n1

nvmetune capture --sysroot "$TMPDIR/two-nodes" --raw "$TMPDIR/hidden"
expect 1; quiet; one_line; tells "hidden: the folder is not empty"
nvmetune capture --sysroot "$TMPDIR/two-nodes" --raw "$TMPDIR/none/x"
expect 1; quiet; one_line; tells "No such file"
nvmetune capture --facts $host --raw "$TMPDIR/other"
expect 2; quiet; tells "--raw saves what is read from a host"
nvmetune capture -o "$TMPDIR/x.json" --raw "$TMPDIR/other"
expect 2; quiet; one_line

# The live host, too: what libraries and the kernel told is in it.
nvmetune capture --raw "$TMPDIR/live"
expect 0; quiet; silent
nvmetune capture --sysroot "$TMPDIR/live"
expect 0; json '.kernel == "'"$(uname -r)"'" and .page_size == '"$(getconf PAGESIZE)"

# A host with drives is looked at twice; a tree in place of /sys stands in for
# one, whose counters stand still.
if unshare -Urm true 2>/dev/null; then
	# shellcheck disable=SC2034 # expect and fail read them
	live() {
		ran="$* on a tree in place of /sys"
		# shellcheck disable=SC2016 # for the shell in the namespace
		unshare -Urm sh -c 'mount --rbind "$0/sys" /sys && exec "$@"' \
			"$TMPDIR/two-nodes" "$NVMETUNE" "$@" >"$out" 2>"$err"
		rc=$?
	}
	echo "1 0 8 1 1 0 8 1 0 1 1 0 0 0 0 0 0" \
		>"$TMPDIR/two-nodes/sys/class/block/nvme0n1/stat"
	live capture
	expect 0
	json '.samples.interval_ms >= 1000 and .samples.interval_ms < 600000'
	json '[.samples.vectors[] | select(.ctrl == "nvme0") | .queue] | sort ==
		[0, 1, 2, 3, 4, 5]'
	json '[.samples.disks[] | select(.disk == "nvme0n1")][0].reads == 0'
	json '.samples.cpus | length > 0'
	# Those who only read the host do not wait for a second look.
	live capture --raw "$TMPDIR/drives"
	expect 0
	nvmetune capture --sysroot "$TMPDIR/drives"
	expect 0; json '(.ctrls | length) == 2 and (has("samples") | not)'
	[ -e "$TMPDIR/drives/nvmetune.raw/kmsg" ] ||
		grep -q " nvmetune.raw/kmsg$" "$TMPDIR/drives/nvmetune.raw/errors" ||
		fail "nothing of the kernel log"
fi

for text in '{' '[]' '{"schema":"nvmetune.facts/9"}' ''; do
	printf '%s' "$text" >"$TMPDIR/bad.json"
	nvmetune status --facts "$TMPDIR/bad.json"
	expect 1; quiet; one_line; tells "bad.json: not a saved host: "
done
nvmetune status --facts "$TMPDIR/no-such.json"
expect 1; quiet; one_line; tells "No such file"

# A pipe that the shell names, <(...), is a file as well.
nvmetune status --facts <(cat $host)
expect 0; silent; says nvme0n1
nvmetune status --facts - <$host
expect 0; silent; says nvme0n1
