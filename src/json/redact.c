/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/redact.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "json/facts_fields.h"
#include "json/fields.h"

#define UUID_LEN 36U
#define TOKEN_BITS 24U
/* Shorter ones would also be found in text that means something else. */
#define SHORTEST 4U

struct secret {
	const char *text;
	size_t len;
	uint32_t number;
	const char *token;
};

struct redaction {
	struct arena *arena;
	VEC(struct secret) secrets;
};

/* FNV-1a, folded; no secrecy is asked of it, the few bits give that. */
static uint32_t hash(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	h ^= h >> 32;
	h ^= h >> TOKEN_BITS;
	return (uint32_t)h & ((1U << TOKEN_BITS) - 1);
}

static bool is_taken(const struct redaction *redaction, uint32_t number)
{
	VEC_EACH(&redaction->secrets, const struct secret, secret)
		if (secret->number == number)
			return true;
	return false;
}

/* The token of a text; two texts of one host never share one. */
static const char *token_of(struct redaction *redaction, const char *text,
			    size_t len, const char *kind)
{
	uint32_t number = hash(text, len);
	struct secret *secret;

	VEC_EACH(&redaction->secrets, const struct secret, known)
		if (known->len == len && memcmp(known->text, text, len) == 0)
			return known->token;
	while (is_taken(redaction, number))
		number = (number + 1) & ((1U << TOKEN_BITS) - 1);
	secret = vec_add(redaction->arena, &redaction->secrets);
	*secret = (struct secret){
		.text = arena_strndup(redaction->arena, text, len),
		.len = len,
		.number = number,
		.token =
			arena_printf(redaction->arena, "%s-%06x", kind, number),
	};
	return secret->token;
}

/* Words that facts are made of: replaced, the facts would mean something
 * else, and as a name they tell nobody anything. */
static bool is_ours(const char *text)
{
	static const char *const words[] = {
		"absent", "bfq",     "builtin",	  "default",   "identity",
		"kyber",  "live",    "loadable",  "module",    "mq-deadline",
		"none",	  "numa",    "nvme",	  "nvme_core", "pcie",
		"queue",  "running", "scheduler", "stopped",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i], text) == 0)
			return true;
	return false;
}

static void hide(struct redaction *redaction, const char *text,
		 const char *kind)
{
	if (text && strlen(text) >= SHORTEST && !is_ours(text))
		(void)token_of(redaction, text, strlen(text), kind);
}

/* The part behind the first of these characters, or all of it. */
static void hide_behind(struct redaction *redaction, const char *text,
			char mark, const char *kind)
{
	const char *found = text ? strchr(text, mark) : NULL;

	hide(redaction, found ? found + 1 : text, kind);
}

static void hide_mount(struct redaction *redaction, const char *where)
{
	static const char *const usual[] = {
		"/",	      "/boot", "/boot/efi", "/efi",	"/home",
		"/opt",	      "/root", "/srv",	    "/tmp",	"/usr",
		"/usr/local", "/var",  "/var/lib",  "/var/log", "/var/tmp",
	};

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (strcmp(usual[i], where) == 0)
			return;
	hide(redaction, where, "/mount");
}

static void collect(struct redaction *redaction, const struct facts *facts)
{
	if (!text_equal(facts->hostname, "localhost"))
		hide(redaction, facts->hostname, "host");
	hide(redaction, facts->boot_id, "boot");
	VEC_EACH(&facts->ctrls, const struct ctrl, ctrl) {
		hide(redaction, ctrl->serial, "serial");
		hide_behind(redaction, ctrl->nqn, ':', "nqn");
	}
	VEC_EACH(&facts->subsystems, const struct subsystem, subsystem)
		hide_behind(redaction, subsystem->nqn, ':', "nqn");
	VEC_EACH(&facts->namespaces, const struct ns, ns) {
		hide_behind(redaction, ns->wwid, '.', "wwid");
		VEC_EACH(&ns->mounts, const struct mount, mount)
			hide_mount(redaction, mount->where);
	}
	VEC_EACH(&facts->mount_points, const struct mount_point, point)
		hide_mount(redaction, point->where);
	VEC_EACH(&facts->layers, const struct layer, layer)
		hide(redaction, layer->alias, "dm");
	VEC_EACH(&facts->aliases, const struct alias, alias)
		hide_mount(redaction, alias->name);
}

static int longer_first(const void *a, const void *b)
{
	const struct secret *x = a, *y = b;

	return (x->len < y->len) - (x->len > y->len);
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
	       (c >= 'A' && c <= 'F');
}

static bool is_uuid(const char *text)
{
	for (size_t i = 0; i < UUID_LEN; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? text[i] != '-' :
							      !is_hex(text[i]))
			return false;
	return !is_word(text[UUID_LEN]);
}

/* The secret that stands, as a word of its own, at the start of text. */
static const struct secret *secret_at(const struct redaction *redaction,
				      const char *text)
{
	VEC_EACH(&redaction->secrets, const struct secret, secret)
		if (strncmp(text, secret->text, secret->len) == 0 &&
		    (!is_word(text[secret->len]) ||
		     !is_word(text[secret->len - 1])))
			return secret;
	return NULL;
}

static void redact_text(const char **text, void *data)
{
	struct redaction *redaction = data;
	const char *at = *text;
	struct strbuf out;

	strbuf_init(&out, redaction->arena);
	while (*at) {
		bool is_start = at == *text || !is_word(at[-1]);
		const struct secret *secret =
			is_start ? secret_at(redaction, at) : NULL;

		if (secret) {
			strbuf_puts(&out, secret->token);
			at += secret->len;
		} else if (is_start && is_uuid(at)) {
			strbuf_puts(&out,
				    token_of(redaction, at, UUID_LEN, "uuid"));
			at += UUID_LEN;
		} else {
			strbuf_putc(&out, *at++);
		}
	}
	*text = out.text;
}

struct redaction *redaction_new(struct arena *arena, const struct facts *facts)
{
	struct redaction *redaction = ARENA_NEW(arena, struct redaction);

	redaction->arena = arena;
	collect(redaction, facts);
	/* A serial number may be a part of an NQN: the whole goes first. */
	if (redaction->secrets.n)
		qsort(redaction->secrets.items, redaction->secrets.n,
		      sizeof(*redaction->secrets.items), longer_first);
	return redaction;
}

const char *redaction_text(struct redaction *redaction, const char *text)
{
	redact_text(&text, redaction);
	return text;
}

static void cover(char *at, size_t n, const char *token)
{
	size_t len = strlen(token);

	memset(at, ' ', n);
	memcpy(at, token, len < n ? len : n);
}

void redaction_bytes(struct redaction *redaction, char *bytes, size_t n)
{
	VEC_EACH(&redaction->secrets, const struct secret, secret)
		for (size_t i = 0; i + secret->len <= n; i++)
			if (memcmp(bytes + i, secret->text, secret->len) == 0)
				cover(bytes + i, secret->len, secret->token);
}

void facts_redact(struct arena *arena, struct facts *facts)
{
	fields_each_text(facts_fields(), facts, redact_text,
			 redaction_new(arena, facts));
}
