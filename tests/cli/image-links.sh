#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A --root containing symlinks to the host's /etc changes nothing outside the
# root, whatever the links are: absolute, with too many "..", of a folder, of
# the file itself, of the state, in a circle.
. tests/cli/image-lib.sh
needs_modules

profile=$TMPDIR/all.ini
cat >"$profile" <<-END
	[profile]
	summary = A file of every kind
	[drives]
	queue.scheduler = none
	[host]
	kernel.numa_balancing = 0
	module.nvme.io_queue_depth = 512
	irqbalance = ban-nvme
	[wrapper near-data]
	numa = 0
	[service data.service]
	numa = 0
END

# What a write through one of the links would touch: the host's own folders,
# and a stand-in for each that is empty but for files of somebody else.
outside=$TMPDIR/outside
mkdir -p "$outside"/{etc/udev/rules.d,etc/modprobe.d,etc/sysctl.d} \
	"$outside"/{etc/nvmetune,etc/systemd/system,etc/default/grub.d} \
	"$outside"/{var/lib/nvmetune,usr/local/bin}
echo 'root:x:0:0' | tee "$outside"/etc/{passwd,udev/rules.d/90-nvmetune.rules} \
	>"$outside/etc/modprobe.d/nvmetune.conf"
host_state() {
	local dir
	(cd "$outside" && find . -printf '%p %y %m %T@ %l\n' | sort &&
		find . -type f -print0 | sort -z | xargs -0 sha256sum)
	for dir in /etc/{udev,modprobe.d,sysctl.d,nvmetune,default} \
		/etc/systemd/system /var/lib/nvmetune /usr/local/bin; do
		find "$dir" -maxdepth 3 -printf '%p %y %m %s %T@ %l\n' \
			2>/dev/null | sort
	done
}
host_state >"$TMPDIR/before"

# A fresh one with a kernel; made once.
image "$TMPDIR/fresh"
kernel "$TMPDIR/fresh" 9.9.0-lab io_queue_depth
fresh() { copy "$TMPDIR/fresh" "$image"; }

up=../../../../../../../../../../../../../../..
image=$TMPDIR/image
tried=0
try() { # words
	tried=$((tried + 1))
	for command in plan apply history rollback; do
		case $command in
		plan | apply)
			nvmetune $command --root "$image" --profile "$profile"
			;;
		*) nvmetune $command --root "$image" ;;
		esac
		[ "$rc" -le 1 ] || fail "$1: $command"
		[ "$rc" = 0 ] || [ -s "$err" ] || fail "$1: not a word"
		host_state >"$TMPDIR/after"
		cmp -s "$TMPDIR/before" "$TMPDIR/after" || {
			diff "$TMPDIR/before" "$TMPDIR/after"
			fail "$1: $command changed the host"
		}
	done
}

# Without links everything is written, so that the rest means something.
fresh
nvmetune apply --root "$image" --profile "$profile"
expect 0
for file in etc/udev/rules.d/90-nvmetune.rules etc/modprobe.d/nvmetune.conf \
	etc/sysctl.d/90-nvmetune.conf etc/nvmetune/applied.ini; do
	[ -f "$image/$file" ] || fail "no $file in an image without links"
done

for to in "$outside" "$up$outside" "" "$up"; do
	for folder in etc etc/udev etc/udev/rules.d etc/modprobe.d \
		etc/sysctl.d etc/nvmetune etc/systemd etc/default \
		var var/lib var/lib/nvmetune usr/local/bin; do
		fresh
		mkdir -p "$image/${folder%/*}"
		rm -rf "${image:?}/$folder"
		ln -s "$to/$folder" "$image/$folder"
		try "$folder -> $to/$folder"
	done
	for file in etc/udev/rules.d/90-nvmetune.rules \
		etc/modprobe.d/nvmetune.conf etc/nvmetune/applied.ini \
		etc/sysctl.d/90-nvmetune.conf \
		etc/udev/rules.d/90-nvmetune.rules.nvmetune-new; do
		fresh
		mkdir -p "$image/${file%/*}"
		ln -s "$to/etc/passwd" "$image/$file"
		try "$file -> $to/etc/passwd"
	done
done
fresh
mkdir -p "$image/etc/udev"
ln -s ../udev/rules.d "$image/etc/udev/rules.d"
ln -s nvmetune "$image/etc/nvmetune"
try "links in a circle"

# A root that is itself reached through a link is that folder.
ln -s "$image" "$TMPDIR/alias"
fresh
nvmetune apply --root "$TMPDIR/alias" --profile "$profile"
expect 0
[ -f "$image/etc/udev/rules.d/90-nvmetune.rules" ] || fail "not through a link"
[ $tried -ge 60 ] || fail "only $tried images"
