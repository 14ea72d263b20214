/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Rules are tried on devices that have what others lack: partitions, two-digit
 * numbers, a disk without a request queue.
 */

#include <inttypes.h>
#include <string.h>

#include "base/glob.h"
#include "base/parse.h"
#include "core/foreign.h"
#include "core/foreign_attrs.h"
#include "core/rules_device.h"

struct audit {
	struct arena *arena;
	const struct foreign_rules *rules;
	const struct facts *facts;
	struct problems *findings;
	struct rule_set set;
	const struct foreign_attrs *attrs; /* of all but disks */
	/* Names that are tried, and whether each rule runs for them. */
	struct trial {
		const char *name;
		bool is_real; /* of the facts */
		const enum rule_truth *on_add;
		const enum rule_truth *on_change;
	} * trials;
	size_t nr_trials;
	const enum rule_truth *on_bare; /* a disk without a request queue */
};

static void find(struct audit *audit, const struct rule *rule, const char *text)
{
	*vec_add(audit->arena, &audit->findings->lines) =
		arena_printf(audit->arena, "%s:%" PRId64 ": %s",
			     audit->rules->file, rule->line, text);
}

static const char *const names[] = {
	"nvme0n1", "nvme10n1", "nvme0n10", "nvme0", "nvme0n1p1", "sda", "sda1",
};

static void try_device(struct audit *audit, const struct rule_device *device,
		       struct trial *trial)
{
	trial->on_add = rules_run(audit->arena, &audit->set, device, "add");
	trial->on_change =
		rules_run(audit->arena, &audit->set, device, "change");
}

static void try_names(struct audit *audit)
{
	const size_t n = sizeof(names) / sizeof(*names);
	const size_t nr_real = audit->facts ? audit->facts->namespaces.n : 0;
	struct rule_device device;

	audit->trials =
		arena_array(audit->arena, n + nr_real, sizeof(*audit->trials));
	for (size_t i = 0; i < n; i++) {
		struct trial *trial = &audit->trials[audit->nr_trials++];

		trial->name = names[i];
		rules_device_named(audit->arena, names[i], false, &device);
		try_device(audit, &device, trial);
	}
	for (size_t i = 0; i < nr_real; i++) {
		const struct ns *ns = &audit->facts->namespaces.items[i];
		struct trial *trial;

		/* Hidden paths send no events. */
		if (ns->kind == NS_PATH)
			continue;
		trial = &audit->trials[audit->nr_trials++];
		trial->name = ns->name;
		trial->is_real = true;
		rules_device_of_ns(audit->arena, audit->facts, ns, &device);
		try_device(audit, &device, trial);
	}
	rules_device_named(audit->arena, "nvme0n1", true, &device);
	audit->on_bare = rules_run(audit->arena, &audit->set, &device, "add");
}

static bool runs_for(const struct trial *trial, size_t nr)
{
	return trial->on_add[nr] != RULE_NO || trial->on_change[nr] != RULE_NO;
}

static bool is_nvme(const struct trial *trial)
{
	return text_has_prefix(trial->name, "nvme");
}

static bool is_disk(const struct trial *trial)
{
	return !rules_name_is_partition(trial->name) &&
	       (!is_nvme(trial) || strchr(trial->name + strlen("nvme"), 'n'));
}

static bool runs_for_a_drive(const struct audit *audit, size_t nr)
{
	for (size_t i = 0; i < audit->nr_trials; i++)
		if (is_nvme(&audit->trials[i]) && is_disk(&audit->trials[i]) &&
		    runs_for(&audit->trials[i], nr))
			return true;
	return false;
}

/* The first attribute of a request queue that the rule sets, or NULL. */
static const char *queue_attr(const struct rule *rule)
{
	VEC_EACH(&rule->tokens, struct rule_token, token)
		if (rule_token_sets(token) &&
		    text_has_prefix(token->attr, "queue/"))
			return token->attr;
	return NULL;
}

static void look_at_extras(struct audit *audit, const struct rule *rule,
			   size_t nr, const char *attr)
{
	bool of_drive = false;

	for (size_t i = 0; i < audit->nr_trials; i++) {
		const struct trial *trial = &audit->trials[i];
		const bool is_part = rules_name_is_partition(trial->name);

		if (is_disk(trial) || !runs_for(trial, nr))
			continue;
		of_drive |= is_part && is_nvme(trial);
		find(audit, rule,
		     arena_printf(audit->arena,
				  "matches the %s %s, which has no %s",
				  is_part ? "partition" : "controller",
				  trial->name, attr));
	}
	if (of_drive)
		find(audit, rule,
		     "has no ENV{DEVTYPE}==\"disk\" to leave partitions out");
}

/* Drives that another drive's rule should have matched too. */
static void look_at_misses(struct audit *audit, const struct rule *rule,
			   size_t nr)
{
	const struct rule_token *kernel = rule_find(rule, "KERNEL");
	const bool any = runs_for_a_drive(audit, nr);

	if (!any || !kernel || strcmp(kernel->op, "==") != 0)
		return;
	for (size_t i = 0; i < audit->nr_trials; i++) {
		const struct trial *trial = &audit->trials[i];

		if (is_nvme(trial) && is_disk(trial) &&
		    !glob_match(kernel->value, trial->name))
			find(audit, rule,
			     arena_printf(
				     audit->arena, "misses %s%s", trial->name,
				     trial->is_real ? " of this host" : ""));
	}
}

static void look_at_guards(struct audit *audit, const struct rule *rule,
			   size_t nr, const char *attr)
{
	if (audit->on_bare[nr] != RULE_NO)
		find(audit, rule,
		     arena_printf(audit->arena,
				  "has no TEST==\"%s\": not every disk has it",
				  attr));
	for (size_t i = 0; i < audit->nr_trials; i++)
		if (is_nvme(&audit->trials[i]) && is_disk(&audit->trials[i]) &&
		    audit->trials[i].on_change[nr] != RULE_NO) {
			find(audit, rule,
			     "acts on change: each program that writes to the disk's node and closes it brings the value back; use ACTION==\"add\"");
			return;
		}
}

static void look_at_value(struct audit *audit, const struct rule *rule,
			  const struct rule_token *token)
{
	static const char *const gone[] = { "noop", "deadline", "cfq" };
	static const char *const now[] = { "none", "mq-deadline", "bfq" };

	if (strcmp(token->op, ":=") == 0 || strcmp(token->op, "+=") == 0)
		find(audit, rule,
		     arena_printf(
			     audit->arena,
			     "ATTR takes no \"%s\": udev reads \"=\", and a later rule wins",
			     token->op));
	if (strcmp(token->attr, "queue/scheduler") != 0)
		return;
	for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++)
		if (strcmp(token->value, gone[i]) == 0)
			find(audit, rule,
			     arena_printf(audit->arena,
					  "no kernel since 5.0 has %s: use %s",
					  gone[i], now[i]));
}

/* A whole one, or a pattern that names bus and slot. */
static bool is_pci_address(const char *text)
{
	return glob_match("*[0-9a-f][0-9a-f]:[0-9a-f][0-9a-f].[0-7]*", text);
}

/* "nvme0n*": each load of the driver may number the controllers anew. */
static bool is_numbered(const struct rule_token *token)
{
	return strcmp(token->key, "KERNEL") == 0 &&
	       strcmp(token->op, "==") == 0 &&
	       glob_match("nvme[0-9]*n*", token->value);
}

static void look_at_padding(struct audit *audit, const struct rule *rule,
			    const struct rule_token *token)
{
	static const struct {
		const char *attr;
		size_t length;
	} padded[] = { { "model", 40 },
		       { "device/model", 40 },
		       { "serial", 20 },
		       { "device/serial", 20 } };

	if (!token->attr || !text_has_prefix(token->key, "ATTR") ||
	    !text_has_suffix(token->value, " "))
		return;
	for (size_t i = 0; i < sizeof(padded) / sizeof(*padded); i++)
		if (strcmp(token->attr, padded[i].attr) == 0 &&
		    strlen(token->value) != padded[i].length)
			find(audit, rule,
			     arena_printf(
				     audit->arena,
				     "never matches: with blanks at its end the %s is compared with all %zu characters, and these are %zu; leave the blanks out",
				     padded[i].attr, padded[i].length,
				     strlen(token->value)));
}

static bool is_for(const struct rule *rule, const char *key, const char *value)
{
	const struct rule_token *token = rule_find(rule, key);

	return token && strcmp(token->op, "==") == 0 &&
	       strcmp(token->value, value) == 0;
}

static void look_at_setpci(struct audit *audit, const struct rule *rule,
			   const struct rule_token *token)
{
	const char *lockdown = audit->facts ? audit->facts->lockdown : NULL;

	if ((strcmp(token->key, "RUN") != 0 &&
	     strcmp(token->key, "PROGRAM") != 0) ||
	    !strstr(token->value, "setpci"))
		return;
	find(audit, rule,
	     "runs setpci: it writes configuration space behind the kernel's back");
	if (lockdown && strcmp(lockdown, "none") != 0)
		find(audit, rule,
		     arena_printf(
			     audit->arena,
			     "setpci cannot write on this host: the kernel's lockdown is \"%s\"",
			     lockdown));
	if (is_for(rule, "SUBSYSTEM", "pci") &&
	    strstr(token->value, "$attr{address}"))
		find(audit, rule,
		     "$attr{address} is empty: a PCI device has no such attribute, and its address is $kernel");
}

/* The driver is loaded by a rule for that very event; coldplug's comes when it
 * is there. */
static void look_at_binding(struct audit *audit, const struct rule *rule)
{
	if (is_for(rule, "ACTION", "add") && is_for(rule, "SUBSYSTEM", "pci") &&
	    (is_for(rule, "DRIVER", "nvme") || is_for(rule, "DRIVERS", "nvme")))
		find(audit, rule,
		     "does not run for a drive that is plugged in: a PCI device is added before a driver is bound to it; ACTION==\"bind\" comes then");
}

static void look_at_tokens(struct audit *audit, const struct rule *rule)
{
	VEC_EACH(&rule->tokens, struct rule_token, token) {
		if (rule_token_sets(token))
			look_at_value(audit, rule, token);
		if (rule_token_matches(token) && is_pci_address(token->value))
			find(audit, rule,
			     arena_printf(
				     audit->arena,
				     "pins the PCI address %s: it moves with slots, firmware and cards; match the model or serial",
				     token->value));
		if (is_numbered(token))
			find(audit, rule,
			     arena_printf(
				     audit->arena,
				     "means a drive by its number, as %s: numbers move between boots; match the model or serial",
				     token->value));
		look_at_padding(audit, rule, token);
		look_at_setpci(audit, rule, token);
	}
}

static void look_at_jump(struct audit *audit, const struct rule *rule)
{
	const struct rule_token *jump = rule_find(rule, "GOTO");

	if (jump && !rule->target)
		find(audit, rule,
		     arena_printf(
			     audit->arena,
			     "GOTO=\"%s\" leads to no label behind it: udev ignores it",
			     jump->value));
}

static void look_at_rule(struct audit *audit, size_t nr)
{
	const struct rule *rule = &audit->set.rules.items[nr];
	const char *attr = queue_attr(rule);
	const struct foreign_findings others =
		foreign_attrs_look(audit->attrs, nr);

	look_at_jump(audit, rule);
	look_at_tokens(audit, rule);
	look_at_binding(audit, rule);
	VEC_EACH(&others.lines, const char *, it)
		find(audit, rule, *it);
	if (!attr)
		return;
	look_at_extras(audit, rule, nr, attr);
	if (!runs_for_a_drive(audit, nr))
		return;
	look_at_misses(audit, rule, nr);
	look_at_guards(audit, rule, nr, attr);
}

void foreign_rules_check(struct arena *arena, const struct foreign_rules *rules,
			 const struct facts *facts, struct problems *findings)
{
	struct audit audit = { .arena = arena,
			       .rules = rules,
			       .facts = facts,
			       .findings = findings };

	VEC_EACH(&rules->lines, struct rule, line)
		rule_set_add(arena, &audit.set, rules->file, line->line,
			     line->text);
	rule_set_done(&audit.set);
	audit.attrs = foreign_attrs_new(arena, &audit.set);
	try_names(&audit);
	VEC_EACH(&rules->lines, struct rule, line) {
		const char *why;
		struct rule rule;

		if (!rule_parse(arena, line->text, &rule, &why))
			find(&audit, line,
			     arena_printf(arena, "udev ignores this line: %s",
					  why));
	}
	for (size_t i = 0; i < audit.set.rules.n; i++)
		look_at_rule(&audit, i);
}
