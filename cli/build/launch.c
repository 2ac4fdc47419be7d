/* SPDX-License-Identifier: BSD-3-Clause */
/* See build-launch.h. */
#include "cli/build/launch.h"

#include "cli/fail.h"

#include <string.h>

#define MOST_SAMPLES (1 << 22)

static const char NAME_CSET[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";

void extent_clear(Extent *extent)
{
    for (guint i = 0; i < 3; i++)
        g_clear_pointer(&extent->text[i], g_free);
}

/* Where the first part ends: at a comma, or at an "x" where an expression could go on, outside of
 * parentheses; at the text's end otherwise. */
static const char *end_of_part(const char *text)
{
    int depth = 0;
    gboolean operand = FALSE;
    while (*text) {
        gsize length = 1;
        if (depth == 0 && (*text == ',' || (*text == 'x' && operand)))
            break;
        if (strchr(NAME_CSET, *text)) {
            length = strspn(text, g_ascii_isdigit(*text) ? G_CSET_DIGITS "." : NAME_CSET);
            operand = TRUE;
        } else if (*text != ' ') {
            depth += (*text == '(') - (*text == ')');
            operand = *text == ')';
        }
        text += length;
    }
    return text;
}

/* The parts (g_strfreev), blanks around them removed. */
static char **split(const char *text)
{
    GPtrArray *parts = g_ptr_array_new();
    const char *from = text;
    for (;;) {
        const char *end = end_of_part(from);
        g_ptr_array_add(parts, g_strstrip(g_strndup(from, (gsize)(end - from))));
        if (!*end)
            break;
        from = end + 1;
    }
    g_ptr_array_add(parts, NULL);
    return (char **)g_ptr_array_free(parts, FALSE);
}

/* What a formula gives its evaluation speaks of. */
static gboolean parse_number(const char *option, const char *text, char direction, guint most,
                             guint *size, GError **error)
{
    guint64 value;
    if (!g_ascii_string_to_unsigned(text, 10, 1, most, &value, NULL))
        return usage_error(error, "%s: the %s in direction %c must be a number from 1 to %u",
                           option, text, direction, most);
    *size = (guint)value;
    return TRUE;
}

static gboolean parse_part(const char *option, const char *text, const PsScope *scope, guint most,
                           guint *size, GError **error)
{
    static const char *const what = "number in each direction";
    const PsIntRange range = {what, 1, most};
    const PsPlace place = {option, 0};
    g_autoptr(GError) why = NULL;
    gint64 value = 0;
    g_autoptr(PsExpr) expr = ps_expr_new(text, place, &why);
    if (!expr || !ps_expr_eval_int(expr, scope, place, &range, &value, &why))
        return usage_error(error, "%s", why->message);
    *size = (guint)value;
    return TRUE;
}

gboolean extent_parse(const char *option, const char *text, const PsScope *scope,
                      const guint most[3], Extent *extent, GError **error)
{
    g_auto(GStrv) parts = split(text);
    const guint n = g_strv_length(parts);
    if (n > 3)
        return usage_error(error, "%s: '%s' has more than three directions; write 32x32 or 64x8x2",
                           option, text);
    for (guint i = 0; i < 3; i++) {
        extent->size[i] = 1;
        if (i < n && !*parts[i])
            return usage_error(error, "%s: '%s' lacks a number; write 32x32 or 64x8x2", option,
                               text);
        const gboolean formula = i < n && parts[i][strspn(parts[i], G_CSET_DIGITS)];
        if (i < n &&
            !(formula
                  ? parse_part(option, parts[i], scope, most[i], &extent->size[i], error)
                  : parse_number(option, parts[i], "xyz"[i], most[i], &extent -> size[i], error)))
            return FALSE;
        if (formula)
            extent->text[i] = g_strdup(parts[i]);
    }
    return TRUE;
}

/* ---- samples ------------------------------------------------------------------------------- */

static gboolean parse_group(const char *text, const guint grid[3], guint group[3], GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", 4);
    const guint n = g_strv_length(parts);
    gboolean good = n >= 1 && n <= 3;
    for (guint i = 0; i < 3; i++) {
        guint64 value = 0;
        good = good && (i >= n || g_ascii_string_to_unsigned(g_strstrip(parts[i]), 10, 0,
                                                             grid[i] - 1, &value, NULL));
        group[i] = (guint)value;
    }
    return good ||
           usage_error(error,
                       "--sample: '%s' is no group of a grid of %ux%ux%u; write X,Y,Z, each "
                       "from 0",
                       text, grid[0], grid[1], grid[2]);
}

static guint (*all_groups(const guint grid[3], guint *n, GError **error))[3]
{
    const guint64 all = (guint64)grid[0] * grid[1];
    if (all > MOST_SAMPLES || all * grid[2] > MOST_SAMPLES) {
        usage_error(error,
                    "--sample all: the grid has more than %d groups; execute a smaller grid, or a "
                    "few of its groups",
                    MOST_SAMPLES);
        return NULL;
    }
    guint(*groups)[3] = g_malloc_n(all * grid[2], sizeof *groups);
    for (*n = 0; *n < all * grid[2]; (*n)++) {
        groups[*n][0] = *n % grid[0];
        groups[*n][1] = *n / grid[0] % grid[1];
        groups[*n][2] = (guint)(*n / all);
    }
    return groups;
}

guint (*samples_parse(const char *text, const guint grid[3], guint *n, GError **error))[3]
{
    if (strcmp(text, "all") == 0)
        return all_groups(grid, n, error);
    g_auto(GStrv) words = g_strsplit(text, ";", -1);
    guint(*groups)[3] = g_malloc_n(g_strv_length(words) + 1, sizeof *groups);
    *n = 0;
    for (guint i = 0; words[i]; i++) {
        if (!*g_strstrip(words[i]))
            continue;
        if (!parse_group(words[i], grid, groups[*n], error)) {
            g_free(groups);
            return NULL;
        }
        (*n)++;
    }
    if (*n)
        return groups;
    g_free(groups);
    usage_error(error,
                "--sample: it names no group; write X,Y[,Z], several of them with ;, or all");
    return NULL;
}
