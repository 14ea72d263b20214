# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A host without a drive, and without the driver, is a host.  Topology no-nvme.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

check_status "status without the driver" 0 "$NVMETUNE" status
check_match "status says so" '*no NVMe controllers*' "$output"
modprobe nvme
guest_start_udevd
check_status "status without a drive" 0 "$NVMETUNE" status
check_match "status says so" '*no NVMe controllers*' "$output"
check_status "plan without a drive" 0 "$NVMETUNE" plan --profile oltp
check_status "apply persists all the same" 0 "$NVMETUNE" apply --profile oltp
[ -f /etc/udev/rules.d/90-nvmetune.rules ] || fail "no rule file was written"
check_status "rollback" 0 "$NVMETUNE" rollback
[ ! -e /etc/udev/rules.d/90-nvmetune.rules ] || fail "the rule file is left"
