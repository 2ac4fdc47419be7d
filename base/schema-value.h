/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns of a RELAX NG schema in its XML form: moving among them, and what an <attribute> pattern
 * says of a value. Internal to base/schema.c.
 *
 * defines maps the name of a <define> to its node.
 */
#ifndef PIPESIM_BASE_SCHEMA_VALUE_H
#define PIPESIM_BASE_SCHEMA_VALUE_H

#include <glib.h>
#include <libxml/tree.h>

/* First pattern in a node, next one after it; annotations are passed over. */
xmlNode *ps_pattern_first(const xmlNode *parent);
xmlNode *ps_pattern_next(const xmlNode *pattern);

/* FALSE if the attribute's pattern certainly does not allow value. */
gboolean ps_pattern_allows(GHashTable *defines, const xmlNode *attribute, const char *value);

/* "measured, published" where the pattern is a choice of words, else NULL. Free with g_free. */
char *ps_pattern_values(GHashTable *defines, const xmlNode *attribute);

/* The attribute's <a:documentation>, or that of the <define> that its value refers to, on one line;
 * NULL if there is none. Free with g_free. */
char *ps_pattern_documentation(GHashTable *defines, const xmlNode *attribute);

#endif
