/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of attributes against <value>, <data>, <choice> and <ref> patterns. Types and facets are
 * judged by libxml2's XML Schema types, as its validator judges them.
 */
#include "base/schema-value.h"
#include "base/xml.h"
#include <libxml/xmlschemastypes.h>
#include <string.h>

#define RNG_NS "http://relaxng.org/ns/structure/1.0"
#define XSD_NS "http://www.w3.org/2001/XMLSchema"

static xmlNode *pattern_from(xmlNode *node)
{
    while (node && !(node->type == XML_ELEMENT_NODE && node->ns &&
                     strcmp((const char *)node->ns->href, RNG_NS) == 0))
        node = node->next;
    return node;
}

xmlNode *ps_pattern_first(const xmlNode *parent)
{
    return pattern_from(parent->children);
}

xmlNode *ps_pattern_next(const xmlNode *pattern)
{
    return pattern_from(pattern->next);
}

static const xmlNode *define_of(GHashTable *defines, const xmlNode *ref)
{
    g_autofree char *name = ps_xml_text(ref, "name");
    return name ? g_hash_table_lookup(defines, name) : NULL;
}

/* ---- <data> -------------------------------------------------------------------------------- */

static gboolean facet_type(const char *name, xmlSchemaTypeType *type)
{
    static const struct {
        const char *name;
        xmlSchemaTypeType type;
    } facets[] = {
        {"minInclusive", XML_SCHEMA_FACET_MININCLUSIVE},
        {"minExclusive", XML_SCHEMA_FACET_MINEXCLUSIVE},
        {"maxInclusive", XML_SCHEMA_FACET_MAXINCLUSIVE},
        {"maxExclusive", XML_SCHEMA_FACET_MAXEXCLUSIVE},
        {"pattern", XML_SCHEMA_FACET_PATTERN},
        {"minLength", XML_SCHEMA_FACET_MINLENGTH},
        {"maxLength", XML_SCHEMA_FACET_MAXLENGTH},
    };
    for (guint i = 0; i < G_N_ELEMENTS(facets); i++) {
        if (g_strcmp0(facets[i].name, name) == 0) {
            *type = facets[i].type;
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean param_allows(const xmlNode *param, xmlSchemaType *type, const char *text,
                             xmlSchemaVal *value)
{
    g_autofree char *name = ps_xml_text(param, "name");
    g_autofree char *limit = ps_xml_content(param);
    xmlSchemaTypeType kind;
    if (!facet_type(name, &kind))
        return TRUE;
    xmlSchemaFacet *facet = xmlSchemaNewFacet();
    facet->type = kind;
    facet->value = BAD_CAST limit;
    gboolean allowed = xmlSchemaCheckFacet(facet, type, NULL, NULL) != 0 ||
                       xmlSchemaValidateFacet(type, facet, BAD_CAST text, value) == 0;
    xmlSchemaFreeFacet(facet);
    return allowed;
}

static gboolean data_allows(const xmlNode *data, const char *text)
{
    g_autofree char *name = ps_xml_text(data, "type");
    xmlSchemaType *type = xmlSchemaGetPredefinedType(BAD_CAST name, BAD_CAST XSD_NS);
    if (!type)
        return TRUE;
    xmlSchemaVal *value = NULL;
    gboolean allowed = xmlSchemaValidatePredefinedType(type, BAD_CAST text, &value) == 0;
    for (xmlNode *param = ps_pattern_first(data); allowed && param; param = ps_pattern_next(param))
        allowed = param_allows(param, type, text, value);
    xmlSchemaFreeValue(value);
    return allowed;
}

/* ---- patterns ------------------------------------------------------------------------------ */

static gboolean pattern_allows(GHashTable *defines, const xmlNode *pattern, const char *text)
{
    if (ps_xml_is(pattern, "value")) {
        g_autofree char *word = ps_xml_content(pattern);
        return strcmp(word, text) == 0;
    }
    if (ps_xml_is(pattern, "data"))
        return data_allows(pattern, text);
    const xmlNode *define = pattern;
    if (ps_xml_is(pattern, "ref"))
        define = define_of(defines, pattern);
    else if (!ps_xml_is(pattern, "choice"))
        return TRUE;
    for (xmlNode *one = define ? ps_pattern_first(define) : NULL; one; one = ps_pattern_next(one)) {
        if (pattern_allows(defines, one, text))
            return TRUE;
    }
    return !define;
}

gboolean ps_pattern_allows(GHashTable *defines, const xmlNode *attribute, const char *value)
{
    const xmlNode *pattern = ps_pattern_first(attribute);
    return !pattern || pattern_allows(defines, pattern, value);
}

/* FALSE where the pattern holds anything but words. */
static gboolean add_words(GHashTable *defines, const xmlNode *pattern, GString *words)
{
    if (ps_xml_is(pattern, "value")) {
        g_autofree char *word = ps_xml_content(pattern);
        g_string_append_printf(words, "%s%s", words->len ? ", " : "", word);
        return TRUE;
    }
    const xmlNode *define = ps_xml_is(pattern, "ref") ? define_of(defines, pattern) : pattern;
    if (!define || (define == pattern && !ps_xml_is(pattern, "choice")))
        return FALSE;
    for (xmlNode *one = ps_pattern_first(define); one; one = ps_pattern_next(one)) {
        if (!add_words(defines, one, words))
            return FALSE;
    }
    return TRUE;
}

char *ps_pattern_values(GHashTable *defines, const xmlNode *attribute)
{
    const xmlNode *pattern = ps_pattern_first(attribute);
    g_autoptr(GString) words = g_string_new(NULL);
    if (!pattern || !add_words(defines, pattern, words) || words->len == 0)
        return NULL;
    return g_strdup(words->str);
}

static char *documentation_in(const xmlNode *node)
{
    for (const xmlNode *child = ps_xml_first(node); child; child = ps_xml_next(child)) {
        if (ps_xml_is(child, "documentation"))
            return ps_xml_content(child);
    }
    return NULL;
}

char *ps_pattern_documentation(GHashTable *defines, const xmlNode *attribute)
{
    g_autofree char *own = documentation_in(attribute);
    const xmlNode *pattern = ps_pattern_first(attribute);
    const xmlNode *define =
        pattern && ps_xml_is(pattern, "ref") ? define_of(defines, pattern) : NULL;
    g_autofree char *type = define ? documentation_in(define) : NULL;
    if (own && type)
        return g_strdup_printf("%s %s", own, type);
    return own ? g_steal_pointer(&own) : g_steal_pointer(&type);
}
