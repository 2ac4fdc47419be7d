/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says why a document breaks its schema. It walks the document beside the XML form of the schema,
 * in which an element's pattern is an ordinary tree: an element may hold all that its tree holds
 * down to the next <element>, through <ref>s. Names, obligations and values are what people get
 * wrong; order and counts are left to the validator. It runs only for documents that the validator
 * has rejected.
 */
#include "base/schema.h"
#include "base/schema-value.h"
#include <string.h>

/* An attribute or element that may stand in an element. */
typedef struct {
    const char *name;    /* borrowed from the schema's document */
    GPtrArray *patterns; /* its <attribute> or <element> nodes, of several choices */
    guint required;      /* number of the element's own patterns that require it */
    gboolean repeated;   /* may stand more than once */
} Member;

/* The allowed content of an element, by all patterns that it could have been meant to match. */
typedef struct {
    GPtrArray *attributes; /* Member */
    GPtrArray *elements;   /* Member */
    gboolean text;
    gboolean some_element; /* one of several elements must be there */
    gboolean any_order;    /* of the elements */
    guint n_patterns;
} Content;

/* How often a pattern must and may match. */
typedef struct {
    gboolean required; /* at least once */
    gboolean repeated; /* more than once */
} Times;

typedef struct {
    const PsXmlSchema *schema;
    xmlDoc *rng;
    GHashTable *defines; /* name of a <define> -> node */
    GError **error;
} Walk;

static void member_free(void *data)
{
    Member *member = data;
    g_ptr_array_unref(member->patterns);
    g_free(member);
}

static Content *content_new(void)
{
    Content *content = g_new0(Content, 1);
    content->attributes = g_ptr_array_new_with_free_func(member_free);
    content->elements = g_ptr_array_new_with_free_func(member_free);
    return content;
}

static void content_free(Content *content)
{
    g_ptr_array_unref(content->attributes);
    g_ptr_array_unref(content->elements);
    g_free(content);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Content, content_free)

static Member *find_member(const GPtrArray *members, const char *name)
{
    for (guint i = 0; i < members->len; i++) {
        Member *member = g_ptr_array_index(members, i);
        if (strcmp(member->name, name) == 0)
            return member;
    }
    return NULL;
}

/* Schemas here name elements and attributes with name="..." only, which the document outlives. */
static const char *name_of(const xmlNode *pattern)
{
    const xmlAttr *name = xmlHasProp(pattern, BAD_CAST "name");
    return name && name->children ? (const char *)name->children->content : "";
}

static void add_member(GPtrArray *members, xmlNode *pattern, Times times)
{
    Member *member = find_member(members, name_of(pattern));
    if (!member) {
        member = g_new0(Member, 1);
        member->name = name_of(pattern);
        member->patterns = g_ptr_array_new();
        g_ptr_array_add(members, member);
    }
    g_ptr_array_add(member->patterns, pattern);
    member->required += times.required ? 1 : 0;
    member->repeated |= times.repeated || member->patterns->len > 1;
}

/* TRUE for a choice between elements alone. */
static gboolean is_some_element(const Walk *walk, const xmlNode *pattern)
{
    if (ps_xml_is(pattern, "element"))
        return TRUE;
    const xmlNode *of = pattern;
    if (ps_xml_is(pattern, "ref"))
        of = g_hash_table_lookup(walk->defines, name_of(pattern));
    else if (!ps_xml_is(pattern, "choice"))
        return FALSE;
    const xmlNode *one = of ? ps_pattern_first(of) : NULL;
    while (one && is_some_element(walk, one))
        one = ps_pattern_next(one);
    return of && !one;
}

static void collect_children(const Walk *walk, const xmlNode *pattern, Times times,
                             Content *content);

static void collect(const Walk *walk, xmlNode *pattern, Times times, Content *content)
{
    if (ps_xml_is(pattern, "element")) {
        add_member(content->elements, pattern, times);
    } else if (ps_xml_is(pattern, "attribute")) {
        add_member(content->attributes, pattern, times);
    } else if (ps_xml_is(pattern, "ref")) {
        const xmlNode *define = g_hash_table_lookup(walk->defines, name_of(pattern));
        if (define)
            collect_children(walk, define, times, content);
    } else if (ps_xml_is(pattern, "optional") || ps_xml_is(pattern, "choice")) {
        content->some_element |= times.required && is_some_element(walk, pattern);
        content->any_order |= ps_xml_is(pattern, "choice");
        collect_children(walk, pattern, (Times){FALSE, times.repeated}, content);
    } else if (ps_xml_is(pattern, "zeroOrMore")) {
        collect_children(walk, pattern, (Times){FALSE, TRUE}, content);
    } else if (ps_xml_is(pattern, "oneOrMore")) {
        collect_children(walk, pattern, (Times){times.required, TRUE}, content);
    } else if (ps_xml_is(pattern, "group") || ps_xml_is(pattern, "interleave")) {
        content->any_order |= ps_xml_is(pattern, "interleave");
        collect_children(walk, pattern, times, content);
    } else if (!ps_xml_is(pattern, "empty")) {
        content->text = TRUE; /* <text>, <data>, ...; wrong values of them are the validator's */
        collect_children(walk, pattern, times, content);
    }
}

static void collect_children(const Walk *walk, const xmlNode *pattern, Times times,
                             Content *content)
{
    for (xmlNode *child = ps_pattern_first(pattern); child; child = ps_pattern_next(child))
        collect(walk, child, times, content);
}

static Content *content_of(const Walk *walk, const GPtrArray *patterns)
{
    Content *content = content_new();
    content->n_patterns = patterns->len;
    for (guint i = 0; i < patterns->len; i++)
        collect_children(walk, g_ptr_array_index(patterns, i), (Times){TRUE, FALSE}, content);
    return content;
}

static char *list_members(const GPtrArray *members)
{
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < members->len; i++) {
        const Member *member = g_ptr_array_index(members, i);
        g_string_append_printf(list, "%s%s", list->len ? ", " : "", member->name);
    }
    return g_string_free(list, FALSE);
}

static gboolean report(const Walk *walk, const xmlNode *node, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Always TRUE: a reason was found. */
static gboolean report(const Walk *walk, const xmlNode *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ps_error_at(walk->error, PS_ERROR_SYNTAX, ps_xml_place(node), "%s", text);
    return TRUE;
}

static gboolean value_explained(const Walk *walk, const xmlNode *element, const Member *member)
{
    g_autofree char *value = ps_xml_text(element, member->name);
    for (guint i = 0; i < member->patterns->len; i++) {
        if (ps_pattern_allows(walk->defines, g_ptr_array_index(member->patterns, i), value))
            return FALSE;
    }
    const xmlNode *pattern = g_ptr_array_index(member->patterns, 0);
    const char *name = (const char *)element->name;
    g_autofree char *words = ps_pattern_values(walk->defines, pattern);
    if (words)
        return report(walk, element, "<%s> has %s=\"%s\", but that must be %s%s", name,
                      member->name, value, strchr(words, ',') ? "one of: " : "", words);
    g_autofree char *meaning = ps_pattern_documentation(walk->defines, pattern);
    if (meaning)
        return report(walk, element, "<%s> has %s=\"%s\", which is not right for %s: %s", name,
                      member->name, value, member->name, meaning);
    return report(walk, element, "<%s> has %s=\"%s\", which the format does not allow", name,
                  member->name, value);
}

static gboolean attributes_explained(const Walk *walk, const xmlNode *element,
                                     const Content *content)
{
    const char *name = (const char *)element->name;
    for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next) {
        const char *is = (const char *)attribute->name;
        const Member *member = attribute->ns ? NULL : find_member(content->attributes, is);
        if (member && value_explained(walk, element, member))
            return TRUE;
        if (member)
            continue;
        g_autofree char *takes = list_members(content->attributes);
        return report(walk, element, "<%s> has no attribute '%s%s%s'; it takes: %s", name,
                      attribute->ns ? (const char *)attribute->ns->prefix : "",
                      attribute->ns ? ":" : "", is, *takes ? takes : "no attributes");
    }
    for (guint i = 0; i < content->attributes->len; i++) {
        const Member *member = g_ptr_array_index(content->attributes, i);
        if (member->required >= content->n_patterns &&
            !xmlHasNsProp(element, BAD_CAST member->name, NULL))
            return report(walk, element, "<%s> needs the attribute '%s'", name, member->name);
    }
    return FALSE;
}

static gboolean element_explained(const Walk *walk, const xmlNode *element,
                                  const GPtrArray *patterns);

static gboolean child_explained(const Walk *walk, const xmlNode *child, const Content *content)
{
    const char *parent = (const char *)child->parent->name;
    gboolean text = child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE;
    if (text && !content->text && !xmlIsBlankNode(child))
        return report(walk, child->parent, "<%s> holds text, but may hold only elements", parent);
    if (child->type != XML_ELEMENT_NODE)
        return FALSE;
    const char *ns = child->ns ? (const char *)child->ns->href : "";
    const Member *member = find_member(content->elements, (const char *)child->name);
    if (member && strcmp(ns, walk->schema->ns) == 0)
        return element_explained(walk, child, member->patterns);
    if (member)
        return report(walk, child, "<%s> is in the namespace '%s'; it must be in '%s'", child->name,
                      ns, walk->schema->ns);
    g_autofree char *may = list_members(content->elements);
    return report(walk, child, "unknown element <%s> in <%s>; it may contain: %s", child->name,
                  parent, *may ? may : "no elements");
}

/* The element's first child of that name behind `after`, or its first at all for NULL. */
static const xmlNode *find_child(const xmlNode *element, const char *name, const xmlNode *after)
{
    const xmlNode *child = after ? ps_xml_next(after) : ps_xml_first(element);
    while (child && !ps_xml_is(child, name))
        child = ps_xml_next(child);
    return child;
}

/* A child that stands after one that it should stand before. */
static gboolean order_explained(const Walk *walk, const xmlNode *element, const Content *content)
{
    guint reached = 0;
    for (const xmlNode *child = ps_xml_first(element); child; child = ps_xml_next(child)) {
        guint place = 0;
        const Member *member = find_member(content->elements, (const char *)child->name);
        if (content->any_order || !g_ptr_array_find(content->elements, member, &place))
            return FALSE;
        if (place < reached) {
            const Member *later = g_ptr_array_index(content->elements, reached);
            g_autofree char *may = list_members(content->elements);
            return report(walk, child, "<%s> must stand before <%s>; the order in <%s> is: %s",
                          member->name, later->name, element->name, may);
        }
        reached = place;
    }
    return FALSE;
}

static gboolean count_explained(const Walk *walk, const xmlNode *element, const Member *member,
                                guint n_patterns)
{
    const xmlNode *first = find_child(element, member->name, NULL);
    const xmlNode *second = first ? find_child(element, member->name, first) : NULL;
    if (!first && member->required >= n_patterns)
        return report(walk, element, "<%s> needs a <%s> in it", element->name, member->name);
    if (second && !member->repeated)
        return report(walk, second, "<%s> may have only one <%s>", element->name, member->name);
    return FALSE;
}

static gboolean element_explained(const Walk *walk, const xmlNode *element,
                                  const GPtrArray *patterns)
{
    g_autoptr(Content) content = content_of(walk, patterns);
    if (attributes_explained(walk, element, content))
        return TRUE;
    for (const xmlNode *child = element->children; child; child = child->next) {
        if (child_explained(walk, child, content))
            return TRUE;
    }
    for (guint i = 0; i < content->elements->len; i++) {
        const Member *member = g_ptr_array_index(content->elements, i);
        if (count_explained(walk, element, member, content->n_patterns))
            return TRUE;
    }
    if (content->some_element && content->n_patterns == 1 && !ps_xml_first(element)) {
        g_autofree char *may = list_members(content->elements);
        return report(walk, element, "<%s> is empty; it must contain some of: %s", element->name,
                      may);
    }
    return order_explained(walk, element, content);
}

static gboolean root_explained(const Walk *walk, const xmlNode *root)
{
    const PsXmlSchema *schema = walk->schema;
    const char *ns = root->ns ? (const char *)root->ns->href : NULL;
    if (!ps_xml_is(root, schema->root))
        return report(walk, root, "the root element is <%s>, but must be <%s xmlns=\"%s\">",
                      root->name, schema->root, schema->ns);
    if (!ns)
        return report(walk, root, "<%s> needs the attribute xmlns=\"%s\"", root->name, schema->ns);
    if (strcmp(ns, schema->ns) != 0)
        return report(walk, root, "<%s> has the namespace '%s', but must have xmlns=\"%s\"",
                      root->name, ns, schema->ns);
    const xmlNode *start = g_hash_table_lookup(walk->defines, "");
    g_autoptr(Content) content = content_new();
    if (start)
        collect_children(walk, start, (Times){TRUE, FALSE}, content);
    const Member *member = find_member(content->elements, schema->root);
    return member && element_explained(walk, root, member->patterns);
}

/* <start> goes under the name "", which no <define> can have. */
static void index_defines(Walk *walk)
{
    const xmlNode *grammar = xmlDocGetRootElement(walk->rng);
    for (xmlNode *node = ps_pattern_first(grammar); node; node = ps_pattern_next(node))
        g_hash_table_insert(walk->defines, (char *)name_of(node), node);
}

gboolean ps_schema_explain(const PsXmlSchema *schema, const xmlDoc *doc, GError **error)
{
    Walk walk = {schema, NULL, NULL, error};
    walk.rng = xmlReadMemory(schema->text, (int)strlen(schema->text), NULL, NULL,
                             XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (!walk.rng)
        return FALSE;
    walk.defines = g_hash_table_new(g_str_hash, g_str_equal);
    index_defines(&walk);
    gboolean explained = root_explained(&walk, xmlDocGetRootElement(doc));
    g_hash_table_unref(walk.defines);
    xmlFreeDoc(walk.rng);
    return explained;
}
