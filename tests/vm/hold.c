/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * hold FLAG RELEASE: for guests, to see what happens between a kernel's word of
 * an NVMe disk and its next step, long after that moment has gone by in life.
 *
 * Waits for such events at real-time priority on CPU 0, where the kernel's own
 * workers are to be: as it wakes, the worker that has just told of a disk stays
 * where it is.  Prints "NAME yes" or "NAME no" for each disk: is its queue
 * there?  While FLAG exists it then keeps the CPU to itself until udevd is done
 * with the disk or RELEASE exists, ten seconds at most.
 *
 * Start it before udevd, whom the kernel then tells first.
 */

#include <linux/netlink.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define KERNEL_GROUP 1
#define PRIORITY 50
#define MOST_SECONDS 10

struct event {
	const char *action, *subsystem, *type, *name, *path, *major, *minor;
};

static const char *value(const char *line, const char *key)
{
	const size_t n = strlen(key);

	return strncmp(line, key, n) == 0 && line[n] == '=' ? line + n + 1 :
							      NULL;
}

static void take(const char *line, const char *key, const char **ret)
{
	const char *text = value(line, key);

	if (text)
		*ret = text;
}

/* "add@/devices/...", then "KEY=value", each ended by a zero byte. */
static struct event parse(const char *text, size_t size)
{
	struct event event = { "", "", "", "", "", "", "" };

	for (size_t i = 0; i < size; i += strlen(text + i) + 1) {
		take(text + i, "ACTION", &event.action);
		take(text + i, "SUBSYSTEM", &event.subsystem);
		take(text + i, "DEVTYPE", &event.type);
		take(text + i, "DEVNAME", &event.name);
		take(text + i, "DEVPATH", &event.path);
		take(text + i, "MAJOR", &event.major);
		take(text + i, "MINOR", &event.minor);
	}
	return event;
}

static bool is_new_disk(const struct event *event)
{
	return strcmp(event->action, "add") == 0 &&
	       strcmp(event->subsystem, "block") == 0 &&
	       strcmp(event->type, "disk") == 0 &&
	       strncmp(event->name, "nvme", 4) == 0;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static long seconds(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void hold(const struct event *event, const char *release)
{
	const long end = seconds() + MOST_SECONDS;
	char done[64];

	(void)snprintf(done, sizeof(done), "/run/udev/data/b%s:%s",
		       event->major, event->minor);
	while (!exists(done) && !exists(release) && seconds() < end)
		;
}

static int prepare(void)
{
	const struct sched_param param = { .sched_priority = PRIORITY };
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK,
					     .nl_groups = KERNEL_GROUP };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC,
			NETLINK_KOBJECT_UEVENT);
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (fd < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    sched_setaffinity(0, sizeof(first), &first) < 0 ||
	    sched_setscheduler(0, SCHED_FIFO, &param) < 0) {
		perror("hold");
		return -1;
	}
	return fd;
}

int main(int argc, char **argv)
{
	char text[8192], queue[4400];
	ssize_t n;
	int fd;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: hold FLAG RELEASE\n");
		return 2;
	}
	fd = prepare();
	if (fd < 0)
		return 1;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	puts("listening");
	while ((n = recv(fd, text, sizeof(text) - 1, 0)) >= 0) {
		struct event event;
		bool has_queue;

		text[n] = '\0';
		event = parse(text, (size_t)n);
		if (!is_new_disk(&event))
			continue;
		(void)snprintf(queue, sizeof(queue), "/sys%s/queue",
			       event.path);
		has_queue = exists(queue);
		if (exists(argv[1]))
			hold(&event, argv[2]);
		printf("%s %s\n", event.name, has_queue ? "yes" : "no");
	}
	perror("hold");
	return 1;
}
