/* SPDX-License-Identifier: BSD-3-Clause */
/* See nearest.h. */
#include "base/nearest.h"

#include <string.h>

/* Characters; longer texts are no typing errors: they were pasted. */
#define LONGEST 64

/* Names that may be equally near, at most. */
#define MOST_NAMED 3

/* Letters; shorter words are taken neither for the beginning of a name nor for another word. */
#define SHORTEST 3

#define FAR G_MAXUINT

static gboolean is_same(char a, char b)
{
    return g_ascii_tolower(a) == g_ascii_tolower(b);
}

/* The cost of b in place of a. Another digit means another thing, and so does another first letter:
 * an A100 is no V100. */
static guint replaced(char a, char b, gboolean first)
{
    const gboolean digits = g_ascii_isdigit(a) && g_ascii_isdigit(b);
    return is_same(a, b) ? 0 : first || digits ? 2 : 1;
}

static gboolean are_swapped(const char *a, const char *b)
{
    return is_same(a[0], b[1]) && is_same(a[1], b[0]);
}

/* The fewest letters to add, leave out, replace or swap with the next one (optimal string
 * alignment), each at most LONGEST long. */
static guint distance(const char *a, const char *b)
{
    const gsize rows = strlen(a), columns = strlen(b);
    guint least[LONGEST + 1][LONGEST + 1];
    for (guint i = 0; i <= rows; i++)
        least[i][0] = i;
    for (guint j = 0; j <= columns; j++)
        least[0][j] = j;
    for (guint i = 1; i <= rows; i++)
        for (guint j = 1; j <= columns; j++) {
            const guint either = MIN(least[i - 1][j], least[i][j - 1]) + 1;
            const gboolean first = i == 1 && j == 1;
            least[i][j] = MIN(either, least[i - 1][j - 1] + replaced(a[i - 1], b[j - 1], first));
            if (i > 1 && j > 1 && are_swapped(a + i - 2, b + j - 2))
                least[i][j] = MIN(least[i][j], least[i - 2][j - 2] + 1);
        }
    return least[rows][columns];
}

/* How far a name is from the written word. Longer words may have more mistakes. A word that begins
 * a name is farther than any mistake, the more so the longer the name goes on. */
static guint farness(const char *written, const char *name)
{
    const gsize length = strlen(written), own = strlen(name);
    const guint most = length < SHORTEST ? 0 : CLAMP((guint)length / 4, 1, 3);
    if (length > LONGEST || own > LONGEST)
        return FAR;
    const guint letters = distance(written, name);
    if (letters <= most)
        return letters;
    return length >= SHORTEST && g_ascii_strncasecmp(written, name, length) == 0
               ? LONGEST + (guint)own
               : FAR;
}

/* The nearest of the names, each once; borrowed. */
static GPtrArray *find_nearest(const char *written, const GPtrArray *names)
{
    GPtrArray *nearest = g_ptr_array_new();
    guint least = FAR;
    for (guint i = 0; i < names->len; i++) {
        const guint own = farness(written, names->pdata[i]);
        if (own < least)
            g_ptr_array_set_size(nearest, 0);
        least = MIN(least, own);
        if (own == least && own != FAR &&
            !g_ptr_array_find_with_equal_func(nearest, names->pdata[i], g_str_equal, NULL))
            g_ptr_array_add(nearest, names->pdata[i]);
    }
    return nearest;
}

char *ps_did_you_mean(const char *written, const GPtrArray *names)
{
    g_autoptr(GPtrArray) nearest = find_nearest(written, names);
    GString *text = g_string_new(NULL);
    if (nearest->len <= MOST_NAMED)
        for (guint i = 0; i < nearest->len; i++)
            g_string_append_printf(text, "%s%s%s",
                                   i == 0                  ? "; did you mean "
                                   : i + 1 == nearest->len ? " or "
                                                           : ", ",
                                   (const char *)nearest->pdata[i],
                                   i + 1 == nearest->len ? "?" : "");
    return g_string_free(text, FALSE);
}
