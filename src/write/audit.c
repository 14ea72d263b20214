/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "sys/sysroot.h"

/* useradd(8) allows 32; what is longer is no user's name. */
#define LONGEST_USER 64U

#define LINE_SIZE 480

void audit_time(char ret[AUDIT_TIME_SIZE])
{
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) ||
	    strftime(ret, AUDIT_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		(void)snprintf(ret, AUDIT_TIME_SIZE, "1970-01-01T00:00:00Z");
}

void audit_who(const struct sysroot *root, char time[AUDIT_TIME_SIZE],
	       struct journal_who *ret)
{
	const char *user = getenv("SUDO_USER");

	*ret = (struct journal_who){ .uid = -1 };
	if (sysroot_is_image(root))
		return;
	audit_time(time);
	ret->time = time;
	ret->uid = (int64_t)getuid();
	if (user && *user && strlen(user) <= LONGEST_USER)
		ret->sudo_user = user;
}

char *audit_name(struct arena *arena, const struct journal_who *who)
{
	if (who->sudo_user)
		return arena_printf(arena, "%s with sudo", who->sudo_user);
	return who->uid >= 0 ?
		       arena_printf(arena, "uid %lld", (long long)who->uid) :
		       NULL;
}

void audit_log(const struct sysroot *root, const struct journal_head *head,
	       const char *fmt, ...)
{
	char time[AUDIT_TIME_SIZE], what[LINE_SIZE / 2], line[LINE_SIZE];
	struct journal_who who;
	va_list ap;

	if (!sysroot_is_live(root))
		return;
	audit_who(root, time, &who);
	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	(void)snprintf(line, sizeof(line),
		       "transaction %u: profile %.64s %s, by uid "
		       "%lld%s%s",
		       head->id, head->profile, what, (long long)who.uid,
		       who.sudo_user ? ", sudo user " : "",
		       who.sudo_user ? who.sudo_user : "");
	escape_in_place(line);
	syslog(LOG_NOTICE | LOG_DAEMON, "%s", line);
}
