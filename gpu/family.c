/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Families: what GPUs of an architecture have in common stands once, in a file whose root is
 * <family>; a description, or another family, says extends="NAME" and states the rest. The files
 * become one document before the schema sees it, and each element keeps the place that it is from.
 *
 * What a file states goes before what it extends. Of an element that is there once (<chip>,
 * <limits>, <memory>, ...) the attributes that both state are replaced, and the others keep their
 * source; what has a name (a class, a pipeline, a level, a peak) is replaced as a whole. Sources
 * are never replaced.
 */
#include "base/file.h"
#include "base/source-xml.h"
#include "gpu/internal.h"

#include <string.h>

/* Most files that one description may be made of. */
#define FILES_MOST 16

/* ---- the files ----------------------------------------------------------------------------- */

static gboolean is_name(const char *name)
{
    return *name && strlen(name) <= 200 &&
           name[strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-")] == '\0';
}

/* The file NAME.xml in that folder (g_free); NULL where there is none. */
static char *family_in(const char *folder, const char *name)
{
    g_autofree char *base = g_strconcat(name, ".xml", NULL);
    char *path = strcmp(folder, ".") == 0 ? g_strdup(base) : g_build_filename(folder, base, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return path;
    g_free(path);
    return NULL;
}

/* A family's file: in the folder families beside the file that names it, beside that file, or in
 * one of the folders (g_free). */
static char *find_family(const char *name, const xmlNode *root, const char *const *folders,
                         GError **error)
{
    const PsPlace place = ps_xml_place(root);
    g_autofree char *own = g_path_get_dirname(place.file);
    g_autofree char *beside =
        strcmp(own, ".") == 0 ? g_strdup("families") : g_build_filename(own, "families", NULL);
    if (!is_name(name)) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "extends=\"%s\" must be the name of a family, such as ampere: letters, digits, "
                    "'_' and '-', without folder or ending",
                    name);
        return NULL;
    }
    char *path = family_in(beside, name);
    if (!path)
        path = family_in(own, name);
    for (; !path && folders && *folders; folders++)
        path = family_in(*folders, name);
    if (!path)
        ps_error_at(error, PS_ERROR_READ, place,
                    "there is no family '%s': a file %s.xml was looked for in %s, %s and where "
                    "pipesim keeps its own",
                    name, name, beside, own);
    return path;
}

static xmlDoc *load_family(const char *path, const xmlNode *asks, GError **error)
{
    gsize length;
    g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, &length, error);
    xmlDoc *doc = text ? ps_xml_parse(text, length, path, error) : NULL;
    if (!doc || ps_xml_is(xmlDocGetRootElement(doc), "family"))
        return doc;
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(asks),
                "%s is no family: what others extend has the root element <family>", path);
    ps_xml_free(doc);
    return NULL;
}

/* Refuses a file that would be in the chain twice. */
static gboolean check_chain(const GPtrArray *chain, const char *path, GError **error)
{
    const xmlDoc *last = chain->pdata[chain->len - 1];
    const PsPlace place = ps_xml_place(xmlDocGetRootElement(last));
    for (guint i = 0; i < chain->len; i++) {
        if (strcmp((const char *)((const xmlDoc *)chain->pdata[i])->URL, path) != 0)
            continue;
        g_autoptr(GString) way = g_string_new(path);
        for (i++; i < chain->len; i++)
            g_string_append_printf(way, ", which extends %s",
                                   (const char *)((const xmlDoc *)chain->pdata[i])->URL);
        ps_error_at(
            error, PS_ERROR_VALUE, place,
            "families include each other: this file extends %s%s; one of them must stand by "
            "itself",
            way->str, strcmp((const char *)last->URL, path) != 0 ? "" : ", itself");
        return FALSE;
    }
    if (chain->len < FILES_MOST)
        return TRUE;
    ps_error_at(error, PS_ERROR_LIMIT, place, "this makes a description of more than %d files",
                FILES_MOST);
    return FALSE;
}

/* Adds all families to the chain, which begins with the description's own document. */
static gboolean load_chain(GPtrArray *chain, const char *const *folders, GError **error)
{
    for (;;) {
        const xmlNode *root = xmlDocGetRootElement(chain->pdata[chain->len - 1]);
        g_autofree char *name = ps_xml_text(root, "extends");
        if (!name)
            return TRUE;
        g_autofree char *path = find_family(name, root, folders, error);
        xmlDoc *family =
            path && check_chain(chain, path, error) ? load_family(path, root, error) : NULL;
        if (!family)
            return FALSE;
        g_ptr_array_add(chain, family);
    }
}

/* ---- one document of all ------------------------------------------------------------------- */

/* The attribute that distinguishes elements of a sort; NULL: there is only one. */
static const char *key_of(const xmlNode *element)
{
    static const char *const named[] = {"pipeline", "class", "peak", "level"};
    for (guint i = 0; i < G_N_ELEMENTS(named); i++)
        if (ps_xml_is(element, named[i]))
            return "name";
    return ps_xml_is(element, "default") ? "kind" : NULL;
}

/* The identity of an element among its siblings: "class fadd" (g_free). NULL: nothing can replace
 * the element, for example a source. */
static char *identity(const xmlNode *element)
{
    const char *key = key_of(element);
    g_autofree char *name = key ? ps_xml_text(element, key) : NULL;
    if (ps_xml_is(element, "source"))
        return NULL;
    return g_strconcat((const char *)element->name, " ", name, NULL);
}

/* The families' elements beside each other, by their identities. */
static GHashTable *index_children(const xmlNode *parent)
{
    GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (xmlNode *element = ps_xml_first(parent); element; element = ps_xml_next(element)) {
        char *key = identity(element);
        if (key && !g_hash_table_contains(index, key))
            g_hash_table_insert(index, key, element);
        else
            g_free(key);
    }
    return index;
}

/* The families' element with the same identity; NULL: they have none, or the same file has taken it
 * before and is about to be blamed. */
static xmlNode *take_same(GHashTable *index, const xmlNode *element)
{
    g_autofree char *key = identity(element);
    xmlNode *same = key ? g_hash_table_lookup(index, key) : NULL;
    if (same)
        g_hash_table_remove(index, key);
    return same;
}

/* Moves an element from its document to a new parent. */
static void adopt(xmlNode *parent, xmlNode *element)
{
    xmlDOMWrapAdoptNode(NULL, element->doc, element, parent->doc, parent, 0);
    xmlAddChild(parent, element);
}

static void merge_children(xmlNode *parent, xmlNode *over);

/* Attributes that a file does not state keep their source, though the element gets another one: the
 * attribute's _private holds it, or "" where the family names none. The document owns it. */
static void keep_sources(xmlNode *element, const xmlNode *over)
{
    g_autofree char *source = ps_xml_text(element, "source");
    for (xmlAttr *attribute = element->properties; attribute; attribute = attribute->next)
        if (!attribute->_private && !xmlHasProp(over, attribute->name))
            attribute->_private =
                (void *)xmlDictLookup(element->doc->dict, BAD_CAST(source ? source : ""), -1);
}

/* The attributes of `over` replace the element's, and the element gets the place of `over`. */
static void merge_attributes(xmlNode *element, const xmlNode *over)
{
    keep_sources(element, over);
    for (const xmlAttr *attribute = over->properties; attribute; attribute = attribute->next) {
        xmlChar *value = xmlNodeGetContent((const xmlNode *)attribute);
        /* An attribute of another namespace stays, wrong as it is: it is none of ours. */
        g_autofree char *name =
            g_strconcat(attribute->ns ? "other:" : "", (const char *)attribute->name, NULL);
        xmlAttr *merged = xmlSetProp(element, BAD_CAST name, value);
        if (merged)
            merged->_private = NULL;
        xmlFree(value);
    }
    element->_private = over->_private;
}

static void merge_one(xmlNode *parent, GHashTable *index, xmlNode *element)
{
    xmlNode *same = take_same(index, element);
    if (same && !key_of(element)) {
        if (element->properties)
            merge_attributes(same, element);
        merge_children(same, element);
        return;
    }
    adopt(parent, element);
    if (!same)
        return;
    xmlUnlinkNode(element); /* the new element stands where the replaced one stood */
    xmlReplaceNode(same, element);
    xmlFreeNode(same);
}

static void merge_children(xmlNode *parent, xmlNode *over)
{
    g_autoptr(GHashTable) index = index_children(parent);
    for (xmlNode *element = ps_xml_first(over), *next; element; element = next) {
        next = ps_xml_next(element);
        merge_one(parent, index, element);
    }
}

/* A file that changes figures must say where its own are from, and must change at least one. */
static gboolean check_change(const xmlNode *element, GError **error)
{
    const xmlAttr *first = element->properties;
    const char *wrong = NULL;
    if (!first && !ps_xml_first(element))
        wrong = "overrides nothing: state the attributes that differ, or remove it";
    else if (first && !ps_xml_is(element, "model") && !xmlHasProp(element, BAD_CAST "source"))
        wrong = "changes figures of a family, but does not say where they are from: add 'source'";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "<%s> %s",
                    (const char *)element->name, wrong);
    return !wrong;
}

/* Checks changes of elements that are there once; a named element is replaced, and checked like any
 * other. */
static gboolean check_changes(const xmlNode *root, const xmlNode *over, GError **error)
{
    g_autoptr(GHashTable) index = index_children(root);
    for (const xmlNode *element = ps_xml_first(over); element; element = ps_xml_next(element)) {
        const gboolean once = !key_of(element);
        if (once && take_same(index, element) && !check_change(element, error))
            return FALSE;
    }
    return TRUE;
}

/* Without this check a missing <chip> would be reported as an error of the family. */
static gboolean check_chip(const xmlNode *root, GError **error)
{
    for (const xmlNode *element = ps_xml_first(root); element; element = ps_xml_next(element)) {
        if (!ps_xml_is(element, "chip") || ps_xml_is_own(element) ||
            xmlHasProp(element, BAD_CAST "clock"))
            continue;
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(root),
                    "the families of this card state no clock: add <chip> with 'compute-units', "
                    "'clock' and 'source'");
        return FALSE;
    }
    return TRUE;
}

/* Merges all files into the document of the last family, from the outermost family to the card. */
static gboolean merge_files(const GPtrArray *chain, GPtrArray *files, GError **error)
{
    xmlNode *root = xmlDocGetRootElement(chain->pdata[chain->len - 1]);
    for (guint i = chain->len - 1; i-- > 0;) {
        xmlDoc *over = chain->pdata[i];
        xmlNode *over_root = xmlDocGetRootElement(over);
        over->_private = g_ptr_array_ref(files);
        if (!check_changes(root, over_root, error))
            return FALSE;
        merge_attributes(root, over_root);
        merge_children(root, over_root);
    }
    return TRUE;
}

/* ... and becomes the card's document. */
static gboolean merge(const GPtrArray *chain, GError **error)
{
    const xmlDoc *own = chain->pdata[0];
    xmlDoc *doc = chain->pdata[chain->len - 1];
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    doc->_private = files;
    for (guint i = 1; i < chain->len; i++) {
        g_ptr_array_add(files, g_strdup((const char *)((const xmlDoc *)chain->pdata[i])->URL));
        ps_xml_set_file(xmlDocGetRootElement(chain->pdata[i]), i);
    }
    if (!merge_files(chain, files, error))
        return FALSE;
    xmlNodeSetName(xmlDocGetRootElement(doc), BAD_CAST "gpu");
    xmlFree((xmlChar *)doc->URL);
    doc->URL = xmlStrdup(own->URL);
    return check_chip(xmlDocGetRootElement(doc), error);
}

gboolean ps_gpu_read_kept_sources(PsGpu *gpu, const xmlNode *element, GError **error)
{
    for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next) {
        const char *id = attribute->_private;
        if (!id)
            continue;
        if (*id && !ps_source_check(gpu->sources, id, ps_xml_place(element), error))
            return FALSE;
        char *figure =
            g_strconcat((const char *)element->name, "/", (const char *)attribute->name, NULL);
        g_hash_table_insert(gpu->kept_sources, figure, *id ? g_strdup(id) : NULL);
    }
    return TRUE;
}

static void free_document(void *doc)
{
    ps_xml_free(doc);
}

xmlDoc *ps_gpu_inherit(xmlDoc *doc, const char *const *folders, GError **error)
{
    g_autoptr(GPtrArray) chain = g_ptr_array_new_with_free_func(free_document);
    g_ptr_array_add(chain, doc);
    if (!load_chain(chain, folders, error) || (chain->len > 1 && !merge(chain, error)))
        return NULL;
    return g_ptr_array_steal_index(chain, chain->len - 1);
}

/* ---- what a GPU is known by ----------------------------------------------------------------- */

guint ps_gpu_read_capability(const xmlNode *root)
{
    g_autofree char *text = ps_xml_text(root, "compute-capability");
    const char *point = text ? strchr(text, '.') : NULL;
    return point && g_ascii_isdigit(point[1])
               ? 10 * (guint)g_ascii_strtoull(text, NULL, 10) + (guint)(point[1] - '0')
               : 0;
}

static gint64 memory_of(const xmlNode *root)
{
    gint64 memory = 0;
    for (const xmlNode *element = ps_xml_first(root); element; element = ps_xml_next(element))
        if (ps_xml_is(element, "chip"))
            ps_xml_int(element, "memory", 0, G_MAXINT64, &memory, NULL);
    return memory;
}

/* If there are several files, the first one has the title. */
gboolean ps_gpu_read_title(const char *text, gsize length, const char *name,
                           const char *const *folders, PsGpuTitle *title)
{
    g_autoptr(GPtrArray) chain = g_ptr_array_new_with_free_func(free_document);
    xmlDoc *doc = ps_xml_parse(text, length, name, NULL);
    *title = (PsGpuTitle){0};
    if (!doc)
        return FALSE;
    g_ptr_array_add(chain, doc);
    const xmlNode *own = xmlDocGetRootElement(doc);
    if (!ps_xml_is(own, "gpu") || !load_chain(chain, folders, NULL))
        return FALSE;
    title->name = ps_xml_text(own, "name");
    for (guint i = 0; i < chain->len; i++) {
        const xmlNode *root = xmlDocGetRootElement(chain->pdata[i]);
        title->capability = title->capability ? title->capability : ps_gpu_read_capability(root);
        title->memory = title->memory ? title->memory : memory_of(root);
    }
    return title->name != NULL;
}
