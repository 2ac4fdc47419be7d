/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings as compilers write them, which editors read. */
#include "tell/findings-formats.h"

#include "base/message.h"

void ps_findings_notes(GString *out, const PsTold *facts, const char *root, const char *instead)
{
    g_autoptr(GArray) all = ps_findings(facts);
    for (guint i = 0; i < all->len; i++) {
        const PsFinding *finding = &g_array_index(all, PsFinding, i);
        g_autofree char *file = ps_finding_file(finding, root), *words = ps_finding_words(finding);
        g_autofree char *place = finding->line
                                     ? g_strdup_printf("%s:%" G_GINT64_FORMAT, file, finding->line)
                                     : g_strdup(instead);
        g_autofree char *line = g_strdup_printf(
            "%s: %s: %s: %s", place, finding->fails ? "error" : "note", finding->kernel, words);
        g_autofree char *clean = ps_text_clean(line);
        g_string_append_printf(out, "%s\n", clean);
    }
}
