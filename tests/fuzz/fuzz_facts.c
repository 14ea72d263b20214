/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "core/binding.h"
#include "knobs/knob_list.h"
#include "render/files.h"
#include "sys/profile_file.h"
#include "json/facts_json.h"
#include "json/plan_json.h"
#include "json/read.h"
#include "json/redact.h"

/* Everything that a plan can turn on a saved host. */
static const char profile_text[] = "[drives]\n"
				   "queue.scheduler = none\n"
				   "queue.nr_requests = max\n"
				   "queue.io_timeout = 30s\n"
				   "queue.max_sectors_kb = max\n"
				   "queue.read_ahead_kb = 0\n"
				   "queue.iostats = 0\n"
				   "[drives some]\n"
				   "match.model = S*\n"
				   "match.node = !0\n"
				   "queue.rq_affinity = 2\n"
				   "[host]\n"
				   "module.nvme.poll_queues = 25%\n"
				   "module.nvme_core.io_timeout = 60\n";

static void must(int yes)
{
	if (!yes)
		abort();
}

static void expect_harmless(const char *line)
{
	must(*line != '\0');
	while (*line) {
		unsigned int n = escape_utf8_len(line);

		must(n > 0);
		line += n;
	}
}

static void expect_json(struct arena *arena, const struct strbuf *text)
{
	struct json_node root;

	must(json_parse(arena, text->text, text->len, &root, NULL) == 0);
}

static void plan_from(struct arena *arena, const struct facts *facts)
{
	struct problems problems = { .arena = arena };
	struct profile profile = { 0 };
	struct plan plan = { 0 };
	struct strbuf text;
	struct plan_input input = {
		.facts = facts,
		.profile = &profile,
		.knobs = knobs_all(),
	};

	must(profile_read(arena, knobs_all(), "f", "f.ini", profile_text,
			  sizeof(profile_text) - 1, &profile, &problems) == 0);
	if (plan_build(arena, &input, &plan, &problems) < 0) {
		must(problems.lines.n > 0);
		return;
	}
	render_files(arena, facts, NULL, &plan);
	strbuf_init(&text, arena);
	plan_to_json(&plan, facts, &text);
	expect_json(arena, &text);
}

static void bind_to(struct arena *arena, const struct facts *facts)
{
	struct binding binding;

	VEC_EACH(&facts->namespaces, const struct ns, ns)
		if (binding_of_ns(arena, facts, ns, &binding, NULL) == 0)
			must(!cpuset_is_empty(&binding.cpus));
}

/*
 * A refusal is one line that is safe to print.  What is accepted is written
 * and read to the same again, can be planned from, and can be redacted.
 */
int fuzz_facts(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct strbuf text, twice;
	struct facts facts, again;
	struct err err = { 0 };

	if (facts_from_json(arena, (const char *)data, size, &facts, &err) <
	    0) {
		expect_harmless(err.text);
		arena_free(arena);
		return 0;
	}
	strbuf_init(&text, arena);
	strbuf_init(&twice, arena);
	facts_to_json(&facts, &text);
	must(facts_from_json(arena, text.text, text.len, &again, &err) == 0);
	facts_to_json(&again, &twice);
	must(strcmp(text.text, twice.text) == 0);
	bind_to(arena, &facts);
	plan_from(arena, &facts);
	facts_redact(arena, &facts);
	strbuf_reset(&text);
	facts_to_json(&facts, &text);
	expect_json(arena, &text);
	arena_free(arena);
	return 0;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_facts(data, size);
}
#endif
