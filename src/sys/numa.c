/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/numa.h"

#include <errno.h>
#include <limits.h>
#include <numaif.h>
#include <sched.h>

#include "base/cpuset.h"
#include "base/err.h"
#include "core/binding.h"

#define LONG_BITS (CHAR_BIT * sizeof(unsigned long))

/* A fixed cpu_set_t ends at CPU 1023; the kernel ignores bits beyond its own
 * width, so the widest set that we can hold is always right. */
static int bind_cpus(const struct cpuset *cpus, struct err *err)
{
	cpu_set_t *mask = CPU_ALLOC(CPUSET_LAST + 1);
	size_t size = CPU_ALLOC_SIZE(CPUSET_LAST + 1);
	int r;

	if (!mask)
		return err_set(err, -ENOMEM, "out of memory");
	CPU_ZERO_S(size, mask);
	CPUSET_EACH(cpus, cpu)
		CPU_SET_S(cpu, size, mask);
	r = sched_setaffinity(0, size, mask) < 0 ? -errno : 0;
	CPU_FREE(mask);
	if (r == -EINVAL)
		return err_set(
			err, r,
			"cannot bind to CPUs: none of them is online and in the cpuset of this process");
	if (r < 0)
		return err_errno(err, r, "cannot bind to CPUs");
	return 0;
}

static int memory_refused(const struct binding *binding, int code,
			  struct err *err)
{
	long long node = binding->memory_node;

	switch (-code) {
	case EPERM:
		(void)err_set(
			err, code,
			"only CPUs are bound: memory policies are not permitted here (a container needs CAP_SYS_NICE or a seccomp profile that allows set_mempolicy)");
		break;
	case ENOSYS:
		(void)err_set(
			err, code,
			"only CPUs are bound: this kernel has no memory policies");
		break;
	case EINVAL:
		(void)err_set(
			err, code,
			"only CPUs are bound: node %lld has no memory that this process may use",
			node);
		break;
	default:
		(void)err_errno(
			err, code,
			"only CPUs are bound: cannot bind memory to node %lld",
			node);
		break;
	}
	return 1;
}

static int bind_memory(const struct binding *binding, struct err *err)
{
	unsigned long mask[CPUSET_LAST / LONG_BITS + 1] = { 0 };
	unsigned long node;
	int mode = binding->memory_preferred ? MPOL_PREFERRED : MPOL_BIND;

	if (binding->memory_node == BINDING_NO_NODE)
		return 0;
	if (binding->memory_node < 0 || binding->memory_node > CPUSET_LAST)
		return err_set(err, -EINVAL, "no node %lld",
			       (long long)binding->memory_node);
	node = (unsigned long)binding->memory_node;
	mask[node / LONG_BITS] = 1UL << node % LONG_BITS;
	/* The kernel looks at one bit less than it is told. */
	if (set_mempolicy(mode, mask, node + 2) < 0)
		return memory_refused(binding, -errno, err);
	return 0;
}

int numa_bind_thread(const struct binding *binding, struct err *err)
{
	int r = bind_cpus(&binding->cpus, err);

	return r < 0 ? r : bind_memory(binding, err);
}
