# SPDX-License-Identifier: GPL-2.0-or-later
# For the stories beside this: words for parts of a plan.

def change($key; $target):
	[.changes[] | select(.key == $key and .target.name == $target)][0];
def verdict($key; $target): change($key; $target) | .verdict;
def param($name): change("module." + $name; $name | split(".")[0]);
def want_file($path): [.files[] | select(.path == $path)][0];
def rules: want_file("/etc/udev/rules.d/90-nvmetune.rules");
def options: want_file("/etc/modprobe.d/nvmetune.conf");
def queue_split($ctrl): [.splits[] | select(.ctrl == $ctrl)][0];
# "default/read/poll" of a split's now or next.
def queues: if . then "\(.default)/\(.read)/\(.poll)" else null end;
def next($ctrl): queue_split($ctrl).next | queues;
def now($ctrl): queue_split($ctrl).now | queues;
def has_advice($id; $subject):
	any(.advice[]; .id == $id and .subject == $subject);
def advice($id): [.advice[] | select(.id == $id)][0].text // "";
# Nobody asked for it: the kernel does it with another change.
def is_effect: .origin == "effect";
# How many CPUs a list such as "0-3,8" names.
def cpus: split(",") | map(split("-") | map(tonumber) | last - first + 1) | add;
