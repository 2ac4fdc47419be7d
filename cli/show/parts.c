/* SPDX-License-Identifier: BSD-3-Clause */
/* What the pages of graphs and GPUs have in common: tables of figures, and where these come from.
 */
#include "cli/show/show.h"

#include <string.h>

void show_path(const char *path, GString *out)
{
    g_string_append_printf(out, "read from %s\n", strcmp(path, "-") == 0 ? "standard input" : path);
}

void show_sources(const GPtrArray *sources, const char *title, GString *out)
{
    if (!sources->len)
        return;
    g_string_append_printf(out, "\n%s\n", title);
    for (guint i = 0; i < sources->len; i++) {
        const PsSource *source = sources->pdata[i];
        g_autofree char *text = g_strdup_printf(
            "%s%s%s%s%s: %s", source->id ? source->id : "", source->id ? ", " : "",
            ps_source_kind_name(source->kind), source->family ? ", of the family " : "",
            source->family ? source->family : "", source->text);
        ps_wrap_text(out, "  - ", text);
    }
}

char *show_source(const PsGpu *gpu, const char *id)
{
    const PsSource *source = id ? ps_gpu_source(gpu, id) : NULL;
    if (!source)
        return g_strdup(id ? id : "");
    const gboolean assumed = source->kind == PS_SOURCE_ASSUMED;
    return g_strdup_printf("%s (%s%s%s)", assumed ? "ASSUMED" : ps_source_kind_name(source->kind),
                           id, source->family ? " of " : "", source->family ? source->family : "");
}

void show_part(const PsGpu *gpu, Part part, GString *out)
{
    g_autoptr(GPtrArray) figures = figures_of(gpu, part);
    g_autoptr(PsTable) table = ps_table_new("lrll");
    for (guint i = 0; i < figures->len; i++) {
        const Figure *figure = figures->pdata[i];
        ps_table_add(table, g_strdup(figure->name));
        ps_table_add(table, g_strdup(figure->value));
        ps_table_add(table, g_strdup(figure->unit));
        ps_table_add(table, show_source(gpu, figure->source));
    }
    if (!figures->len)
        return;
    g_string_append_printf(out, "\n%s\n", figures_title(part));
    ps_table_keep_rows(table);
    ps_table_print(table, 2, out);
}
