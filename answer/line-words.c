/* SPDX-License-Identifier: BSD-3-Clause */
/* The likeness of two lines, by their words. See line-match.h. */
#include "answer/line-match.h"

#include "base/align.h"

#include <string.h>

static int by_number(gconstpointer a, gconstpointer b)
{
    const guint x = *(const guint *)a, y = *(const guint *)b;
    return (x > y) - (x < y);
}

GArray *ps_line_words(const char *text, GHashTable *ids)
{
    static const char letters[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";
    GArray *words = g_array_new(FALSE, FALSE, sizeof(guint));
    while (*(text += strcspn(text, letters))) {
        const gsize length = strspn(text, letters);
        const guint number = ps_align_key(ids, g_strndup(text, length));
        g_array_append_val(words, number);
        text += length;
    }
    g_array_sort(words, by_number);
    for (guint i = words->len; i-- > 1;)
        if (g_array_index(words, guint, i) == g_array_index(words, guint, i - 1))
            g_array_remove_index(words, i);
    return words;
}

double ps_line_likeness(const GArray *a, const GArray *b)
{
    guint common = 0;
    for (guint i = 0, j = 0; i < a->len && j < b->len;) {
        const guint x = g_array_index(a, guint, i), y = g_array_index(b, guint, j);
        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return common ? 2.0 * common / (a->len + b->len) : 0;
}
