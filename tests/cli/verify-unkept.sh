#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What nothing keeps is told as the plan told it: pending in the boot of the
# apply, drift after it.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
boot=$dir/proc/sys/kernel/random/boot_id
mkdir -p "${boot%/*}" && echo boot-one >"$boot"
policy=$dir/sys/module/pcie_aspm/parameters/policy
mkdir -p "${policy%/*}" && printf default >"$policy"
printf '[host]\npcie.aspm_policy = performance\n' >"$TMPDIR/awake.ini"

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/awake.ini"
expect 0; says "pcie.aspm_policy on host"
says "pcie_aspm.policy=WORD, with this word, on the kernel command line"
nvmetune verify --sysroot "$dir"
expect 0; says "no drift"

printf default >"$policy"
nvmetune verify --sysroot "$dir"
expect 0; says "pending"; says "true after another apply: "
says "all is as profile awake was applied, but for what is pending"
says "on the kernel command line"
nvmetune verify --sysroot "$dir" --format json
expect 0; json '.drift == 0 and .pending == 1 and
	.findings[0].what == "pcie.aspm_policy@host" and
	.findings[0].now == "default" and .findings[0].applied == "performance"'

echo boot-two >"$boot"
nvmetune verify --sysroot "$dir"
expect 3; says "lost since an earlier boot: "; says '"nvmetune apply" repairs it'
nvmetune verify --sysroot "$dir" --format json
expect 3; json '.drift == 1 and .pending == 0'

nvmetune apply --sysroot "$dir"
expect 0
nvmetune verify --sysroot "$dir"
expect 0; says "no drift"
