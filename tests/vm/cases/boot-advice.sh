# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What a boot needs to see an option: an initramfs that has our file, or a word
# of the kernel command line where the driver is built in.  The tool that
# rebuilds is a stand-in, which writes the image that the real one would.
# Topology two-node.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

release=$(uname -r)
initrd=/boot/initrd.img-$release
profile=/run/lab/poll.ini
printf '[host]\nmodule.nvme.poll_queues = 2\n' >"$profile"

text()
{
	tr -s ' \n' ' ' <<<"$output"
}

echo "# an initramfs that is older than the option"
cat >/usr/sbin/update-initramfs <<'TOOL'
#!/bin/sh
# update-initramfs -u -k RELEASE
[ "$1 $2" = "-u -k" ] || exit 1
cat /etc/modprobe.d/*.conf >"/boot/initrd.img-$3" 2>/dev/null || :
TOOL
chmod 755 /usr/sbin/update-initramfs
echo old >"$initrd"
touch -d '2 days ago' "$initrd"
guest_load_nvme
check_status "plan" 0 "$NVMETUNE" plan --profile "$profile"
check_match "it names the command" \
	"*needs after apply: \"update-initramfs -u -k $release\", then a reload*" \
	"$(text)"
check_status "apply" 4 \
	"$NVMETUNE" apply --profile "$profile" --detailed-exitcode
check "the image is still the old one" old "$(<"$initrd")"
check_status "a reboot is awaited, and more" 0 "$NVMETUNE" verify
check_match "verify says that the image is older" \
	"*written, but the initramfs is older: rebuild it*" "$(text)"
check_status "apply --update-initramfs" 4 "$NVMETUNE" apply \
	--profile "$profile" --update-initramfs --detailed-exitcode
check_match "the image has the option" "*options nvme poll_queues=2*" \
	"$(<"$initrd")"
check_status "now only a reload is missing" 4 \
	"$NVMETUNE" plan --profile "$profile" --detailed-exitcode
check_match "and no rebuild" "*needs after apply: a reload of*" "$(text)"
check_status "rollback --all --update-initramfs" 0 \
	"$NVMETUNE" rollback --all --update-initramfs
check "the image has no option any more" 0 \
	"$(grep -c poll_queues "$initrd" || :)"
rm /usr/sbin/update-initramfs "$initrd"

echo "# a driver that is built in"
guest_unload_nvme
builtin=/lib/modules/$release/modules.builtin
cp "$builtin" /run/lab/modules.builtin
printf 'kernel/drivers/nvme/host/nvme%s.ko\n' -core '' >>/run/lab/modules.builtin
mount --bind /run/lab/modules.builtin "$builtin"
mkdir -p /etc/default/grub.d
check_status "plan" 0 "$NVMETUNE" plan --profile "$profile"
check_match "it says where the word belongs" \
	"*nvme is built into this kernel, which reads no modprobe.d: *nvme.poll_queues=2*" \
	"$(text)"
check_status "apply" 0 "$NVMETUNE" apply --profile "$profile"
check "no option was written that does nothing" "" \
	"$(cat /etc/modprobe.d/nvmetune.conf 2>/dev/null || :)"
check_status "rollback" 0 "$NVMETUNE" rollback
umount "$builtin"
