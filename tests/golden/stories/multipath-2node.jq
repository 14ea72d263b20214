# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

{
	"the path under mq-deadline is changed":
		(verdict("queue.scheduler"; "nvme0c0n1") == "change"),
	"the other stays": (verdict("queue.scheduler"; "nvme0c1n1") == "keep"),
	"no rule of ours is said to keep what udev never sees":
		all(.changes[] | select(.target.kind == "queue");
			.persistence != "udev rule"),
	"none needs no keeping: the kernel gives it to several queues":
		all(.changes[] | select(.key == "queue.scheduler");
			.persistence == "kernel default"),
	"what the kernel does not give is lost, and the plan says why":
		all(.changes[] | select(.key == "queue.rq_affinity");
			.persistence == "cannot" and
			(.persist_reason | contains("hidden"))),
	"nobody's rule is blamed for a path": all(.changes[] |
		select(.key | startswith("queue.")); .set_by == [])
}
