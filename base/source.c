/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Provenance in memory and in XML. Both file formats read and write it here, so that a <source> is
 * the same thing in either.
 */
#include "base/source-xml.h"

#include <string.h>

static const char *const kind_names[] = {
    [PS_SOURCE_MEASURED] = "measured", [PS_SOURCE_PUBLISHED] = "published",
    [PS_SOURCE_VENDOR] = "vendor",     [PS_SOURCE_DERIVED] = "derived",
    [PS_SOURCE_ASSUMED] = "assumed",
};

const char *ps_source_kind_name(PsSourceKind kind)
{
    return kind_names[kind];
}

void ps_source_free(PsSource *source)
{
    if (!source)
        return;
    g_free(source->id);
    g_free(source->text);
    g_free(source->family);
    g_free(source);
}

static void free_source(void *source)
{
    ps_source_free(source);
}

GPtrArray *ps_sources_new(void)
{
    return g_ptr_array_new_with_free_func(free_source);
}

const PsSource *ps_source_find(const GPtrArray *sources, const char *id)
{
    for (guint i = 0; i < sources->len; i++) {
        const PsSource *source = g_ptr_array_index(sources, i);
        if (g_strcmp0(source->id, id) == 0)
            return source;
    }
    return NULL;
}

/* The schema allows no other word and demands one: the first kind is only a safe answer. */
static PsSourceKind kind_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(kind_names); i++) {
        if (g_strcmp0(kind_names[i], name) == 0)
            return (PsSourceKind)i;
    }
    return PS_SOURCE_ASSUMED;
}

/* "ampere" of "gpus/families/ampere.xml" (g_free). */
static char *stem_of(const char *path)
{
    char *name = g_path_get_basename(path), *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    return name;
}

gboolean ps_source_read(const xmlNode *element, GPtrArray *sources, GError **error)
{
    g_autofree char *id = ps_xml_text(element, "id");
    g_autofree char *kind = ps_xml_text(element, "kind");
    if (sources->len >= PS_SOURCES_MOST) {
        ps_error_at(error, PS_ERROR_LIMIT, ps_xml_place(element), "there are more than %d sources",
                    PS_SOURCES_MOST);
        return FALSE;
    }
    if (id && ps_source_find(sources, id)) {
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "there are two sources with the id '%s'; an id must be unique", id);
        return FALSE;
    }
    PsSource *source = g_new0(PsSource, 1);
    source->id = g_steal_pointer(&id);
    source->kind = kind_of(kind);
    source->text = ps_xml_content(element);
    source->family = ps_xml_is_own(element) ? NULL : stem_of(ps_xml_place(element).file);
    g_ptr_array_add(sources, source);
    return TRUE;
}

gboolean ps_source_check(const GPtrArray *sources, const char *id, PsPlace place, GError **error)
{
    if (!id || ps_source_find(sources, id))
        return TRUE;
    g_autoptr(GString) known = g_string_new(NULL);
    for (guint i = 0; i < sources->len; i++) {
        const PsSource *source = g_ptr_array_index(sources, i);
        if (source->id)
            g_string_append_printf(known, "%s%s", known->len ? ", " : "", source->id);
    }
    ps_error_at(error, PS_ERROR_VALUE, place,
                "there is no source with the id '%s'; the file has: %s", id,
                known->len ? known->str : "none");
    return FALSE;
}

void ps_source_write(xmlTextWriter *writer, const PsSource *source)
{
    ps_xml_start(writer, "source");
    ps_xml_put_text(writer, "id", source->id);
    ps_xml_put_text(writer, "kind", ps_source_kind_name(source->kind));
    xmlTextWriterWriteString(writer, BAD_CAST(source->text ? source->text : ""));
    ps_xml_end(writer);
}
