# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the plan says of udev rules, against what udevd does with them.  The
# rules set read_ahead_kb, so the attribute tells which of them had the last
# word; a file at 99 is behind ours, so the plan says which it believes in.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_start_udevd
guest_load_nvme
queue=$(guest_queue LAB0)
disk=$(basename "$(dirname "$queue")")
ctrl=$(guest_ctrl LAB0)
entry=b$(<"/sys/class/block/$disk/dev")
file=/etc/udev/rules.d/99-lab.rules
profile=/run/rules.ini
printf '[drives]\nqueue.read_ahead_kb = 64\n' >"$profile"

# What the last rule sets in the plan's eyes: "512", "512?" when in doubt.
believed()
{
	"$NVMETUNE" plan --profile "$profile" --format json |
		jq -r --arg disk "$disk" '.changes[]
			| select(.key == "queue.read_ahead_kb"
				and .id == "queue.read_ahead_kb@" + $disk)
			| .persist_reason // "nobody"' |
		sed -E 's/.* perhaps sets ([0-9]+)$/\1?/; s/.* sets ([0-9]+)$/\1/'
}

# try EXPECTED SENTENCE - the rest of the file on stdin, behind a rule that sets
# 256.  EXPECTED is what udevd does; with "?" behind it the plan may doubt.
try()
{
	local expected=${1%\?} sentence=$2 belief real

	echo 128 >"$queue/read_ahead_kb"
	{
		echo 'ACTION=="add", KERNEL=="nvme[0-9]*n[0-9]*", ENV{DEVTYPE}=="disk", ATTR{queue/read_ahead_kb}="256"'
		cat
	} >/run/rules
	guest_try_rules "$file" "/sys/class/block/$disk" add "$entry" </run/rules
	real=$(<"$queue/read_ahead_kb")
	check "udevd: $sentence" "$expected" "$real"
	belief=$(believed)
	case $1 in
	*\?) check "plan: $sentence" "512?" "$belief" ;;
	*) check "plan: $sentence" "$real" "$belief" ;;
	esac
}

# runs CONDITIONS, skips CONDITIONS: a rule with them does, or does not.
set_512='ATTR{queue/read_ahead_kb}="512"'
runs() { try 512 "runs with $1" <<<"$1, $set_512"; }
skips() { try 256 "does not run with $1" <<<"$1, $set_512"; }

echo "# conditions"
runs 'KERNEL=="sda|nvme*"'
runs "KERNELS==\"$ctrl\""
skips 'SUBSYSTEM=="nvme"'
runs 'DRIVERS=="nvme"'
runs 'DRIVERS!="nvme"'
runs 'ATTRS{transport}=="pcie"'
skips 'SUBSYSTEMS=="pci", ATTRS{transport}=="pcie"'
skips 'ATTR{model}!="x"'
runs 'TEST=="mq"'
skips 'TEST!="mq"'
skips 'ENV{DEVTYPE}!="disk"'
skips 'ACTION=="change"'
runs 'ENV{DM_NAME}!="?*"'
runs 'ATTR{queue/rotational}=="0"'
skips 'DEVPATH=="/devices/virtual/*"'
runs 'ATTRS{model}=="QEMU NVMe Ctrl"'
skips 'ATTRS{model}=="QEMU NVMe"'
try '512?' "a model padded to its length matches" <<<"$(printf \
	'ATTRS{model}=="%-40s", %s' 'QEMU NVMe Ctrl' "$set_512")"

echo "# spelling"
try 512 ":= of an attribute makes nothing final" <<RULES
ATTR{queue/read_ahead_kb}:="384"
$set_512
RULES
try 256 "a match with one = spoils its line" <<<"KERNEL=\"nvme*\", $set_512"
try 256 "an open quote spoils its line" <<<"${set_512%\"}"
try 512 "escapes and continued lines" <<'RULES'
KERNEL=="nvme*", \
# between
  ATTR{queue/read_ahead_kb}=e"\x512"
ATTR{queue/read_ahead_kb}=e"512"
RULES

echo "# jumps"
try 256 "GOTO leads forward" <<RULES
KERNEL=="nvme*", GOTO="end"
$set_512
LABEL="end"
RULES
try 512 "GOTO that is not reached leads nowhere" <<RULES
KERNEL!="nvme*", GOTO="end"
$set_512
LABEL="end"
RULES
try 512 "GOTO does not lead backward, nor to a label that is missing" <<RULES
LABEL="top"
GOTO="nowhere"
$set_512, GOTO="top"
RULES
