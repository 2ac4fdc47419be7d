/* SPDX-License-Identifier: BSD-3-Clause */
/* Three numbers for x, y and z: groups, threads, and the groups that are executed. */
#include "launch/launch.h"
#include "launch/spelling.h"
#include "launch/value.h"

#include "base/usage.h"
#include "ptx/run/run.h"

#include <string.h>

#define MOST_SAMPLES (1 << 22)

/* CUDA's limits of a grid in each direction. */
static const guint MOST_GROUPS[3] = {G_MAXINT32, 65535, 65535};
static const guint MOST_THREADS[3] = {1024, 1024, 64};

/* Limits of threads or groups in each direction, all groups together. */
static const guint MOST_TOGETHER[3] = {G_MAXUINT32, 1024 * 65535, 64 * 65535};

static const char NAME_CSET[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";

/* The length of the name "n" in a word such as "nxm" that is no name itself: the x must have a name
 * or a number behind it. Otherwise the word's own length. */
static gsize length_of_name(const char *text, const PsScope *scope)
{
    const gsize length = strspn(text, NAME_CSET);
    g_autofree char *word = g_strndup(text, length);
    PsRational value;
    if (!scope || ps_scope_get(scope, word, &value))
        return length;
    for (gsize i = 1; i + 1 < length; i++) {
        if (word[i] != 'x')
            continue;
        word[i] = '\0';
        const char *rest = word + i + 1;
        const gboolean follows = g_ascii_isdigit(*rest) || ps_scope_get(scope, rest, &value) ||
                                 length_of_name(rest, scope) < strlen(rest);
        if (follows && ps_scope_get(scope, word, &value))
            return i;
        word[i] = 'x';
    }
    return length;
}

/* The end of the first part: a comma, or an "x" where an expression could end, outside of
 * parentheses; otherwise the text's end. */
static const char *end_of_part(const char *text, const PsScope *scope)
{
    int depth = 0;
    gboolean operand = FALSE;
    while (*text) {
        gsize length = 1;
        if (depth == 0 && (*text == ',' || (*text == 'x' && operand)))
            break;
        if (strchr(NAME_CSET, *text)) {
            length = g_ascii_isdigit(*text) ? strspn(text, G_CSET_DIGITS ".")
                     : depth == 0           ? length_of_name(text, scope)
                                            : strspn(text, NAME_CSET);
            operand = TRUE;
        } else if (*text != ' ') {
            depth += (*text == '(') - (*text == ')');
            operand = *text == ')';
        }
        text += length;
    }
    return text;
}

/* The parts (g_strfreev) without blanks around them, and with numbers such as 16M written out. */
static char **split(const char *text, const PsScope *scope)
{
    GPtrArray *parts = g_ptr_array_new();
    const char *from = text;
    for (;;) {
        const char *end = end_of_part(from, scope);
        g_autofree char *part = g_strstrip(g_strndup(from, (gsize)(end - from)));
        g_ptr_array_add(parts, ps_value_expand(part));
        if (!*end)
            break;
        from = end + 1;
    }
    g_ptr_array_add(parts, NULL);
    return (char **)g_ptr_array_free(parts, FALSE);
}

/* Reads a number. The value of a formula is checked where it is evaluated. */
static gboolean parse_number(const char *option, const char *text, char direction, guint most,
                             guint *size, GError **error)
{
    guint64 value;
    if (text[0] == '0' && text[1])
        return ps_usage_error(error,
                              "%s: the %s begins with 0; a comma divides directions, so a number "
                              "has none in it: write 4096 or 4K",
                              option, text);
    if (!g_ascii_string_to_unsigned(text, 10, 1, most, &value, NULL))
        return ps_usage_error(error, "%s: the %s in direction %c must be a number from 1 to %u",
                              option, text, direction, most);
    *size = (guint)value;
    return TRUE;
}

/* Without a scope a formula is only checked. */
static gboolean parse_part(const char *option, const char *text, const PsScope *scope, guint most,
                           guint *size, GError **error)
{
    static const char *const what = "number in each direction";
    const PsIntRange range = {what, 1, most};
    const PsPlace place = {option, 0};
    g_autoptr(GError) why = NULL;
    gint64 value = 0;
    g_autoptr(PsExpr) expr = ps_expr_new(text, place, &why);
    if (!expr)
        return ps_usage_error(error, "%s; write 4096, 64x64, or a formula such as ceil(n/256)",
                              why->message);
    if (scope && !ps_expr_eval_int(expr, scope, place, &range, &value, &why))
        return ps_usage_error(error, "%s", why->message);
    *size = (guint)value;
    return TRUE;
}

/* Reads an extent. An x between two numbers or expressions divides them like a comma. `option` is
 * the user's name of the text, here and above. */
static gboolean parse_extent(const char *option, const char *text, const PsScope *scope,
                             const guint most[3], PsLaunchExtent *extent, GError **error)
{
    g_autofree char *plain = ps_spelling_plain(text);
    g_auto(GStrv) parts = split(plain, scope);
    const guint n = g_strv_length(parts);
    if (n > 3)
        return ps_usage_error(
            error, "%s: '%s' has more than three directions; write 32x32 or 64x8x2", option, text);
    for (guint i = 0; i < 3; i++) {
        extent->size[i] = 1;
        if (i < n && !*parts[i])
            return ps_usage_error(error, "%s: '%s' lacks a number; write 32x32 or 64x8x2", option,
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

static gboolean parse_group(const char *option, const char *text, const guint grid[3],
                            guint group[3], GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", 4);
    const guint n = g_strv_length(parts);
    gboolean good = n <= 3;
    for (guint i = 0; i < 3; i++) {
        guint64 value = 0;
        good = good && (i >= n || g_ascii_string_to_unsigned(g_strstrip(parts[i]), 10, 0,
                                                             grid[i] - 1, &value, NULL));
        group[i] = (guint)value;
    }
    return good || ps_usage_error(error,
                                  "%s: '%s' is no group of a grid of %ux%ux%u; write X,Y,Z, each "
                                  "from 0",
                                  option, text, grid[0], grid[1], grid[2]);
}

static guint (*all_groups(const char *option, const guint grid[3], guint *n, GError **error))[3]
{
    const guint64 all = (guint64)grid[0] * grid[1] * grid[2];
    if (all > MOST_SAMPLES) {
        ps_usage_error(error,
                       "%s all: the grid has more than %d groups; execute a smaller grid, or a "
                       "few of its groups",
                       option, MOST_SAMPLES);
        return NULL;
    }
    guint(*groups)[3] = g_malloc_n(all, sizeof *groups);
    for (*n = 0; *n < all; (*n)++) {
        groups[*n][0] = *n % grid[0];
        groups[*n][1] = *n / grid[0] % grid[1];
        groups[*n][2] = *n / grid[0] / grid[1];
    }
    return groups;
}

/* Groups "X,Y[,Z];..." or "all" (g_free), *n of them. NULL and *error for a group outside of the
 * grid, or for more groups than anybody would wait for. */
static guint (*parse_samples(const char *option, const char *text, const guint grid[3], guint *n,
                             GError **error))[3]
{
    if (strcmp(text, "all") == 0)
        return all_groups(option, grid, n, error);
    g_auto(GStrv) words = g_strsplit(text, ";", -1);
    guint(*groups)[3] = g_malloc_n(g_strv_length(words) + 1, sizeof *groups);
    *n = 0;
    for (guint i = 0; words[i]; i++) {
        if (!*g_strstrip(words[i]))
            continue;
        if (!parse_group(option, words[i], grid, groups[*n], error)) {
            g_free(groups);
            return NULL;
        }
        (*n)++;
    }
    if (*n)
        return groups;
    g_free(groups);
    ps_usage_error(error, "%s: it names no group; write X,Y[,Z], several of them with ;, or all",
                   option);
    return NULL;
}

static void clear_extent(PsLaunchExtent *extent)
{
    for (guint i = 0; i < 3; i++)
        g_free(extent->text[i]);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Groups of the size that the kernel requires may be left out. */
static gboolean find_threads(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                             PsLaunchExtent *threads, GError **error)
{
    const char *name = texts->block_name ? texts->block_name : "block";
    const guint *required = arguments->kernel->required;
    if (texts->block)
        return parse_extent(name, texts->block, arguments->scope, MOST_THREADS, threads, error);
    for (guint i = 0; i < 3; i++)
        threads->size[i] = required[i];
    return required[0] ||
           ps_usage_error(error, "say how many threads a group has, such as %s 32x8", name);
}

/* The direction of a "block.x" (CUDA's blockDim.x) that begins at `at`, and the place behind it;
 * -1: none begins there. An x that divides directions may stand on either side. */
static int block_at(const char *text, const char *at, const char **end)
{
    const char *const word = g_str_has_prefix(at, "blockDim.") ? "blockDim." : "block.";
    const char *letter = at + strlen(word);
    if (!g_str_has_prefix(at, word) || !*letter ||
        (at > text && at[-1] != 'x' && strchr(NAME_CSET, at[-1])))
        return -1;
    const gboolean ends = !letter[1] || letter[1] == 'x' || !strchr(NAME_CSET, letter[1]);
    *end = letter + 1;
    return *letter >= 'x' && *letter <= 'z' && ends ? *letter - 'x' : -1;
}

/* The text with values in place of "block.x", "block.y" and "block.z" (g_free). */
static char *with_block(const char *text, const PsLaunchExtent *threads)
{
    GString *with = g_string_new(NULL);
    for (const char *c = text; *c;) {
        const char *end = NULL;
        const int d = block_at(text, c, &end);
        if (d < 0)
            g_string_append_c(with, *c);
        else if (threads->text[d])
            g_string_append_printf(with, "(%s)", threads->text[d]);
        else
            g_string_append_printf(with, "%u", threads->size[d]);
        c = d < 0 ? c + 1 : end;
    }
    return g_string_free(with, FALSE);
}

/* As many groups as so many threads need; the last group may have threads to spare. */
static gboolean cover(const char *name, const PsLaunchExtent *all, const PsLaunchExtent *threads,
                      PsLaunchExtent *groups, GError **error)
{
    for (guint i = 0; i < 3; i++) {
        const guint size = threads->size[i];
        groups->size[i] = all->size[i] / size + (all->size[i] % size > 0);
        if (groups->size[i] > MOST_GROUPS[i])
            return ps_usage_error(error,
                                  "%s: %u threads in direction %c are %u groups of %u, and a grid "
                                  "has at most %u there",
                                  name, all->size[i], "xyz"[i], groups -> size[i], size,
                                  MOST_GROUPS[i]);
        g_autofree char *each = threads->text[i] ? g_strdup_printf("(%s)", threads->text[i])
                                                 : g_strdup_printf("%u", size);
        if (all->text[i])
            groups->text[i] = g_strdup_printf("ceil((%s)/%s)", all->text[i], each);
    }
    return TRUE;
}

/* Reads a grid that may use "block.x". Another name for the threads of a group gets a message that
 * states these names. */
static gboolean parse_grid(const char *name, const char *grid, const PsScope *scope,
                           const PsLaunchExtent *threads, PsLaunchExtent *groups, GError **error)
{
    g_autofree char *text = with_block(grid, threads);
    if (parse_extent(name, text, scope, MOST_GROUPS, groups, error))
        return TRUE;
    if (error && strstr((*error)->message, "no parameter \"block")) {
        g_autofree char *message = (*error)->message;
        (*error)->message = g_strconcat(message, ", block.x, block.y, block.z", NULL);
    }
    return FALSE;
}

static gboolean find_groups(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                            const PsLaunchExtent *threads, PsLaunchExtent *groups, GError **error)
{
    const char *grid = texts->grid_name ? texts->grid_name : "grid",
               *all = texts->threads_name ? texts->threads_name : "threads";
    PsLaunchExtent together = {0};
    if (!texts->grid && !texts->threads)
        return ps_usage_error(error, "say how many groups there are, such as %s 32x32", grid);
    if (texts->grid)
        return parse_grid(grid, texts->grid, arguments->scope, threads, groups, error);
    const gboolean found =
        parse_extent(all, texts->threads, arguments->scope, MOST_TOGETHER, &together, error) &&
        cover(all, &together, threads, groups, error);
    clear_extent(&together);
    return found;
}

static gboolean find_samples(const PsLaunchTexts *texts, PsLaunchGrid *grid, GError **error)
{
    if (!texts->samples)
        return TRUE;
    grid->samples = parse_samples(texts->sample_name ? texts->sample_name : "sample",
                                  texts->samples, grid->groups.size, &grid->n_samples, error);
    return grid->samples != NULL;
}

PsLaunchGrid *ps_launch_grid_new(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                                 GError **error)
{
    g_autoptr(PsLaunchGrid) grid = g_new0(PsLaunchGrid, 1);
    return find_threads(arguments, texts, &grid->threads, error) &&
                   find_groups(arguments, texts, &grid->threads, &grid->groups, error) &&
                   find_samples(texts, grid, error)
               ? g_steal_pointer(&grid)
               : NULL;
}

/* ---- before there is code ------------------------------------------------------------------- */

static gboolean check_extent(const char *name, const char *text, const guint most[3],
                             GError **error)
{
    const PsLaunchExtent one = {{1, 1, 1}, {NULL, NULL, NULL}};
    PsLaunchExtent extent = {0};
    g_autofree char *with = text ? with_block(text, &one) : NULL;
    const gboolean good = !with || parse_extent(name, with, NULL, most, &extent, error);
    clear_extent(&extent);
    return good;
}

static gboolean check_samples(const char *name, const char *text, GError **error)
{
    const guint any[3] = {G_MAXUINT, G_MAXUINT, G_MAXUINT};
    guint group[3];
    g_auto(GStrv) words = g_strsplit(text && strcmp(text, "all") != 0 ? text : "", ";", -1);
    for (guint i = 0; words[i]; i++)
        if (*g_strstrip(words[i]) && !parse_group(name, words[i], any, group, NULL))
            return ps_usage_error(error, "%s: '%s' is no group; write X,Y,Z, each from 0", name,
                                  words[i]);
    return TRUE;
}

gboolean ps_launch_grid_check(const PsLaunchTexts *texts, GError **error)
{
    return ps_spelling_check(texts->grid_name, texts->grid, texts, error) &&
           ps_spelling_check(texts->threads_name, texts->threads, texts, error) &&
           ps_spelling_check(texts->block_name, texts->block, texts, error) &&
           ps_spelling_check_commas(texts->grid_name, texts->grid, MOST_GROUPS[0], error) &&
           ps_spelling_check_commas(texts->threads_name, texts->threads, MOST_TOGETHER[0], error) &&
           ps_spelling_check_commas(texts->block_name, texts->block, MOST_THREADS[0], error) &&
           check_extent(texts->grid_name, texts->grid, MOST_GROUPS, error) &&
           check_extent(texts->threads_name, texts->threads, MOST_TOGETHER, error) &&
           check_extent(texts->block_name, texts->block, MOST_THREADS, error) &&
           (!texts->block || ps_launch_block_check(texts->block, error)) &&
           check_samples(texts->sample_name, texts->samples, error);
}

gboolean ps_launch_block_check(const char *block, GError **error)
{
    g_autoptr(PsScope) none = ps_scope_new();
    PsLaunchExtent threads = {0};
    const gboolean known = parse_extent("block", block, none, MOST_THREADS, &threads, NULL);
    clear_extent(&threads);
    return !known || ps_ptx_block_check(threads.size, error);
}

void ps_launch_grid_free(PsLaunchGrid *grid)
{
    if (!grid)
        return;
    clear_extent(&grid->groups);
    clear_extent(&grid->threads);
    g_free(grid->samples);
    g_free(grid);
}
