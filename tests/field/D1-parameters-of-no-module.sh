#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Parameters that a module does not have are findings, io_timeout with the module
# that has it; what nobody reads is never counted as applied; and what the queue
# counts come to is told.
. tests/field/lib.sh

cat >"$TMPDIR/nvme.conf" <<-END
	# for a fast NAS
	options nvme poll_queues=16
	options nvme write_queues=32
	options nvme io_timeout=2
	options nvme max_host_mem_size_mb=512
	options nvme use_threaded_interrupts=1
	options nvme io_poll=1
	options nvme io_poll_delay=0
END
lint "$TMPDIR/nvme.conf" --facts tests/hosts/two-socket-32cpu.json
expect 1
[ "$(wc -l <"$out")" = 3 ] || fail "not three findings"
says "nvme.conf:4: nvme.io_timeout: ignored: nvme_core has it, not nvme"
says "nvme.conf:7: nvme.io_poll: ignored: there is no such parameter"
says "nvme.conf:8: nvme.io_poll_delay: ignored: there is no such parameter"

# The same file on that host, as the driver's loader reads it.
host two-socket-32cpu
edit '. + { options: ([["poll_queues", "16", 2], ["write_queues", "32", 3],
	["io_timeout", "2", 4], ["io_poll", "1", 7]] | map({ module: "nvme",
	param: .[0], value: .[1], line: .[2],
	file: "/etc/modprobe.d/nvme.conf" })) }'
profile <<-END
	[host]
	module.nvme.write_queues = 32
	module.nvme.poll_queues = 16
END
plan
advises options.unknown /etc/modprobe.d/nvme.conf:4
advises options.unknown /etc/modprobe.d/nvme.conf:7
json '[.advice[] | select(.id == "options.unknown").text] |
	.[0] | contains("io_timeout is nvme_core")'
# Configured is not in force: 0 of each until the module is loaded again.
for param in write_queues poll_queues; do
	change module.nvme.$param '.have == "0" and .verdict == "later" and .pending'
done
json '.splits | length == 1 and .[0].now == { default: 32, read: 0, poll: 0 } and
	.[0].next == { default: 32, read: 32, poll: 16 }'

profile <<-END
	[host]
	module.nvme.io_timeout = 2
END
nvmetune plan "${from[@]}" --profile "$profile"
expect 1; quiet; one_line
tells "it is module.nvme_core.io_timeout"
