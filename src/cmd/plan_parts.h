/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/out.h"
#include "cmd/plan_text.h"

/* Between the files that write a plan as a page. */

#define PLAN_LABEL 10U /* columns of the word a paragraph begins with */

void plan_put_label(struct strbuf *sb, const struct plan_view *view,
		    enum tone tone, const char *word);
/* Wrapped, and the end of the line. */
void plan_put_text(struct strbuf *sb, const struct plan_view *view,
		   unsigned int indent, const char *text);
/* "warning   nvme2: the link ..." */
void plan_put_paragraph(struct strbuf *sb, const struct plan_view *view,
			enum tone tone, const char *word, const char *text);

/* What differs, and what is as wanted. */
void plan_put_changes(struct strbuf *sb, const struct plan_view *view);
void plan_put_keeps(struct strbuf *sb, const struct plan_view *view);
