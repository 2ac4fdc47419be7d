/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare-options.h. */
#include "cli/compare-options.h"

#include "cli/fail.h"

#include <string.h>

/* ---- the two command lines ----------------------------------------------------------------- */

/* Where --versus stands; the end where it does not. */
static guint find_versus(char **argv)
{
    guint at = 0;
    while (argv[at] && strcmp(argv[at], "--versus") != 0)
        at++;
    return at;
}

/* What B was given itself replaces what it would share with A; the lists hold both, A's first. */
static void replace(char **list, char **shared)
{
    if (!list)
        return;
    const guint n = g_strv_length(list), before = shared ? g_strv_length(shared) : 0;
    if (n == before)
        return;
    for (guint i = 0; i < before; i++)
        g_free(list[i]);
    for (guint i = before; i <= n; i++)
        list[i - before] = list[i];
}

gboolean compare_raw_read(char **argv, Raw *a, Raw *b, gboolean *versus, GError **error)
{
    const guint at = find_versus(argv);
    *versus = argv[at] != NULL;
    if (!*versus)
        return raw_read(VERB_COMPARE, argv, a, error);
    if (argv[at + 1 + find_versus(argv + at + 1)])
        return usage_error(error, "--versus: two things are compared, so it is there once");
    g_autoptr(GPtrArray) first = g_ptr_array_new(), both = g_ptr_array_new();
    for (guint i = 0; argv[i]; i++) {
        if (i < at)
            g_ptr_array_add(first, argv[i]);
        if (i != at)
            g_ptr_array_add(both, argv[i]);
    }
    g_ptr_array_add(first, NULL);
    g_ptr_array_add(both, NULL);
    if (!raw_read(VERB_COMPARE, (char **)first->pdata, a, error) ||
        !raw_read(VERB_COMPARE, (char **)both->pdata, b, error))
        return FALSE;
    replace(b->files, a->files);
    replace(b->gpus, a->gpus);
    replace(b->what_if, a->what_if);
    return TRUE;
}

/* ---- the two sides ------------------------------------------------------------------------- */

static guint count(char **list)
{
    return list ? g_strv_length(list) : 0;
}

static CompareSide side_of(const Options *options, guint file, guint gpu, gboolean what_if)
{
    return (CompareSide){options, options->files[file], options->gpus[gpu],
                         what_if && options->what_if_text != NULL};
}

static gboolean check_one(const Options *options, const char *which, GError **error)
{
    const guint files = count(options->files), gpus = count(options->gpus);
    if (!files || !gpus)
        return usage_error(error, "with --versus, %s lacks its %s", which,
                           files ? "GPU, such as --gpu pascal.xml" : "graph");
    if (files > 1 || gpus > 1)
        return usage_error(error, "with --versus, %s is one graph on one GPU, and not '%s', too",
                           which, files > 1 ? options->files[1] : options->gpus[1]);
    return TRUE;
}

static gboolean check_input(const CompareSide sides[2], GError **error)
{
    guint graphs = 0, gpus = 0;
    for (guint i = 0; i < 2; i++) {
        graphs |= strcmp(sides[i].file, "-") == 0;
        gpus |= strcmp(sides[i].gpu, "-") == 0;
    }
    return graphs + gpus < 2 || usage_error(error, "standard input (-) can be read only once");
}

gboolean compare_sides(const Options *options, CompareSide sides[2], GError **error)
{
    const guint files = count(options->files), gpus = count(options->gpus);
    if (options->versus) {
        if (!check_one(options, "A", error) || !check_one(options->versus, "B", error))
            return FALSE;
        sides[0] = side_of(options, 0, 0, TRUE);
        sides[1] = side_of(options->versus, 0, 0, TRUE);
        return check_input(sides, error);
    }
    if (!files)
        return usage_error(error, "say which graphs to compare");
    if (!gpus)
        return usage_error(error, "say on which GPU, such as --gpu pascal.xml");
    if (files > 2 || gpus > 2)
        return usage_error(error, "'%s': two things are compared, and this is the third",
                           files > 2 ? options->files[2] : options->gpus[2]);
    if (files == 2 && gpus == 2)
        return usage_error(error, "two graphs and two GPUs: say which graph is on which, as in "
                                  "compare A.idg --gpu A.xml --versus B.idg --gpu B.xml");
    const gboolean alone = files == 1 && gpus == 1;
    if (alone && !options->what_if_text)
        return usage_error(error,
                           "one graph on one GPU is nothing to compare: name a second graph, a "
                           "second --gpu, a --what-if, or --versus and the options of B");
    sides[0] = side_of(options, 0, 0, !alone);
    sides[1] = side_of(options, files - 1, gpus - 1, TRUE);
    return check_input(sides, error);
}
