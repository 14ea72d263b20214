# SPDX-License-Identifier: GPL-2.0-or-later
# What stands on drives: layers are named, and knobs are those of the drives.
include "plan";

def unit($name): want_file("/etc/systemd/system/\($name).d/50-nvmetune.conf");
def script($name): want_file("/usr/local/bin/\($name)");
def lines($file): $file.want | split("\n");

{
	"nothing but drives is set: no md, no dm":
		all(.changes[]; .target.kind != "queue" or
			(.target.name | IN("nvme0n1", "nvme1n1"))),
} + if $profile != "runners" then {} else {
	"a bind mount is followed to the drives, layer by layer":
		(change("service"; "postgresql.service").note ==
			"/srv/pg/15/main: vg-data (LVM) on md0 (raid1) on nvme0n1p2, nvme1n1p2; nodes 0-1"),
	"drives on two nodes are refused where the profile does not say more":
		(verdict("service"; "postgresql.service") == "cannot" and
			(change("service"; "postgresql.service").reason |
				contains("nodes = union")) and
			unit("postgresql.service") == null),
	"their union is taken where it says so":
		(lines(unit("postgresql@.service")) |
			index("CPUAffinity=0-31") and index("NUMAPolicy=bind")
			and index("NUMAMask=0-1")),
	"a folder behind a link is on the drive below LUKS":
		(change("service"; "mysql.service").note ==
			"/var/lib/mysql: backup (LUKS) on nvme1n1p1; node 1"),
	"a service that does not run needs no restart":
		(change("service"; "mysql.service") |
			.verdict == "later" and .needs == [] and
			(has("restart") | not)),
	"what is in memory is near no drive":
		(change("service"; "redis@.service") | .verdict == "cannot" and
			(.reason | contains("tmpfs, mounted on /run"))),
	"a wrapper takes the drive's CPUs and prefers its memory":
		(lines(script("near-backup")) | index(
			"exec numactl --physcpubind=16-31 --preferred=1 \"$@\"")
			!= null),
	"a command's name is not taken":
		(verdict("wrapper"; "psql") == "cannot" and
			script("psql") == null),
	"memory is kept as it is where that is asked for":
		(lines(script("over-both")) | index(
			"exec numactl --physcpubind=0-31 \"$@\"") != null),
	"a number is the profile's own word":
		(lines(script("by-number")) | index(
			"exec numactl --physcpubind=16-31 --preferred=1 \"$@\"")
			!= null),
	"a restart is asked for of what is bound and may run":
		(.needs == ["restart"] and
			change("service"; "postgresql@.service").restart ==
				"postgresql@*.service")
} end
