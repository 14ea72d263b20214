/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/foreign_attrs.h"

#include <string.h>

#include "base/glob.h"
#include "base/parse.h"
#include "core/rules_device.h"

#define LATENCY "power/pm_qos_latency_tolerance_us"

enum device {
	DEVICE_FUNCTION,  /* of a drive */
	DEVICE_NETWORK,	  /* a PCI function that is none */
	DEVICE_SUBSYSTEM, /* of drives */
	DEVICE_DISCOVERY, /* of a fabric's list of subsystems */
	NR_DEVICES
};

struct foreign_attrs {
	struct arena *arena;
	const struct rule_set *set;
	const enum rule_truth *on_add[NR_DEVICES]; /* of each rule */
};

static void describe(struct arena *arena, enum device device,
		     struct rule_device *ret)
{
	const struct facts none = { 0 };
	const struct ctrl drive = { .name = "nvme0",
				    .transport = "pcie",
				    .driver = "nvme",
				    .pci_class = "0x010802" };
	const struct ctrl network = { .name = "eth0",
				      .driver = "e1000e",
				      .pci_class = "0x020000",
				      .pci_vendor = "0x8086" };
	const struct subsystem nvm = { .name = "nvme-subsys0", .type = "nvm" };
	const struct subsystem discovery = { .name = "nvme-subsys1",
					     .type = "discovery" };

	switch (device) {
	case DEVICE_FUNCTION:
		rules_device_of_function(arena, &drive, true, ret);
		break;
	case DEVICE_NETWORK:
		rules_device_of_function(arena, &network, true, ret);
		break;
	case DEVICE_SUBSYSTEM:
		rules_device_of_subsystem(arena, &none, &nvm, ret);
		break;
	case DEVICE_DISCOVERY:
	case NR_DEVICES:
		rules_device_of_subsystem(arena, &none, &discovery, ret);
		break;
	}
}

struct foreign_attrs *foreign_attrs_new(struct arena *arena,
					const struct rule_set *set)
{
	struct foreign_attrs *attrs = ARENA_NEW(arena, struct foreign_attrs);
	struct rule_device device;

	attrs->arena = arena;
	attrs->set = set;
	for (unsigned int i = 0; i < NR_DEVICES; i++) {
		describe(arena, (enum device)i, &device);
		attrs->on_add[i] = rules_run(arena, set, &device, "add");
	}
	return attrs;
}

static bool runs_for(const struct foreign_attrs *attrs, enum device device,
		     size_t nr)
{
	return attrs->on_add[device][nr] != RULE_NO;
}

/* Does the rule ask whether there is such a file? */
static bool is_tested(const struct rule *rule, const char *attr)
{
	VEC_EACH(&rule->tokens, struct rule_token, token)
		if (strcmp(token->key, "TEST") == 0 &&
		    strcmp(token->op, "==") == 0 &&
		    text_has_prefix(attr, token->value))
			return true;
	return false;
}

/* Is the attribute set from an event of the disk, too? */
static bool is_set_later(const struct foreign_attrs *attrs)
{
	VEC_EACH(&attrs->set->rules, struct rule, rule)
		VEC_EACH(&rule->tokens, struct rule_token, token)
			if (rule_token_sets(token) &&
			    strcmp(token->attr, "device/" LATENCY) == 0)
				return true;
	return false;
}

static const char *not_tested(const struct foreign_attrs *attrs, size_t nr,
			      const struct rule_token *token, const char *who)
{
	if (is_tested(&attrs->set->rules.items[nr], token->attr))
		return NULL;
	return arena_printf(attrs->arena, "has no TEST==\"%s\": %s",
			    token->attr, who);
}

static const char *latency_tested(const struct foreign_attrs *attrs, size_t nr,
				  const struct rule_token *token)
{
	return not_tested(attrs, nr, token,
			  "a drive without idle states of its own lacks it");
}

static const char *latency_late(const struct foreign_attrs *attrs, size_t nr,
				const struct rule_token *token)
{
	(void)nr;
	if (strcmp(token->attr, LATENCY) != 0 || is_set_later(attrs))
		return NULL;
	return "may run too early: the attribute comes when the drive has been identified, after the controller; set device/" LATENCY
	       " when its disk is added, too";
}

static const char *every_function(const struct foreign_attrs *attrs, size_t nr,
				  const struct rule_token *token)
{
	if (text_has_prefix(token->attr, "device/") ||
	    !runs_for(attrs, DEVICE_FUNCTION, nr) ||
	    !runs_for(attrs, DEVICE_NETWORK, nr))
		return NULL;
	return arena_printf(
		attrs->arena,
		"sets %s of other PCI devices, too: ATTR{class}==\"0x010802\" means drives only",
		token->attr);
}

static const char *discovery(const struct foreign_attrs *attrs, size_t nr,
			     const struct rule_token *token)
{
	(void)token;
	if (!runs_for(attrs, DEVICE_SUBSYSTEM, nr) ||
	    !runs_for(attrs, DEVICE_DISCOVERY, nr))
		return NULL;
	return "matches discovery subsystems, which have no paths to choose from: ATTR{subsystype}==\"nvm\" leaves them out";
}

static const char *governor_tested(const struct foreign_attrs *attrs, size_t nr,
				   const struct rule_token *token)
{
	return not_tested(attrs, nr, token,
			  "guests and kernels without cpufreq lack it");
}

/* One check of an attribute; several may be about the same. */
struct row {
	const char *attr;  /* a glob; behind any number of device/ */
	const char *legal; /* what the kernel takes, a glob; NULL: see check */
	const char *words; /* for the eye */
	const char *(*check)(const struct foreign_attrs *attrs, size_t nr,
			     const struct rule_token *token);
};

#define FUNCTION_ATTRS "power/control|d3cold_allowed|link/*"

static const struct row rows[] = {
	{ .attr = LATENCY,
	  .legal = "any|auto|[0-9]*",
	  .words = "a number of microseconds, any or auto" },
	{ .attr = LATENCY, .check = latency_tested },
	{ .attr = LATENCY, .check = latency_late },
	{ .attr = "power/control", .legal = "on|auto", .words = "on or auto" },
	{ .attr = "d3cold_allowed|link/*",
	  .legal = "[01yYnNtTfF]*|on|off",
	  .words = "0 or 1" },
	{ .attr = FUNCTION_ATTRS, .check = every_function },
	{ .attr = "iopolicy",
	  .legal = "numa|round-robin|queue-depth",
	  .words = "numa, round-robin or, on newer kernels, queue-depth" },
	{ .attr = "iopolicy", .check = discovery },
	{ .attr = "cpufreq/scaling_governor", .check = governor_tested },
};

static const char *look(const struct foreign_attrs *attrs, size_t nr,
			const struct row *row, const struct rule_token *token)
{
	if (row->check)
		return row->check(attrs, nr, token);
	if (strpbrk(token->value, "$%") || glob_match(row->legal, token->value))
		return NULL;
	return arena_printf(attrs->arena,
			    "the kernel takes no \"%s\" for %s, but %s",
			    token->value, token->attr, row->words);
}

struct foreign_findings foreign_attrs_look(const struct foreign_attrs *attrs,
					   size_t nr)
{
	const struct rule *rule = &attrs->set->rules.items[nr];
	struct foreign_findings findings = { { 0 } };

	VEC_EACH(&rule->tokens, struct rule_token, token) {
		const char *attr = token->attr;

		if (!rule_token_sets(token))
			continue;
		while (text_has_prefix(attr, "device/"))
			attr += strlen("device/");
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			const char *found =
				glob_match(rows[i].attr, attr) ?
					look(attrs, nr, &rows[i], token) :
					NULL;

			if (found)
				*vec_add(attrs->arena, &findings.lines) = found;
		}
	}
	return findings;
}
