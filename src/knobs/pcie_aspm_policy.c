/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "knobs/aspm.h"
#include "knobs/knob_list.h"

static const char *const choices[] = { "default", "performance", "powersave",
				       "powersupersave", NULL };
/* Every link is set anew (pcie_aspm_set_policy()). */
static const char *const disturbs[] = { "power.aspm",
					"power.aspm_l0s",
					"power.aspm_l1_1",
					"power.aspm_l1_2",
					"power.aspm_l1_1_pcipm",
					"power.aspm_l1_2_pcipm",
					NULL };

static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	(void)param;
	(void)target;
	if (aspm_is_told_off(facts))
		return err_set(err, -EOPNOTSUPP, "%s: " ASPM_TOLD_OFF,
			       knob->name);
	if (aspm_is_firmwares(facts))
		return err_set(err, -EOPNOTSUPP, "%s: " ASPM_FIRMWARES,
			       knob->name);
	*ret = *asked;
	return 0;
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	const struct observation *seen =
		facts_observed(facts, knob->name, target);

	(void)arena;
	return seen && seen->why == ENOENT ?
		       "this kernel does not manage the power states of links" :
		       NULL;
}

/* The boot decides, and a kernel's own default may differ from the next's. */
static bool returns(const struct facts *facts, const struct target *target,
		    const struct value *want)
{
	static const char key[] = "pcie_aspm.policy=";
	const char *found = facts->cmdline ? strstr(facts->cmdline, key) : NULL;
	const size_t n = strlen(want->u.text);

	(void)target;
	if (!found)
		return false;
	found += sizeof(key) - 1;
	return strncmp(found, want->u.text, n) == 0 &&
	       (found[n] == ' ' || found[n] == '\0');
}

static const char *explain(const struct value *want)
{
	if (strcmp(want->u.text, "performance") == 0)
		return "performance keeps every PCIe link of the host awake.";
	if (strcmp(want->u.text, "default") == 0)
		return "default leaves each link as the firmware set it up.";
	return "Every PCIe link of the host sleeps as deep as it can when idle.";
}

const struct knob knob_pcie_aspm_policy = {
	.name = "pcie.aspm_policy",
	.scope = SCOPE_HOST,
	.type = VALUE_TEXT,
	.attr = "sys/module/pcie_aspm/parameters/policy",
	.choices = choices,
	.kept = KEPT_NOT,
	.unkept =
		"put pcie_aspm.policy=WORD, with this word, on the kernel command line",
	.word = "pcie_aspm.policy",
	.flags = KNOB_MAY_REFUSE,
	.evidence = EVIDENCE_IDLE_WAKE,
	.disturbs = disturbs,
	.doc = {
		.summary = "how much power all PCIe links of the host save",
		.effect =
			"performance keeps every link awake, so that no request waits for one.",
		.cost = "It is for every device of the host, not for drives alone: power.aspm is for these.",
		.source = "Documentation/admin-guide/kernel-parameters.txt, pcie_aspm; drivers/pci/pcie/aspm.c, pcie_aspm_set_policy()",
	},
	.resolve = resolve,
	.returns = returns,
	.absent = absent,
	.explain = explain,
};
