# SPDX-License-Identifier: GPL-2.0-or-later
# What is true of every plan.  $text is the same plan for the eye.
include "plan";

{
	"ids are unique": ([.changes[].id] | length == (unique | length)),
	"each change has a reason without an end of line":
		all(.changes[]; (.reason // "") | (length > 0) and
			(contains("\n") | not)),
	"what is to be changed differs":
		all(.changes[] | select(.verdict == "change");
			.have != .want),
	"what is unknown is never called zero and changed":
		all(.changes[] | select(.have == null);
			.verdict != "change"),
	"what cannot be has no persistence":
		all(.changes[] | select(.verdict == "cannot" and
			.origin == "profile"); .persistence == "none" or
			.persistence == "cannot"),
	"a cannot says why persistence cannot":
		all(.changes[] | select(.persistence == "cannot");
			.persist_reason != null),
	"the summary counts the changes":
		(. as $plan | all("keep", "change", "later", "cannot";
			. as $word | $plan.summary[$word] ==
			([$plan.changes[] | select(.verdict == $word and
				(is_effect | not))] | length))),
	"a scheduler belongs to a disk with a request queue":
		([$facts[0].namespaces // [] | .[] | select(.kind == "head") |
			.name] as $heads |
		all(.changes[] | select(.key == "queue.scheduler" or
			.key == "queue.nr_requests");
			.target.name as $t | $heads | index([$t]) | not)),
	"a queue count never changes live":
		all(.changes[] | select(.key | startswith("module."));
			.verdict != "change"),
	"the rule acts when a disk appears and at no other time":
		(rules.want // "" |
			(. == "" or contains("ACTION!=\"add\"")) and
			(contains("change\"") | not)),
	"the rule asks for a request queue and a whole disk":
		(rules.want // "" | . == "" or
			(contains("TEST!=\"mq\"") and
			 contains("ENV{DEVTYPE}!=\"disk\""))),
	"the rule names no drive of today":
		(rules.want // "" | test("nvme[0-9]+n[0-9]+[^\\[]") | not),
	"default queues never outnumber the CPUs that can be":
		all(.splits[] | select(.next);
			.next.default <= ($facts[0].possible | cpus)),
	"no figure of a report is given as a promise":
		([$text, (. | tostring)] | all((contains("79.8") or
			contains("70-80") or contains("16 x")) | not)),
	"a depth that the kernel gives needs a scheduler that stays":
		([.changes[] | select(.key == "queue.scheduler" and
			.persistence == "cannot") | .target.name] as $lost |
		all(.changes[] | select(.key == "queue.nr_requests" and
			.persistence == "kernel default");
			.target.name as $t | $lost | index([$t]) | not))
}
