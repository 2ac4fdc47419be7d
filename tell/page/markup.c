/* SPDX-License-Identifier: BSD-3-Clause */
/* See markup.h. */
#include "tell/page/markup.h"

#include "tell/html.h"

#include <string.h>

void ps_markup_take(GString *out, const char *tag, char *text)
{
    ps_html_element(out, tag, text);
    g_free(text);
}

void ps_markup_number(GString *out, const char *of, char *text)
{
    g_string_append_printf(out, "<td class='n' data-of='%s'>", of);
    ps_html_text(out, text);
    g_string_append(out, "</td>");
    g_free(text);
}

void ps_markup_head(GString *out, const char *words)
{
    g_auto(GStrv) list = g_strsplit(words, "|", 0);
    g_string_append(out, "<thead><tr>");
    for (guint i = 0; list[i]; i++) {
        const gboolean left = *list[i] == '<';
        ps_html_element(out, i && !left ? "th scope='col' class='n'" : "th scope='col'",
                        list[i] + left);
    }
    g_string_append(out, "</tr></thead>\n");
}

void ps_markup_fold(GString *out, const char *title)
{
    g_string_append(out, "<details>\n<summary>");
    ps_html_element(out, "h2", title);
    g_string_append(out, "</summary>\n");
}

void ps_markup_unfold(GString *out)
{
    g_string_append(out, "</details>\n");
}
