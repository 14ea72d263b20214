#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Images of every kind of system: all kernels below the root, each with its own
# parameters, built in or not, of another architecture; the way to a new
# initramfs as the system has it; and where /etc is not for files, nothing is
# written and the text is printed.
. tests/cli/image-lib.sh
needs_modules

profile=$TMPDIR/fleet.ini
cat >"$profile" <<'INI'
[profile]
summary = A fleet
[drives]
queue.scheduler = none
[host]
kernel.numa_balancing = 0
module.nvme.io_queue_depth = 512
module.nvme.poll_queues = 25%
INI

# foreign FILE: as if for another architecture (e_machine: AArch64).
foreign() { printf '\267' | dd of="$1" bs=1 seek=18 conv=notrunc status=none; }

# kernels DIR: three that differ.
kernels() {
	kernel "$1" 4.4.0-old io_queue_depth
	kernel "$1" 6.1.0-lab io_queue_depth poll_queues write_queues
	kernel_builtin "$1" 6.9.0-builtin io_queue_depth poll_queues
}
on() { # DIR, more
	local dir=$1
	shift
	nvmetune "${command:-apply}" --root "$dir" --profile "$profile" \
		--min-cpus 8 "$@"
}
written=(etc/udev/rules.d/90-nvmetune.rules etc/modprobe.d/nvmetune.conf
	etc/sysctl.d/90-nvmetune.conf etc/nvmetune/applied.ini)

# with NAME COMMAND FILE...: an image that has these; apply tells COMMAND.
with() {
	local dir=$TMPDIR/$1 wanted=$2 file
	image "$dir" "ID=$1" "PRETTY_NAME=\"$1 9\""
	kernels "$dir"
	for file in "${@:3}"; do
		mkdir -p "$(dirname "$dir/$file")"
		: >"$dir/$file"
	done
	on "$dir"
	expect 0
	says "an image of $1 9 with kernels 4.4.0-old, 6.1.0-lab, 6.9.0-builtin"
	says "still needed: \"$wanted\""
	for file in "${written[@]}"; do
		[ -f "$dir/$file" ] || fail "$1: no $file"
		[ "$(stat -c '%a %u' "$dir/$file")" = "644 $(id -u)" ] ||
			fail "$1: $file is $(stat -c '%a %u' "$dir/$file")"
	done
}
each() { echo "${1}4.4.0-old; ${1}6.1.0-lab; ${1}6.9.0-builtin"; }
with debian "$(each "update-initramfs -u -k ")" usr/sbin/update-initramfs
with rhel "$(each "dracut -f --kver ")" usr/bin/dracut etc/default/grub
with opensuse "$(each "dracut -f --kver ")" usr/sbin/dracut
! grep -q SELinux "$err" || fail "it has no SELinux"
with arch "mkinitcpio -P" usr/bin/mkinitcpio
with fedora "$(each "dracut -f --kver ")" usr/bin/dracut etc/selinux/config
tells "let its relabel step run after this"

# What each kernel makes of an option is said with its name.
command=plan on "$TMPDIR/debian"
says "kernel 4.4.0-old: its nvme has no parameter poll_queues and ignores it"
says "kernel 6.9.0-builtin: nvme is built in and reads no modprobe.d: nvme.poll_queues=2 belongs on its command line"
says "+ 2             asked as 25% by"
grep -qx 'options nvme poll_queues=2' "$TMPDIR/debian/${written[1]}" ||
	fail "25% of 8 CPUs is not 2"

# Bytes of the other architecture's modules are read just the same.
arm=$TMPDIR/arm
image "$arm" ID=debian
kernels "$arm"
for file in "$arm"/lib/modules/*/kernel/drivers/nvme/host/*.ko; do
	foreign "$file"
done
if command -v readelf >/dev/null; then
	readelf -h "$file" | grep -q AArch64 || fail "not of another machine"
fi
on "$arm"
expect 0; says "kernel 4.4.0-old: its nvme has no parameter poll_queues"

# Of no kernel that would take it: refused, with the word to use instead.
only=$TMPDIR/only
image "$only" ID=debian
kernel_builtin "$only" 6.9.0-builtin io_queue_depth poll_queues
on "$only"
expect 0; says "none of the image's kernels takes it from a file"
[ ! -e "$only/etc/modprobe.d" ] || fail "a file that nothing reads"
on "$only" --strict
expect 1
command=plan on "$only" --export cmdline
expect 0
image "$TMPDIR/none" ID=debian
on "$TMPDIR/none"
expect 0; says "cannot    module.nvme.poll_queues"

# NixOS makes /etc from its store: the option that takes the text is named.
nix=$TMPDIR/nixos
image "$nix" ID=nixos
kernels "$nix"
mkdir -p "$nix"/nix/store/0-etc/etc/{udev/rules.d,modprobe.d}
ln -s /nix/store/0-etc/etc "$nix/etc/static"
ln -s /etc/static/udev "$nix/etc/udev"
ln -s /etc/static/modprobe.d "$nix/etc/modprobe.d"
fingerprint "$nix" >"$TMPDIR/before"
on "$nix"
expect 1; one_line; tells "services.udev.extraRules in the system's configuration"
! grep -q live-only "$out" "$err" || fail "an image has no live values"
says "boot.extraModprobeConfig"
same_host "$nix" "$TMPDIR/before"

# An ostree commit has its /etc in usr/etc.
ostree=$TMPDIR/ostree
image "$ostree" ID=fedora
kernels "$ostree"
mkdir -p "$ostree/sysroot/ostree"
mv "$ostree/etc" "$ostree/usr/etc"
fingerprint "$ostree" >"$TMPDIR/before"
on "$ostree"
expect 1; one_line; tells "/etc is in usr/etc"; tells "plan --export udev"
same_host "$ostree" "$TMPDIR/before"
[ ! -e "$ostree/var/lib/nvmetune/image/0001" ] || fail "a transaction was begun"

# The texts, from a root that nothing can be written to.
exports() { # DIR
	command=plan on "$1" --export udev
	expect 0; says 'ATTR{queue/scheduler}="none"'
	command=plan on "$1" --export modprobe
	expect 0; says 'options nvme io_queue_depth=512'
	command=plan on "$1" --export sysctl
	expect 0; says 'kernel.numa_balancing = 0'
	command=plan on "$1" --export cmdline
	expect 0
	[ "$(<"$out")" = "nvme.io_queue_depth=512 nvme.poll_queues=2" ] ||
		fail "the words are $(<"$out")"
}
exports "$ostree"
same_host "$ostree" "$TMPDIR/before"
unshare -Urm true 2>/dev/null || skip "no namespace of mounts to be had"
sealed=$TMPDIR/sealed
image "$sealed" ID=fedora
kernels "$sealed"
fingerprint "$sealed" >"$TMPDIR/before"
cat >"$TMPDIR/read-only" <<END
#!/bin/sh
exec unshare -Urm sh -c 'mount --bind "\$0" "\$0" &&
	mount -o remount,ro,bind "\$0" && exec "\$@"' "$sealed" "$NVMETUNE" "\$@"
END
chmod +x "$TMPDIR/read-only"
NVMETUNE=$TMPDIR/read-only
on "$sealed"
expect 1; one_line; tells "/etc is mounted read-only"; tells "plan --export udev"
exports "$sealed"
same_host "$sealed" "$TMPDIR/before"
