/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says in words why a document does not fit its RELAX NG schema. The validator decides whether it
 * fits; its messages do not say what would be right, and these do:
 *
 *     unknown element <nod> in <code>; it may contain: node, loop
 *     <node> has no attribute 'clas'; it takes: name, class, after
 *     <node> needs the attribute 'class'
 *     <source> has kind="rumour", but that must be one of: measured, published
 *     <class> has issue="-1"; lambda, cycles per warp instruction: a decimal number above 0
 *
 * The last form quotes the attribute's <a:documentation> from the schema. Internal to the library.
 */
#ifndef PIPESIM_BASE_SCHEMA_H
#define PIPESIM_BASE_SCHEMA_H

#include "base/xml.h"

/* Sets *error to the first such reason in document order. FALSE, and *error untouched, where it
 * finds none: then the validator's own message has to do. */
gboolean ps_schema_explain(const PsXmlSchema *schema, const xmlDoc *doc, GError **error);

#endif
