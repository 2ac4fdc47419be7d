/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements, attributes and places of a document that base/xml-load.c has read and validated.
 */
#include "base/xml.h"
#include <string.h>

/* An element's _private holds its line, left there by the reader, and above these bits which of the
 * document's other files it is from; no file has as many lines. The document's _private holds the
 * names of these files. */
#define LINE_BITS 24

static guint file_of(const xmlNode *element)
{
    return GPOINTER_TO_UINT(element->_private) >> LINE_BITS;
}

PsPlace ps_xml_place(const xmlNode *element)
{
    const guint line = GPOINTER_TO_UINT(element->_private) & ((1U << LINE_BITS) - 1),
                file = file_of(element);
    const GPtrArray *others = element->doc ? element->doc->_private : NULL;
    const char *own = element->doc ? (const char *)element->doc->URL : NULL;
    return (PsPlace){file > 0 ? others->pdata[file - 1] : own, (int)line};
}

gboolean ps_xml_is_own(const xmlNode *element)
{
    return file_of(element) == 0;
}

void ps_xml_set_file(xmlNode *element, guint file)
{
    const guint line = (guint)ps_xml_place(element).line;
    element->_private = GUINT_TO_POINTER(file << LINE_BITS | line);
    for (xmlNode *child = ps_xml_first(element); child; child = ps_xml_next(child))
        ps_xml_set_file(child, file);
}

void ps_xml_free(xmlDoc *doc)
{
    if (doc && doc->_private)
        g_ptr_array_unref(doc->_private);
    xmlFreeDoc(doc);
}

gboolean ps_xml_is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *element_from(xmlNode *node)
{
    while (node && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

xmlNode *ps_xml_first(const xmlNode *parent)
{
    return element_from(parent->children);
}

xmlNode *ps_xml_next(const xmlNode *element)
{
    return element_from(element->next);
}

char *ps_xml_text(const xmlNode *element, const char *attribute)
{
    xmlChar *value = xmlGetNoNsProp(element, BAD_CAST attribute);
    char *text = ps_text_clean((const char *)value);
    xmlFree(value);
    return text;
}

char *ps_xml_content(const xmlNode *element)
{
    xmlChar *content = xmlNodeGetContent(element);
    g_autofree char *clean = ps_text_clean(content ? (const char *)content : "");
    GString *text = g_string_new(NULL);
    xmlFree(content);
    for (const char *at = clean; *at;) {
        gsize blanks = strspn(at, " \t\r\n");
        gsize word = strcspn(at + blanks, " \t\r\n");
        if (word > 0 && text->len > 0)
            g_string_append_c(text, ' ');
        g_string_append_len(text, at + blanks, (gssize)word);
        at += blanks + word;
    }
    return g_string_free(text, FALSE);
}

gboolean ps_xml_int(const xmlNode *element, const char *attribute, gint64 min, gint64 max,
                    gint64 *value, GError **error)
{
    g_autofree char *text = ps_xml_text(element, attribute);
    if (!text || g_ascii_string_to_signed(text, 10, min, max, value, NULL))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                "%s=\"%s\" of <%s> must be a whole number from %" G_GINT64_FORMAT
                " to %" G_GINT64_FORMAT,
                attribute, text, (const char *)element->name, min, max);
    return FALSE;
}

gboolean ps_xml_decimal(const xmlNode *element, const char *attribute, PsRational *value,
                        GError **error)
{
    g_autofree char *text = ps_xml_text(element, attribute);
    if (!text || ps_rational_parse(text, value))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                "%s=\"%s\" of <%s> must be a decimal number such as 12 or 0.25, with at most 9 "
                "digits after the point",
                attribute, text, (const char *)element->name);
    return FALSE;
}
