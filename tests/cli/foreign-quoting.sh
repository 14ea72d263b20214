#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Hostile text in names, values, patterns and paths never becomes a line, a key
# or a command of what is written: udev rules, modprobe.d, sysctl.d, grub.d,
# drop-ins and scripts.  It is refused, or it stays text.
. tests/cli/apply-lib.sh

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
mkdir -p "$fresh"/usr/{sbin,lib/systemd/system} "$fresh"/etc/default/grub.d
: >"$fresh/usr/sbin/update-grub"
chmod +x "$fresh/usr/sbin/update-grub"
: >"$fresh/usr/lib/systemd/system/db.service"
# A command line is written where the driver is built in.
echo kernel/drivers/nvme/host/nvme.ko \
	>>"$fresh/lib/modules/6.1.0-50-amd64/modules.builtin"
rm "$fresh/sys/module/nvme/initstate"
pwned=$TMPDIR/pwned
mkdir "$TMPDIR/bin"
printf '#!/bin/sh\nwhile [ "${1#--}" != "$1" ]; do shift; done\nexec "$@"\n' \
	>"$TMPDIR/bin/numactl"
chmod +x "$TMPDIR/bin/numactl"

hostile=(
	"\$(touch $pwned)"
	"; touch $pwned ;"
	"\", RUN+=\"/bin/touch $pwned"
	"\"; touch $pwned; \""
	"x\\"
	"x\" PROGRAM=\"/bin/touch"
	$'x\ttouch'
	$'\033[31mred\007'
	$'\xc2\x9b2J'
	$'\xff\xfe'
	"a|b|*[!x]?"
	"../../../../etc/cron.d/x"
	"%s%s%s%n"
)

# What was written is what we write, line by line.
judge() {
	[ -e "$dir/var" ] || {
		on_the_terminal "$1"
		return
	}
	local file=$dir/etc/udev/rules.d/90-nvmetune.rules
	[ ! -e "$pwned" ] || fail "$1: it was run"
	if [ -e "$file" ]; then
		grep -v '^#' "$file" | sed 's/"[^"]*"//g' >"$TMPDIR/bare"
		! grep -qE 'RUN|PROGRAM|IMPORT|SECLABEL|OWNER|MODE|SYMLINK|NAME' \
			"$TMPDIR/bare" || fail "$1: another key in the rules"
		! grep -q '"' "$TMPDIR/bare" || fail "$1: an open quote"
		! grep -q '[^\\]\\$' "$file" || fail "$1: a line goes on"
	fi
	file=$dir/etc/modprobe.d/nvmetune.conf
	[ ! -e "$file" ] || ! grep -vE '^(#.*|)$' "$file" |
		grep -qvE '^options nvme(_core)? [a-z_]+=[A-Za-z0-9_,.:-]+$' ||
		fail "$1: $(<"$file")"
	file=$dir/etc/default/grub.d/nvmetune.cfg
	if [ -e "$file" ]; then
		sh "$file" || fail "$1: no shell reads it"
		! grep -vE '^(#.*|)$' "$file" | grep -qvE \
			'^GRUB_CMDLINE_LINUX_DEFAULT="\$GRUB_CMDLINE_LINUX_DEFAULT [A-Za-z0-9_,.:=-]+"$' ||
			fail "$1: $(<"$file")"
	fi
	for file in "$dir"/usr/local/bin/*; do
		[ -e "$file" ] || continue
		PATH=$TMPDIR/bin:$PATH sh "$file" true ||
			fail "$1: no script"
	done
	for file in "$dir"/etc/systemd/system/*.d/*; do
		[ ! -e "$file" ] || ! grep -vE '^(#.*|)$' "$file" |
			grep -qvE '^(\[Service\]|(CPUAffinity|NUMAPolicy|NUMAMask)=[a-z0-9,-]*)$' ||
			fail "$1: $(<"$file")"
	done
	[ ! -e "$pwned" ] || fail "$1: it was run"
	# Comments, too, are for the eye.
	! LC_ALL=C grep -rqP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' \
		"$dir"/etc/{udev,modprobe.d,default,nvmetune,systemd} \
		"$dir"/usr/local 2>/dev/null || fail "$1: control characters"
	on_the_terminal "$1"
}
on_the_terminal() {
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' \
		"$out" "$err" || fail "$1: control characters on the terminal"
}
tried=0 taken=0
try() { # NAME OF THE PROFILE'S FILE, its text
	tried=$((tried + 1))
	printf '%s\n' "$2" >"$1" || fail "$1"
	nvmetune apply --sysroot "$dir" --profile "$1" --format json
	[ "$rc" -le 2 ] || fail "$2: exit $rc"
	judge "$2"
	[ -e "$dir/var" ] || return 0 # refused
	[ "$rc" != 0 ] || taken=$((taken + 1))
	for command in history verify rollback; do
		nvmetune $command --sysroot "$dir"
		on_the_terminal "$2, $command"
	done
	rm -rf "${dir:?}/var" # rollback has put back the rest
}
copy "$fresh" "$dir"

rest=$'[host]\nmodule.nvme.poll_queues = 2\n[wrapper near]\nnuma = 0\n[service db.service]\nnuma = 1'
for text in "${hostile[@]}"; do
	for key in model serial firmware driver; do
		try "$TMPDIR/p.ini" "[profile]
summary = $text
[drives odd]
match.$key = $text
queue.nomerges = 2
$rest"
	done
	for line in "queue.scheduler = $text" "queue.nr_requests = $text" \
		"match.model = x
[drives $text]
queue.nomerges = 2" "$text = 1"; do
		try "$TMPDIR/p.ini" "[drives a]
match.model = *
$line
$rest"
	done
	for line in "module.nvme.poll_queues = $text" \
		"module.nvme.$text = 1" "module.nvme_core.iopolicy = $text" \
		"kernel.numa_balancing = $text" "irqbalance = $text"; do
		try "$TMPDIR/p.ini" "[host]
$line"
	done
	for line in "[wrapper $text]
numa = 0" "[service $text.service]
numa = 0" "[wrapper near]
drive = $text" "[service db.service]
numa = $text" "include = $text"; do
		try "$TMPDIR/p.ini" "$line"
	done
	# The path of a profile is in the comments.
	name=${text//\//_}
	mkdir -p "$TMPDIR/odd $name"
	try "$TMPDIR/odd $name/$name.ini" "[drives]
queue.nomerges = 2
$rest"
done
fingerprint "$fresh" >"$TMPDIR/before"
same_host "$dir" "$TMPDIR/before"
mkdir -p "$TMPDIR"/$'odd\nline\n'
try "$TMPDIR"/$'odd\nline\n/\nACTION=="add", RUN+="x".ini' "[drives]
queue.nomerges = 2
$rest"
[ $tried -ge 200 ] || fail "only $tried were tried"
[ $taken -ge 40 ] || fail "only $taken came to be written"
