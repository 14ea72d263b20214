#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A queue count above the possible CPUs is an error before any file is written:
# nvme would not load, and the host not boot; the limit is what is possible, not
# what is online.
. tests/field/lib.sh

host cloud-8vcpu '.possible = "0-7" | .online = "0-3"'
for param in poll_queues write_queues; do
	for count in 16 64 9; do
		profile <<-END
			[host]
			module.nvme.$param = $count
		END
		nvmetune plan "${from[@]}" --profile "$profile"
		expect 1; quiet; one_line
		tells "case.ini:5: module.nvme.$param: $count is more than the 8 possible CPUs, which keeps nvme.ko from loading"
		check
		expect 1
	done
	profile <<-END
		[host]
		module.nvme.$param = 8
	END
	check
	expect 0
done

# apply too, and the host is as before.
tree two-nodes # 4 CPUs
profile <<-END
	[host]
	module.nvme.poll_queues = 5
END
(cd "$root" && find . -type f -exec sha256sum {} + | sort) >"$TMPDIR/before"
apply
expect 1
tells "5 is more than the 4 possible CPUs"
(cd "$root" && find . -path ./var -prune -o -type f -exec sha256sum {} + |
	sort) | diff "$TMPDIR/before" - || fail "something was written"

# Somebody else's file is warned of while there is time.
put etc/modprobe.d/nas.conf <<<'options nvme poll_queues=16'
status
advises options.too-many-queues /etc/modprobe.d/nas.conf:1
lint "$root/etc/modprobe.d/nas.conf" --sysroot "$root"
expect 1
says "16 is more than the 4 possible CPUs: the module will not load"

# Of an image's hosts nobody knows the CPUs: refused, but for what is promised.
PATH=$PATH:/usr/sbin:/sbin
compiler=$(command -v cc gcc clang | head -n 1)
if [ -z "$compiler" ] || ! command -v depmod >/dev/null; then
	skip "neither a compiler nor depmod to make a module"
fi
image=$TMPDIR/image
modules=lib/modules/6.1.0-50-amd64
drivers=$image/$modules/kernel/drivers/nvme/host
mkdir -p "$image/usr/lib" "$drivers"
echo ID=debian >"$image/usr/lib/os-release"
: >"$image/$modules/modules.order"
: >"$image/$modules/modules.builtin"
for name in nvme nvme_core; do
	"$compiler" -c -x c -o "$drivers/${name/_/-}.ko" - <<-END
		static const char info[] __attribute__((section(".modinfo"), used)) =
			"license=GPL\\0parmtype=poll_queues:uint\\0"
			"parmtype=write_queues:uint\\0name=$name";
	END
done
depmod -b "$image" 6.1.0-50-amd64 2>/dev/null
profile <<-END
	[host]
	module.nvme.poll_queues = 4
END
from=(--root "$image")
for promise in "" "--min-cpus 3"; do
	# shellcheck disable=SC2086 # none, or two words
	nvmetune plan "${from[@]}" --profile "$profile" $promise
	expect 1; quiet; one_line
	tells "--min-cpus 4 promises that every host of this image has so many"
done
plan --min-cpus 4
verdict module.nvme.poll_queues later
file /etc/modprobe.d/nvmetune.conf | grep -q poll_queues=4 || fail "no option"
