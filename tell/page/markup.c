/* SPDX-License-Identifier: BSD-3-Clause */
/* See markup.h. */
#include "tell/page/markup.h"

#include "tell/html.h"
#include "tell/page/page.h"

#include <string.h>

/* The page forbids scripts and everything from elsewhere, even if one got in. */
static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'/>\n"
    "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
    "'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
    "<meta name='viewport' content='width=device-width, initial-scale=1'/>\n"
    "<meta name='referrer' content='no-referrer'/>\n"
    "<meta name='generator' content='pipesim " PIPESIM_VERSION "'/>\n";

void ps_markup_open(GString *out, const char *title)
{
    g_string_append(out, HEAD);
    ps_html_element(out, "title", title);
    g_string_append(out, "\n<style>\n");
    for (guint i = 0; ps_page_style[i]; i++)
        g_string_append(out, ps_page_style[i]);
    g_string_append(out, "</style>\n</head>\n<body>\n");
}

void ps_markup_close(GString *out, const char *rests_on)
{
    g_string_append(out, "<footer>");
    ps_markup_take(out, "p",
                   g_strconcat("Simulated by pipesim " PIPESIM_VERSION ". ", rests_on, NULL));
    g_string_append(out, "</footer>\n</body>\n</html>\n");
}

void ps_markup_tile(GString *out, const char *label, const char *value, const char *small)
{
    g_string_append(out, "<div>");
    ps_html_element(out, "dt", label);
    g_string_append(out, "<dd>");
    ps_html_text(out, value);
    if (small)
        ps_html_element(out, "small", small);
    g_string_append(out, "</dd></div>\n");
}

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
