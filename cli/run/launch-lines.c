/* SPDX-License-Identifier: BSD-3-Clause */
/* See launch-lines.h. */
#include "cli/run/launch-lines.h"

#include "cli/command-line.h"
#include "cli/fail.h"
#include "pipesim-private.h"

#include <string.h>

#define MOST_BYTES (4 * 1024 * 1024)

#define KERNEL "--kernel="
#define ARGUMENT "--arg="
#define COUNT "--count="
#define LAUNCHES "--launches="

static gboolean is_own(const char *word)
{
    return g_str_has_prefix(word, COUNT) || word_is_of_code(VERB_RUN, word);
}

/* Kernels that share options of their own; all texts are borrowed. */
typedef struct {
    GPtrArray *kernels, *own; /* words */
} Part;

static void part_free(void *data)
{
    Part *part = data;
    g_ptr_array_unref(part->kernels);
    g_ptr_array_unref(part->own);
    g_free(part);
}

/* The command line in parts. */
typedef struct {
    GPtrArray *shared, *files; /* words for all launches; words behind -- */
    GPtrArray *parts;          /* Part */
    const char *launches;      /* the file of launches; NULL: there is none */
    gboolean counted;          /* the command line has a --count */
} Parts;

static void parts_clear(Parts *parts)
{
    g_ptr_array_unref(parts->shared);
    g_ptr_array_unref(parts->files);
    g_ptr_array_unref(parts->parts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Parts, parts_clear)

static void add_kernel(Parts *parts, char *word)
{
    Part *last = parts->parts->len ? parts->parts->pdata[parts->parts->len - 1] : NULL;
    if (!last || last->own->len) {
        last = g_new0(Part, 1);
        *last = (Part){g_ptr_array_new(), g_ptr_array_new()};
        g_ptr_array_add(parts->parts, last);
    }
    g_ptr_array_add(last->kernels, word);
}

static Parts split(char **words)
{
    Parts parts = {g_ptr_array_new(), g_ptr_array_new(), g_ptr_array_new_with_free_func(part_free),
                   NULL, FALSE};
    for (char **word = words; *word; word++) {
        const gboolean own = word > words && is_own(*word);
        if (strcmp(*word, "--") == 0 || parts.files->len) {
            g_ptr_array_add(parts.files, *word);
        } else if (g_str_has_prefix(*word, KERNEL)) {
            add_kernel(&parts, *word);
        } else if (own && parts.parts->len) {
            Part *last = parts.parts->pdata[parts.parts->len - 1];
            g_ptr_array_add(last->own, *word);
        } else {
            g_ptr_array_add(parts.shared, *word);
        }
        if (g_str_has_prefix(*word, LAUNCHES))
            parts.launches = *word + strlen(LAUNCHES);
        parts.counted |= g_str_has_prefix(*word, COUNT);
    }
    return parts;
}

/* ---- launches ------------------------------------------------------------------------------ */

static void launch_line_free(void *data)
{
    LaunchLine *line = data;
    g_free(line->where);
    g_strfreev(line->argv);
    g_strfreev(line->common);
    g_free(line);
}

static void add_words(GPtrArray *argv, const GPtrArray *words)
{
    for (guint i = 0; i < words->len; i++)
        g_ptr_array_add(argv, g_strdup(words->pdata[i]));
}

/* The shared words, the kernel's name (NULL: none) and its own words. */
static char **argv_of(const Parts *parts, const char *kernel, const GPtrArray *own)
{
    GPtrArray *argv = g_ptr_array_new();
    add_words(argv, parts->shared);
    if (kernel)
        g_ptr_array_add(argv, g_strdup(kernel));
    if (own)
        add_words(argv, own);
    add_words(argv, parts->files);
    g_ptr_array_add(argv, NULL);
    return (char **)g_ptr_array_free(argv, FALSE);
}

static void add_arguments(GPtrArray *arguments, const GPtrArray *words)
{
    for (guint i = 0; i < words->len; i++)
        if (g_str_has_prefix(words->pdata[i], ARGUMENT))
            g_ptr_array_add(arguments, g_strdup((const char *)words->pdata[i] + strlen(ARGUMENT)));
}

/* The values of --arg for several kernels. */
static char **common_of(const Parts *parts, const Part *part)
{
    GPtrArray *arguments = g_ptr_array_new();
    add_arguments(arguments, parts->shared);
    if (part && part->kernels->len > 1)
        add_arguments(arguments, part->own);
    g_ptr_array_add(arguments, NULL);
    return (char **)g_ptr_array_free(arguments, FALSE);
}

static void add_launch(LaunchLines *lines, char *where, char **argv, char **common)
{
    LaunchLine *line = g_new0(LaunchLine, 1);
    *line = (LaunchLine){where, argv, common};
    g_ptr_array_add(lines->launches, line);
}

static void add_part(LaunchLines *lines, const Parts *parts, const Part *part)
{
    for (guint i = 0; i < part->kernels->len; i++) {
        const char *kernel = part->kernels->pdata[i];
        add_launch(lines, g_strdup_printf("--kernel %s", kernel + strlen(KERNEL)),
                   argv_of(parts, kernel, part->own), common_of(parts, part));
    }
}

/* ---- a file of launches -------------------------------------------------------------------- */

/* Refuses an option for all launches in a launch's own words: its place is the command line. */
static gboolean check_own(char **words, GError **error)
{
    for (char **word = words; *word; word++)
        if (!is_own(*word) || g_str_has_prefix(*word, KERNEL))
            return usage_error(error,
                               "'%s' is no option of a launch; write what is for all on the "
                               "command line",
                               *word);
    return TRUE;
}

static gboolean add_listed(LaunchLines *lines, const Parts *parts, const PsListedLaunch *listed,
                           GError **error)
{
    g_autofree char *where = g_strdup_printf("%s:%u", parts->launches, listed->line);
    g_autofree char *kernel = g_strconcat(KERNEL, listed->kernel, NULL);
    g_auto(GStrv) words = words_join(VERB_RUN, listed->words, error);
    if (!words || !check_own(words, error)) {
        g_prefix_error(error, "%s: ", where);
        return FALSE;
    }
    g_autoptr(GPtrArray) own = g_ptr_array_new();
    for (char **word = words; *word; word++)
        g_ptr_array_add(own, *word);
    add_launch(lines, g_steal_pointer(&where), argv_of(parts, kernel, own), common_of(parts, NULL));
    return TRUE;
}

static gboolean add_file(LaunchLines *lines, const Parts *parts, GError **error)
{
    gsize length = 0;
    if (parts->parts->len)
        return usage_error(error, "--launches: its file names the kernels; leave out --kernel");
    if (!*parts->launches)
        return usage_error(error, "--launches: the name of the file is empty");
    g_autofree char *text = ps_file_read(parts->launches, MOST_BYTES, &length, error);
    g_autoptr(GPtrArray) all =
        text ? ps_listed_launches(text, length, parts->launches, "--", error) : NULL;
    for (guint i = 0; all && i < all->len; i++)
        if (!add_listed(lines, parts, all->pdata[i], error))
            return FALSE;
    return all != NULL;
}

/* -------------------------------------------------------------------------------------------- */

static const char *kernel_of(const LaunchLine *line)
{
    for (char **word = line->argv; *word; word++)
        if (g_str_has_prefix(*word, KERNEL))
            return *word + strlen(KERNEL);
    return NULL;
}

/* Launches of a single kernel take everything. */
static void forget_common(LaunchLines *lines)
{
    const GPtrArray *all = lines->launches;
    for (guint i = 1; i < all->len; i++)
        if (g_strcmp0(kernel_of(all->pdata[i]), kernel_of(all->pdata[0])) != 0)
            return;
    for (guint i = 0; i < all->len; i++) {
        LaunchLine *line = all->pdata[i];
        g_clear_pointer(&line->common, g_strfreev);
    }
}

LaunchLines *launch_lines_read(char **argv, GError **error)
{
    g_auto(GStrv) words = words_join(VERB_RUN, argv, error);
    if (!words)
        return NULL;
    g_auto(Parts) parts = split(words);
    const GPtrArray *each = parts.parts;
    const gboolean several =
        each->len > 1 || (each->len && ((const Part *)each->pdata[0])->kernels->len > 1);
    g_autoptr(LaunchLines) lines = g_new0(LaunchLines, 1);
    lines->launches = g_ptr_array_new_with_free_func(launch_line_free);
    const gboolean one = !several && !parts.counted && !parts.launches;
    lines->argv = one ? g_strdupv(argv) : argv_of(&parts, NULL, NULL);
    if (parts.launches && !add_file(lines, &parts, error))
        return NULL;
    for (guint i = 0; !one && i < each->len; i++)
        add_part(lines, &parts, each->pdata[i]);
    if (parts.counted && !lines->launches->len)
        add_launch(lines, NULL, argv_of(&parts, NULL, NULL), NULL);
    forget_common(lines);
    return g_steal_pointer(&lines);
}

void launch_lines_free(LaunchLines *lines)
{
    if (!lines)
        return;
    g_strfreev(lines->argv);
    g_clear_pointer(&lines->launches, g_ptr_array_unref);
    g_free(lines);
}
