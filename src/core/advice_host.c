/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Advice on the host: its IOMMU, its services, its kernel's command line. */

#include <string.h>

#include "base/parse.h"
#include "core/advisor.h"
#include "core/irqbalance.h"

#define HOST "host"

/* "DMA" is strict, "DMA-FQ" lazy: drivers/iommu/iommu.c. */
static void strict_iommu(const struct advisor *advisor)
{
	VEC_EACH(&advisor->facts->ctrls, struct ctrl, ctrl) {
		if (!text_equal(ctrl->iommu_type, "DMA"))
			continue;
		advise(advisor, HOST,
		       "the IOMMU groups of the drives are of type DMA: each unmap is flushed at once (strict), which can cost half of the IOPS of fast drives; iommu.strict=0 or iommu=pt give up isolation for them");
		return;
	}
}

static void irqbalance(const struct advisor *advisor)
{
	if (advisor->facts->ctrls.n == 0)
		return;
	VEC_EACH(&advisor->facts->services, struct service, it)
		if (text_equal(it->name, "irqbalance") &&
		    text_equal(it->state, "running") &&
		    !irqbalance_bans_nvme(advisor->facts->irqbalance.running))
			advise(advisor, HOST,
			       "irqbalance runs, and may: it cannot move the interrupts of NVMe queues");
}

struct token {
	const char *start;
	size_t len;
};

/* The next word of a command line behind *at; quotes keep spaces within. */
static bool next_token(const char **at, struct token *ret)
{
	const char *p = *at + strspn(*at, " \t\n");
	bool quoted = false;

	ret->start = p;
	for (; *p && (quoted || !strchr(" \t\n", *p)); p++)
		quoted = *p == '"' ? !quoted : quoted;
	ret->len = (size_t)(p - ret->start);
	*at = p;
	return ret->len > 0;
}

/* Does the token start with prefix, or is it exactly name? */
static bool is_token(const struct token *token, const char *name)
{
	size_t n = strlen(name);

	if (n && name[n - 1] == '=')
		return token->len >= n && memcmp(token->start, name, n) == 0;
	return token->len == n && memcmp(token->start, name, n) == 0;
}

/* The first token of that name; options for the init program come after
 * "--" and are not the kernel's. */
static bool find_token(const struct facts *facts, const char *name,
		       struct token *ret)
{
	const char *at = facts->cmdline;

	while (at && next_token(&at, ret) && !is_token(ret, "--"))
		if (is_token(ret, name))
			return true;
	return false;
}

static void elevator(const struct advisor *advisor)
{
	struct token token;

	if (find_token(advisor->facts, "elevator=", &token))
		advise(advisor, HOST,
		       "\"%.*s\" does nothing for NVMe and is ignored since 5.0: the scheduler of each disk counts",
		       (int)token.len, token.start);
}

static void irqpoll(const struct advisor *advisor)
{
	struct token token;

	if (find_token(advisor->facts, "irqpoll", &token))
		advise(advisor, HOST,
		       "\"irqpoll\" searches all handlers at every interrupt: it is for badly broken firmware and slows each completion down");
}

static bool token_has(const struct token *token, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= token->len; i++)
		if (memcmp(token->start + i, word, n) == 0)
			return true;
	return false;
}

/* Vectors that could go to a CPU that is not isolated, and need not now. */
static bool has_mixed_vector(const struct facts *facts)
{
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
		VEC_EACH(&ctrl->vectors, struct vector, it)
			if (num_or(it->managed, 0) &&
			    cpuset_intersects(&it->mask, &facts->isolated) &&
			    !cpuset_is_subset(&it->mask, &facts->isolated))
				return true;
	return false;
}

static void isolcpus(const struct advisor *advisor)
{
	struct token token;

	if (has_mixed_vector(advisor->facts) &&
	    find_token(advisor->facts, "isolcpus=", &token) &&
	    !token_has(&token, "managed_irq"))
		advise(advisor, HOST,
		       "\"%.*s\" is without managed_irq: queues that isolated CPUs share with others may interrupt the isolated ones",
		       (int)token.len, token.start);
}

static void numa_off(const struct advisor *advisor)
{
	struct token token;

	if (find_token(advisor->facts, "numa=off", &token))
		advise(advisor, HOST,
		       "\"numa=off\" hides the nodes and changes no distance: where memory and drives are cannot be told");
}

static void hands_off(const struct advisor *advisor)
{
	struct token token;

	if (find_token(advisor->facts, "pcie_aspm=off", &token))
		advise(advisor, HOST,
		       "\"pcie_aspm=off\" does not turn ASPM off: the kernel leaves what the firmware set, possibly on; pcie_aspm.policy=performance turns it off");
}

/* A word of guides that no kernel knows; options of modules are looked at in
 * advice_boot.c. */
static void unknown_tokens(const struct advisor *advisor)
{
	struct token token;

	if (find_token(advisor->facts, "rcu_nohz_full=", &token))
		advise(advisor, HOST,
		       "\"%.*s\": no kernel knows this; rcu_nocbs= may be meant",
		       (int)token.len, token.start);
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "iommu.strict",
		   .severity = "info",
		   .confidence = "likely",
		   .summary = "the IOMMU flushes after every unmap",
		   .evidence =
			   "The IOMMU group of a drive has the type DMA.  Kernels that know no DMA-FQ (before 5.15, but for backports) call lazy groups so, too.",
		   .remedy =
			   "Measure first; iommu.strict=0 flushes lazily, iommu=pt bypasses: both give up isolation between devices.",
		   .source =
			   "drivers/iommu/iommu.c, iommu_group_show_type(); kernel-parameters.txt, iommu.strict" },
	  .check_host = strict_iommu },
	{ .doc = { .id = "irqbalance.running",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "irqbalance runs beside managed vectors",
		   .evidence =
			   "The service is running, and was not called with --banmod=nvme.",
		   .remedy =
			   "None needed for the queues: its log lines about these vectors are harmless.  irqbalance = ban-nvme keeps it from the admin vectors, too.",
		   .source =
			   "kernel/irq/proc.c, write_irq_affinity(): managed vectors refuse" },
	  .check_host = irqbalance },
	{ .doc = { .id = "cmdline.elevator",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "elevator= on the command line does nothing",
		   .evidence = "The token is in /proc/cmdline.",
		   .remedy = "Take it out; queue.scheduler sets it.",
		   .source = "block/elevator.c, elevator_setup()" },
	  .check_host = elevator },
	{ .doc = { .id = "cmdline.irqpoll",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "irqpoll slows every interrupt down",
		   .evidence = "The token is in /proc/cmdline.",
		   .remedy = "Take it out, unless interrupts are lost without.",
		   .source = "kernel-parameters.txt, irqpoll" },
	  .check_host = irqpoll },
	{ .doc = { .id = "cmdline.isolcpus",
		   .severity = "info",
		   .confidence = "certain",
		   .summary =
			   "isolcpus= leaves managed vectors on isolated CPUs",
		   .evidence =
			   "isolcpus= without managed_irq is in /proc/cmdline, and a queue vector's mask holds isolated and other CPUs.",
		   .remedy =
			   "isolcpus=managed_irq,domain,...: best effort, see irq.isolated.",
		   .source = "kernel-parameters.txt, isolcpus" },
	  .check_host = isolcpus },
	{ .doc = { .id = "cmdline.numa-off",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "numa=off hides the host's nodes",
		   .evidence = "The token is in /proc/cmdline.",
		   .remedy =
			   "Take it out; how many nodes a socket has is a setting of the firmware (NPS, SNC).",
		   .source = "Documentation/arch/x86/x86_64/boot-options.rst" },
	  .check_host = numa_off },
	{ .doc = { .id = "aspm.hands-off",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "pcie_aspm=off leaves ASPM as the firmware set it",
		   .evidence = "The token is in /proc/cmdline.",
		   .remedy =
			   "pcie_aspm.policy=performance, or the firmware's own setting.",
		   .source =
			   "kernel-parameters.txt, pcie_aspm; drivers/pci/pcie/aspm.c" },
	  .check_host = hands_off },
	{ .doc = { .id = "cmdline.unknown",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "the command line has a word that no kernel knows",
		   .evidence =
			   "A token of /proc/cmdline is in the list of names that guides made up.",
		   .remedy = "Write what was meant.",
		   .source = "kernel-parameters.txt" },
	  .check_host = unknown_tokens },
};

const struct advice_rows advice_host = ADVICE_ROWS(rows);
