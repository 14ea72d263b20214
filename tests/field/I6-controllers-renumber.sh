#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is recorded is who a drive is, not its name: after the names have changed,
# rollback finds each drive again, and leaves one with another identity alone.
. tests/field/lib.sh

tree two-nodes
rm -rf "$root/etc/nvmetune"
one=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/nvme
two=sys/devices/pci0000:20/0000:20:00.0/0000:21:00.0/nvme
scheduler() { cat "$root/$1/nvme"?"/nvme"?n1/queue/scheduler; }
echo kyber | put $one/nvme0/nvme0n1/queue/scheduler
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
json '[.changes[].target.id] | unique | length == 2 and
	all(.[]; contains("LAB") or contains("uuid") or contains("nvme.") or
		contains("eui"))'
apply
expect 0

# The next probe gives them each other's numbers.
mv "$root/$one/nvme0" "$root/$one/nvme1"
mv "$root/$one/nvme1/nvme0n1" "$root/$one/nvme1/nvme1n1"
mv "$root/$two/nvme1" "$root/$two/nvme0"
mv "$root/$two/nvme0/nvme1n1" "$root/$two/nvme0/nvme0n1"
link() { # class, name, where it is
	ln -sfn "../../${3#sys/}" "$root/sys/class/$1/$2"
}
link nvme nvme0 $two/nvme0
link nvme nvme1 $one/nvme1
link block nvme0n1 $two/nvme0/nvme0n1
link block nvme1n1 $one/nvme1/nvme1n1
rollback
expect 0
case $(scheduler $one) in
kyber*) ;;
*) fail "LAB1 has not its own scheduler: $(scheduler $one)" ;;
esac
case $(scheduler $two) in
*mq-deadline*) ;;
*) fail "LAB0 has not its own scheduler: $(scheduler $two)" ;;
esac

# Another drive in the same slot, under the same name: not rolled back onto.
apply
expect 0
echo "nqn.2019-08.org.qemu:OTHER" | put $one/nvme1/subsysnqn
echo OTHER | put $one/nvme1/serial
[ ! -e "$root/$one/nvme1/nvme1n1/wwid" ] ||
	echo nvme.1b36-other-00000001 | put $one/nvme1/nvme1n1/wwid
rollback
tells "nvme1n1: queue.scheduler: not brought back: it is not in this host now"
[ "$(scheduler $one)" = none ] || fail "another drive was rolled back onto"
