/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/team.h"

#include "base/arena.h"

int bench_team_open(struct bench_team *team, struct arena *arena,
		    const struct bench_session_config *config,
		    const struct bench_shape *shape,
		    const struct bench_seat *seats, size_t n, struct err *err)
{
	int r;

	*team = (struct bench_team){
		.n = n,
		.groups = arena_array(arena, n, sizeof(*team->groups)),
		.jobs = arena_array(arena, n, sizeof(*team->jobs)),
		.methods = arena_array(arena, n, sizeof(*team->methods)),
	};
	r = bench_session_new(&team->session, arena, config, err);
	for (size_t i = 0; i < n && r == 0; i++) {
		r = bench_session_add(team->session, &seats[i].drive,
				      &seats[i].binding, shape,
				      &team->groups[i], err);
		if (r < 0)
			break;
		team->methods[i] =
			bench_session_method(team->session, team->groups[i]);
		team->jobs[i] = team->methods[i].jobs;
	}
	if (r == 0)
		r = bench_session_run(team->session, team->groups, n, err);
	return r;
}

void bench_team_close(struct bench_team *team)
{
	bench_session_freep(&team->session);
	team->session = NULL;
}

int bench_team_measure(void *data, struct bench_slice *slices, struct err *err)
{
	const struct bench_team *team = data;

	return bench_session_measure(team->session, team->groups, team->n,
				     slices, err);
}
