/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulations of a question with one thing changed: as many as they may take, likely ones first. */
#include "tests/help/ask.h"

#include "answer/variant.h"

#include <math.h>

#define N 20       /* different ones */
#define TOGETHER 8 /* begin before it is looked what they took */

/* A latency of 2, 3, 4, ... cycles, each with more of the path than those before it; behind them
 * the least and the most likely once more. */
static GPtrArray *variants_of(const Asked *asked)
{
    GPtrArray *variants = g_ptr_array_new_with_free_func((GDestroyNotify)ps_variant_free);
    for (guint i = 0; i < N + 2; i++) {
        const guint which = i < N ? i : i == N ? 0 : N - 1;
        PsVariant *variant = ps_variant_new(&asked->question);
        ps_variant_set_latency(variant, asked->answer, 0,
                               (PsLatency){PS_RATIONAL_INT(2 + which), {0, 1}});
        variant->share = which;
        g_ptr_array_add(variants, variant);
    }
    return variants;
}

/* Of those that an effort allows: the most likely ones, and whatever is like one of them. */
static PsVariantEffort run(gint64 most, guint threads, guint tried)
{
    g_auto(Asked) asked =
        asked_new("", "groups='8' group-size='64'",
                  "<code><loop times='20'><node name='x' class='a'/></loop></code>");
    ask_why(&asked);
    g_autoptr(GPtrArray) variants = variants_of(&asked);
    g_autoptr(PsCycleCache) cache = ps_cycle_cache_new();
    PsVariantEffort effort = {.most = most};
    g_assert_true(ps_variants_run(&asked.question, variants, threads, cache, &effort, NULL));
    for (guint i = 0; i < N; i++)
        g_assert_cmpint(!isnan(((PsVariant *)variants->pdata[i])->seconds), ==, i >= N - tried);
    g_assert_cmpint(!isnan(((PsVariant *)variants->pdata[N])->seconds), ==, tried == N);
    assert_close(((PsVariant *)variants->pdata[N + 1])->seconds,
                 ((PsVariant *)variants->pdata[N - 1])->seconds);
    g_assert_cmpuint(effort.runs, ==, tried);
    g_assert_cmpuint(ps_variants_untried(variants), ==, tried == N ? 0 : N + 1 - tried);
    return effort;
}

static void test_effort(void)
{
    const PsVariantEffort few = run(1, 1, TOGETHER);
    g_assert_cmpint(few.instructions, >, 0);
    g_assert_cmpint(run(1, 3, TOGETHER).instructions, ==, few.instructions);
    run(few.instructions, 2, TOGETHER);
    run(few.instructions + 1, 2, 2 * (gsize)TOGETHER);
    run(G_MAXINT64, 2, N);
}

/* Small runs are allowed what takes about a second, longer ones five times what they simulate. */
static void test_most(void)
{
    PsQuestion question = {.deadline = 0};
    PsAnswer answer = {.result.simulated = 1000};
    g_assert_cmpint(ps_variants_most(&question, &answer), ==, PS_SIM_EXACT_INSTRUCTIONS);
    answer.result.simulated = PS_SIM_EXACT_INSTRUCTIONS;
    g_assert_cmpint(ps_variants_most(&question, &answer), ==, 5 * PS_SIM_EXACT_INSTRUCTIONS);
    question.deadline = 1;
    g_assert_cmpint(ps_variants_most(&question, &answer), ==, G_MAXINT64);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/variant/effort", test_effort);
    g_test_add_func("/answer/variant/most", test_most);
    return g_test_run();
}
