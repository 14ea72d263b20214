/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/users.h"

#include <string.h>

#include "base/parse.h"

static const char *mounted(struct arena *arena, const struct ns *ns,
			   const char *device)
{
	VEC_EACH(&ns->mounts, struct mount, mount)
		if (!device || text_equal(mount->device, device))
			return arena_printf(arena, "mounted on %s",
					    mount->where);
	return NULL;
}

/* The nearest user first: what is mounted may be far above the drive. */
static const char *user_of(struct arena *arena, const struct ns *ns)
{
	if (ns->holders.n) {
		const char *holder = ns->holders.items[0];
		const char *use = mounted(arena, ns, NULL);

		return arena_printf(arena, "%s is a member of %s%s%s%s",
				    ns->name, holder, use ? " (" : "",
				    use ? use : "", use ? ")" : "");
	}
	if (ns->mounts.n)
		return arena_printf(arena, "%s is %s",
				    ns->mounts.items[0].device,
				    mounted(arena, ns, NULL));
	if (ns->swaps.n)
		return arena_printf(arena, "%s is swap space",
				    ns->swaps.items[0]);
	return NULL;
}

const char *users_of_drives(struct arena *arena, const struct facts *facts)
{
	VEC_EACH(&facts->namespaces, struct ns, ns) {
		const struct ctrl *ctrl = facts_ns_ctrl(facts, ns);
		const char *user;

		if (ctrl && !text_equal(ctrl->transport, "pcie"))
			continue;
		user = user_of(arena, ns);
		if (user)
			return user;
	}
	return NULL;
}
