#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who did what, when and with which profile is in history, and a line of each
# transaction in the system's log; the state is root's alone, and nothing of it
# is secret.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
SUDO_USER=ann oltp "$dir"
expect 0
nvmetune history --sysroot "$dir"
expect 0; says "ann"
nvmetune history show 1 --sysroot "$dir"
expect 0; says "by ann with sudo on Linux 6.1.0-50-amd64"
hash=$(grep -v '^#' "$dir/etc/nvmetune/applied.ini" | sha256sum)
nvmetune history show 1 --sysroot "$dir" --format json
expect 0
json ".sudo_user == \"ann\" and .uid == $(id -u) and .profile == \"oltp\" and
	(.time | test(\"^20[0-9-]+T[0-9:]+Z\$\")) and .undo == null and
	(.profile_hash | test(\"^[0-9a-f]{64}\$\")) and
	([.steps[] | select(.what == \"nvme0n1 queue.scheduler\")] | length) == 1"
# The hash is that of the profile which applied.ini holds, whoever applies it.
first=$(jq -r .profile_hash "$out")
SUDO_USER=$'bob\033[31m' nvmetune rollback --sysroot "$dir"
expect 0
nvmetune history show 1 --sysroot "$dir"
expect 0; says 'by bob\x1b[31m with sudo'
SUDO_USER=$(printf 'x%.0s' {1..5000}) oltp "$dir"
expect 0
nvmetune history show 2 --sysroot "$dir" --format json
expect 0
[ "$(jq -r .profile_hash "$out")" = "$first" ] || fail "another hash: $hash"
env -u SUDO_USER "$NVMETUNE" rollback --sysroot "$dir" 2>/dev/null >&2
nvmetune history show 2 --sysroot "$dir" --format json
json ".undo.uid == $(id -u) and .undo.sudo_user == null and .state == \"undone\""

# For root alone, whatever the umask.
rm -rf "$dir"
host "$dir"
(umask 0 && oltp "$dir") || fail "apply"
[ -z "$(find "$dir/var/lib/nvmetune" -type d ! -perm 700)" ] ||
	fail "a folder that others may open"
[ -z "$(find "$dir/var/lib/nvmetune/txn" -type f ! -perm 600)" ] ||
	fail "a file that others may read"
# Serials are in the facts of before and, where a drive has no name that is
# unique, in its identity; not in what others may read.
for file in "$dir"/etc/udev/rules.d/90-nvmetune.rules \
	"$dir"/etc/nvmetune/applied.ini; do
	! grep -qF -f <(cat "$dir"/sys/class/nvme/*/serial) "$file" ||
		fail "a serial number in $file"
done
# Of the environment there is nothing in it but who called sudo.
rm -rf "$dir"
host "$dir"
PGPASSWORD=hunter2-secret oltp "$dir"
! grep -rq hunter2-secret "$dir" || fail "the environment was written down"

# The log of the live host.  Where no namespaces are to be had, that is all.
command -v perl >/dev/null || skip "no perl to listen with"
unshare -Urm true 2>/dev/null || skip "no namespace of mounts to be had"
cat >"$TMPDIR/listen.pl" <<'PERL'
use IO::Socket::UNIX;
alarm 60;
my $s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => "/dev/log") or die;
open(my $ready, ">", $ARGV[0]) or die;
close $ready;
$| = 1;
while (defined $s->recv(my $line, 65536)) {
	last if $line =~ /the end/;
	print "$line\n";
}
PERL
# A host of ours in place of this one: no drive, and all folders empty.
cat >"$TMPDIR/log.sh" <<'END'
set -e
mkdir "$TMPDIR/dev"
for node in null urandom; do
	: >"$TMPDIR/dev/$node"
	mount --bind /dev/$node "$TMPDIR/dev/$node"
done
for folder in /etc /var /run; do
	mount -t tmpfs none $folder
done
mount --rbind "$TMPDIR/dev" /dev
mount -t tmpfs none /sys
mkdir -p /sys/class/block
perl "$TMPDIR/listen.pl" "$TMPDIR/ready" >"$TMPDIR/log" &
until [ -e "$TMPDIR/ready" ]; do kill -0 $!; sleep 0.05; done
SUDO_USER=ann "$NVMETUNE" apply --profile "$TMPDIR/files.ini"
"$NVMETUNE" rollback
"$NVMETUNE" rollback
# No room for the second file.
mount -t tmpfs -o nr_inodes=5 none /etc
! "$NVMETUNE" apply --profile "$TMPDIR/files.ini"
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Type => SOCK_DGRAM,
	Peer => "/dev/log")->send("the end")'
wait
END
printf '[profile]\nsummary = Files\n[drives]\nqueue.scheduler = none\n[host]\nmodule.nvme.poll_queues = keep\n' \
	>"$TMPDIR/files.ini"
doing "apply and rollback on a live host"
unshare -Urm sh "$TMPDIR/log.sh" >"$out" 2>"$err" || fail "the live host"
cp "$TMPDIR/log" "$out"
says " nvmetune: transaction 1: profile files applied, 2 changes, by uid 0, sudo user ann"
says " nvmetune: transaction 1: profile files rolled back, 2 brought back, 0 kept, 0 gone, by uid 0"
says " nvmetune: transaction 2: profile files failed and is undone: /etc/nvmetune/applied.ini: cannot write: No space left on device, by uid 0"
[ "$(wc -l <"$out")" = 3 ] || fail "not one line of each"
