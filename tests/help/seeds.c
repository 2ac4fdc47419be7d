/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seeds that a test program looks at: see seeds.h.
 */
#include "tests/help/seeds.h"

static gint64 number_from_environment(const char *name, gint64 otherwise)
{
    const char *text = g_getenv(name);
    return text ? g_ascii_strtoll(text, NULL, 10) : otherwise;
}

double seeds_times(void)
{
    const char *text = g_getenv("PIPESIM_SEEDS_TIMES");
    return text ? g_ascii_strtod(text, NULL) : 1;
}

guint seeds_count(SeedCounts counts)
{
    const char *checker = g_getenv("PIPESIM_CHECKER");
    const guint usual = MAX((guint)(counts.usual * seeds_times()), 1);
    if (g_strcmp0(checker, "valgrind") == 0)
        return counts.valgrind;
    return checker && *checker ? MAX(usual / 8, 1) : usual;
}

guint seeds_check(SeedCounts counts, SeedCheck check, gpointer data)
{
    const gint64 usual = seeds_count(counts);
    gint64 first = number_from_environment("PIPESIM_SEED", 1);
    gint64 seeds = g_getenv("PIPESIM_SEED") ? 1 : number_from_environment("PIPESIM_SEEDS", usual);
    guint failed = 0, looked = 0;
    for (gint64 seed = first; seed < first + seeds && failed < 3; seed++, looked++)
        failed += !check((guint32)seed, data);
    g_assert_cmpuint(failed, ==, 0);
    return looked;
}
