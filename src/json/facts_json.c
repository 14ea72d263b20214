/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/facts_json.h"

#include <errno.h>

#include "base/err.h"
#include "base/parse.h"
#include "json/facts_fields.h"
#include "json/fields.h"

void facts_to_json(const struct facts *facts, struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", FACTS_SCHEMA);
	fields_encode(facts_fields(), facts, &json);
	json_end(&json);
}

int facts_from_json(struct arena *arena, const char *text, size_t len,
		    struct facts *ret, struct err *err)
{
	struct facts facts = { 0 };
	struct json_node node;
	const char *schema;
	int r;

	r = json_parse(arena, text, len, &node, err);
	if (r < 0)
		return r;
	schema = json_member_text(&node, "schema");
	if (!text_equal(schema, FACTS_SCHEMA))
		return err_set(err, -EPROTONOSUPPORT,
			       "the schema is %s%s%s instead of \"%s\"",
			       schema ? "\"" : "", schema ? schema : "missing",
			       schema ? "\"" : "", FACTS_SCHEMA);
	r = fields_decode(arena, facts_fields(), &node, &facts, err);
	if (r < 0)
		return r;
	*ret = facts;
	return 0;
}
