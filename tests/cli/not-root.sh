#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who is not root sees what he may, and learns what he could not see.
. tests/cli/lib.sh

program=$NVMETUNE
top=$PWD
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'

# A checkout below /root is closed to others: show it at /mnt, to them alone.
in_mnt() {
	unshare -m sh -c 'mount --rbind . /mnt && cd /mnt && exec "$@"' sh "$@"
}

as_nobody() { $where $nobody "$top${program#"$PWD"}" "$@"; }

if [ "$(id -u)" = 0 ]; then
	command -v setpriv >/dev/null || skip "no setpriv to become nobody"
	where=
	if ! $nobody test -x "$program"; then
		where=in_mnt
		top=/mnt
		$where $nobody test -r "$top/profiles/base.ini" ||
			skip "nobody cannot reach the program"
	fi
	NVMETUNE=as_nobody
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

# An image that he builds has files of his, which is no matter of taste.
image=$(mktemp -d -p /tmp) # which nobody can reach
trap 'rm -rf "$image"' EXIT
mkdir "$image/etc"
[ "$(id -u)" != 0 ] || chown -R 65534 "$image"
user=$(stat -c %u "$image")
nvmetune apply --root "$image" --profile base
expect 0; tells "the files written belong to uid $user"
[ "$(stat -c %u "$image/etc/nvmetune/applied.ini")" = "$user" ] ||
	fail "of another user"
