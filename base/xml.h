/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading the project's XML files: parse, validate against a RELAX NG schema, and read attributes,
 * with errors that name file, line, what is wrong and what would be right. Internal to the library.
 *
 * Nothing outside the file is ever loaded here: a document type declaration is an error, and so are
 * entities (other than XML's own five), external or not. A file is at most PS_FILE_MAX_BYTES long
 * (base/file.h) and has at most PS_XML_MOST_PARTS, is UTF-8, and stays below limits that no file
 * written in earnest reaches. Time and memory grow with its length at most in proportion, but the
 * tree may take many times the length: as many of the shortest elements as are allowed make up to
 * some 600 MB.
 */
#ifndef PIPESIM_BASE_XML_H
#define PIPESIM_BASE_XML_H

#include "base/message.h"
#include "base/rational.h"
#include <libxml/tree.h>

/* Most elements and attributes of a file, in all. */
#define PS_XML_MOST_PARTS (1 << 21)

/* A schema as it ships inside the library. */
typedef struct {
    const char *name; /* for messages: "idg", "gpu" */
    const char *text; /* the RELAX NG schema in its XML syntax, zero-terminated */
    const char *root; /* name of the root element */
    const char *ns;   /* its namespace */
} PsXmlSchema;

/* Reads and validates the file at path ("-" is standard input). The caller frees the document with
 * ps_xml_free. NULL and *error on failure. */
xmlDoc *ps_xml_load(const char *path, const PsXmlSchema *schema, GError **error);

/* The same for a text in memory; name stands for the file in messages. */
xmlDoc *ps_xml_load_memory(const char *text, gsize length, const char *name,
                           const PsXmlSchema *schema, GError **error);

/* The steps of ps_xml_parse one by one, to put a document together from several files. */
xmlDoc *ps_xml_parse(const char *text, gsize length, const char *name, GError **error);
gboolean ps_xml_validate(xmlDoc *doc, const PsXmlSchema *schema, GError **error);

/* TRUE if a document's text is short enough to be read. */
gboolean ps_xml_fits(const char *text, gsize length);

void ps_xml_free(xmlDoc *doc); /* NULL is fine */

/* The place of an element, for ps_error_at; borrowed from the document. */
PsPlace ps_xml_place(const xmlNode *element);

/* Whether an element is from the file that the document is named after, not from another file whose
 * content was put into it. */
gboolean ps_xml_is_own(const xmlNode *element);

/* Marks an element and all in it as from the document's file of that number: 0 is its own, 1 the
 * first name in its _private, a GPtrArray (ps_xml_free ends it) of at most 100. */
void ps_xml_set_file(xmlNode *element, guint file);

/* TRUE for an element of that local name (in any namespace: the schema has checked it). */
gboolean ps_xml_is(const xmlNode *node, const char *name);

/* First child element, next sibling element; NULL at the end. Text and comments are passed over. */
xmlNode *ps_xml_first(const xmlNode *parent);
xmlNode *ps_xml_next(const xmlNode *element);

/* Attribute as a new string (g_free), NULL if it is absent. Here and in ps_xml_content, control
 * characters become blanks, since a file's text will be shown on terminals. */
char *ps_xml_text(const xmlNode *element, const char *attribute);

/* The element's text content with surrounding and repeated white space collapsed (g_free). */
char *ps_xml_content(const xmlNode *element);

/* Attribute as a whole number in min..max, or as an exact decimal. An absent attribute leaves
 * *value alone and is no error. FALSE and *error, at the element's place, when it is not one. */
gboolean ps_xml_int(const xmlNode *element, const char *attribute, gint64 min, gint64 max,
                    gint64 *value, GError **error);
gboolean ps_xml_decimal(const xmlNode *element, const char *attribute, PsRational *value,
                        GError **error);

#endif
