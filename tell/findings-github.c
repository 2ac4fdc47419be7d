/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings as commands of GitHub's workflows: "::error file=a.cu,line=3,title=T::TEXT". */
#include "tell/findings-formats.h"

#include <string.h>

/* Characters that would end the text are written by number; in a property, so are those that would
 * end it. */
static void put_text(GString *out, const char *text, const char *special)
{
    for (; *text; text++)
        if (strchr(special, *text))
            g_string_append_printf(out, "%%%02X", (guint)(guchar)*text);
        else
            g_string_append_c(out, *text);
}

static void put_property(GString *out, const char *name, const char *text)
{
    g_string_append_printf(out, "%s=", name);
    put_text(out, text, "%\r\n:,");
}

void ps_findings_github(GString *out, const PsTold *facts, const char *root)
{
    g_autoptr(GArray) all = ps_findings(facts);
    for (guint i = 0; i < all->len; i++) {
        const PsFinding *finding = &g_array_index(all, PsFinding, i);
        g_autofree char *file = ps_finding_file(finding, root), *words = ps_finding_words(finding),
                        *title = g_strdup_printf("%s: %s", finding->kernel, finding->figure);
        g_string_append(out, finding->fails ? "::error " : "::notice ");
        if (finding->line) {
            put_property(out, "file", file);
            g_string_append_printf(out, ",line=%" G_GINT64_FORMAT ",", finding->line);
        }
        put_property(out, "title", title);
        g_string_append(out, "::");
        put_text(out, words, "%\r\n");
        g_string_append_c(out, '\n');
    }
}
