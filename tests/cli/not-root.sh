#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who is not root sees what he may, and learns what he could not see.
. tests/cli/lib.sh

if [ "$(id -u)" = 0 ]; then
	command -v setpriv >/dev/null || skip "no setpriv to become nobody"
	setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$NVMETUNE" ||
		skip "nobody cannot reach the program"
	cat >"$TMPDIR/as-nobody" <<-EOF
		#!/bin/sh
		exec setpriv --reuid=65534 --regid=65534 --clear-groups \
			"$NVMETUNE" "\$@"
	EOF
	chmod +x "$TMPDIR/as-nobody"
	NVMETUNE=$TMPDIR/as-nobody
fi

nvmetune status
expect 0
nvmetune status --format json
expect 0; json '.schema == "nvmetune.status/1"'
nvmetune plan --profile oltp --format json
expect 0; json '.schema == "nvmetune.plan/1"'
nvmetune capture
expect 0; json '.schema == "nvmetune.facts/1"'
nvmetune capture -o /etc/nvmetune-test.json
expect 1; quiet; one_line; tells "Permission denied"
