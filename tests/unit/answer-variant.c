/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulations of a question with one thing changed: as many as they may cost, likely ones first. */
#include "tests/help/ask.h"
#include "tests/help/seeds.h"

#include "answer/variant.h"
#include "idg/edit.h"

#include <math.h>

#define N 20       /* different ones */
#define TOGETHER 8 /* begin at most before it is looked what they cost */

static Asked asked_loop(guint times)
{
    g_autofree char *code =
        g_strdup_printf("<code><loop times='%u'><node name='x' class='a'/></loop></code>", times);
    Asked asked = asked_new("", "groups='8' group-size='64'", code);
    asked.question.no_fast_forward = TRUE;
    ask_why(&asked);
    return asked;
}

/* A latency that is 2, 3, 4, ... times as long, each with more of the path than those before it;
 * behind them the least and the most likely once more. */
static GPtrArray *variants_of(const Asked *asked)
{
    GPtrArray *variants = g_ptr_array_new_with_free_func((GDestroyNotify)ps_variant_free);
    for (guint i = 0; i < N + 2; i++) {
        const guint which = i < N ? i : i == N ? 0 : N - 1;
        PsVariant *variant = ps_variant_new(&asked->question);
        ps_variant_times_latency(variant, asked->answer, 0,
                                 (PsLatency){PS_RATIONAL_INT(2 + which), {0, 1}});
        variant->share = which;
        g_ptr_array_add(variants, variant);
    }
    return variants;
}

/* Runs those that an effort allows: the most likely ones, and whatever is like one of them. Returns
 * the effort; *tried of the different ones have a result. */
static PsVariantEffort run(guint times, PsVariantEffort effort, guint threads, guint *tried)
{
    g_auto(Asked) asked = asked_loop(times);
    g_autoptr(GPtrArray) variants = variants_of(&asked);
    g_autoptr(PsCycleCache) cache = ps_cycle_cache_new();
    g_assert_true(ps_variants_run(&asked.question, variants, threads, cache, &effort, NULL));
    *tried = 0;
    for (guint i = 0; i < N; i++)
        *tried += !isnan(((PsVariant *)variants->pdata[i])->seconds);
    for (guint i = 0; i < N; i++)
        g_assert_cmpint(!isnan(((PsVariant *)variants->pdata[i])->seconds), ==, i >= N - *tried);
    g_assert_cmpint(!isnan(((PsVariant *)variants->pdata[N])->seconds), ==, *tried == N);
    if (*tried > 0)
        assert_close(((PsVariant *)variants->pdata[N + 1])->seconds,
                     ((PsVariant *)variants->pdata[N - 1])->seconds);
    g_assert_cmpuint(effort.runs, ==, *tried);
    g_assert_cmpint(effort.cost, <=, effort.most);
    g_assert_cmpuint(ps_variants_untried(variants), ==,
                     *tried == N   ? 0
                     : *tried == 0 ? N + 2
                                   : N + 1 - *tried);
    return effort;
}

static void test_effort(void)
{
    guint tried, others;
    const PsVariantEffort all = run(20, (PsVariantEffort){.most = G_MAXINT64}, 2, &tried);
    g_assert_cmpuint(tried, ==, N);
    /* As many as are thought to be affordable, whoever simulates them. */
    const gint64 each = all.cost / N;
    for (guint n = 0; n < N; n += 3) {
        const PsVariantEffort some = {.most = (gint64)n * each + each / 2, .whole = each};
        const PsVariantEffort one = run(20, some, 1, &tried), three = run(20, some, 3, &others);
        g_assert_cmpuint(tried, <=, n);
        g_assert_cmpuint(tried, >=, n > 0 ? n - 1 : 0);
        g_assert_cmpuint(tried, ==, others);
        g_assert_cmpint(one.cost, ==, three.cost);
        g_assert_cmpint(one.instructions, ==, three.instructions);
    }
}

/* What takes longer than it was thought to is ended, and counts as far as it went. */
static void test_ended(void)
{
    guint tried;
    const PsVariantEffort all = run(5000, (PsVariantEffort){.most = G_MAXINT64}, 1, &tried);
    const gint64 each = all.instructions / N, machine = all.cost / N - each;
    const PsVariantEffort some =
        run(5000, (PsVariantEffort){.most = machine + each / 2, .machine = machine}, 1, &tried);
    g_assert_cmpuint(tried, ==, 0);
    g_assert_cmpint(some.instructions, <=, each / 2);
    g_assert_cmpint(some.instructions, >, each / 4);
}

/* Small runs are allowed what takes a fraction of a second, longer ones five times what they cost,
 * with what they cost themselves and what explains them, and the longest no more than that. */
static void test_most(void)
{
    g_auto(Asked) asked = asked_loop(20);
    PsAnswer *answer = asked.answer;
    static const gint64 much = PS_SIM_EXACT_INSTRUCTIONS;
    const gint64 least = ps_variants_effort(&asked.question, answer).most;
    g_assert_cmpint(least, >=, 3 * much / 2);
    answer->result.simulated = answer->explain->simulated = 4 * much;
    const gint64 some = ps_variants_effort(&asked.question, answer).most;
    g_assert_cmpint(some, >, least);
    g_assert_cmpint(some, <=, 5 * answer->result.simulated - 3 * answer->explain->simulated + much);
    answer->explain->simulated = much;
    g_assert_cmpint(ps_variants_effort(&asked.question, answer).most, ==, some + 5 * much);
    answer->result.simulated = 1000 * much;
    g_assert_cmpint(ps_variants_effort(&asked.question, answer).most, ==, least);
    asked.question.deadline = 1;
    g_assert_cmpint(ps_variants_effort(&asked.question, answer).most, ==, G_MAXINT64);
}

/* ---- graphs that are made in their turn ---------------------------------------------------- */

static guint n_made, n_looked;

static PsIdg *make(PsVariant *variant)
{
    n_made++;
    return ps_idg_copy(*(const PsIdg **)variant->data);
}

static void look(PsVariant *variant)
{
    g_assert_nonnull(variant->answer);
    n_looked++;
}

/* A variant whose turn does not come has none, and none is left. */
static void test_made(void)
{
    g_auto(Asked) asked = asked_loop(20);
    g_autoptr(GPtrArray) variants = variants_of(&asked);
    g_autoptr(PsCycleCache) cache = ps_cycle_cache_new();
    PsVariantEffort effort = {.most = G_MAXINT64};
    g_assert_true(ps_variants_run(&asked.question, variants, 1, cache, &effort, NULL));
    const gint64 plain = effort.cost / N, simulated = effort.instructions / N;
    for (guint i = 0; i < variants->len; i++) {
        PsVariant *variant = variants->pdata[i];
        variant->make = make;
        variant->look = look;
        variant->making = PS_VARIANT_COPIED;
        variant->data = g_memdup2(&asked.question.idg, sizeof asked.question.idg);
        variant->seconds = NAN;
    }
    effort =
        (PsVariantEffort){.most = 12 * plain, .machine = plain - simulated, .whole = simulated};
    g_assert_true(ps_variants_run(&asked.question, variants, 2, cache, &effort, NULL));
    g_assert_cmpuint(n_made, ==, effort.runs);
    g_assert_cmpuint(n_looked, ==, effort.runs);
    g_assert_cmpuint(ps_variants_untried(variants), ==, N + 2 - effort.runs);
    g_assert_cmpuint(effort.runs, >, 0);
    g_assert_cmpuint(effort.runs, <, 12);
    for (guint i = 0; i < variants->len; i++)
        g_assert_null(((PsVariant *)variants->pdata[i])->idg);
}

/* ---- what takes longer than others --------------------------------------------------------- */

/* One of several that begin at once is ended, and goes on when the others have left enough. */
static void test_again(void)
{
    g_auto(Asked) asked = asked_loop(5000);
    g_auto(Asked) other = asked_loop(10000);
    g_autoptr(GPtrArray) variants = variants_of(&asked);
    g_autoptr(PsCycleCache) cache = ps_cycle_cache_new();
    PsVariant *longer = variants->pdata[N - 1];
    g_ptr_array_set_size(variants, N);
    g_ptr_array_remove_range(variants, 0, N - TOGETHER);
    longer->make = make;
    longer->data = g_memdup2(&other.question.idg, sizeof other.question.idg);
    const gint64 each = asked.answer->result.simulated;
    PsVariantEffort effort = {.most = 3 * TOGETHER * each / 2};
    g_assert_true(ps_variants_run(&asked.question, variants, 2, cache, &effort, NULL));
    g_assert_cmpuint(effort.runs, ==, TOGETHER);
    g_assert_false(isnan(longer->seconds));
    g_assert_cmpint(effort.instructions, >, (TOGETHER + 2) * each);
    g_assert_cmpint(effort.cost, <=, effort.most);
}

/* ---- before their turn --------------------------------------------------------------------- */

/* Loops of quite different lengths, each likelier than the next one. */
static GPtrArray *loops_of(const Asked *asked)
{
    static const guint times[] = {3000, 1000, 9000, 2000, 20000, 500, 4000, 12000, 1000, 6000};
    GPtrArray *variants = g_ptr_array_new_with_free_func((GDestroyNotify)ps_variant_free);
    for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
        g_auto(Asked) loop = asked_loop(times[i]);
        PsVariant *variant = ps_variant_new(&asked->question);
        variant->question.idg = variant->idg = ps_idg_copy(loop.question.idg);
        variant->share = -(double)i;
        g_ptr_array_add(variants, variant);
    }
    return variants;
}

/* Returns how many were simulated before their turn. */
static guint run_loops(const GPtrArray *variants, PsVariantEffort *effort, guint threads)
{
    g_autoptr(PsCycleCache) cache = ps_cycle_cache_new();
    const PsVariant *first = variants->pdata[0];
    guint early = 0;
    g_assert_true(ps_variants_run(&first->question, variants, threads, cache, effort, NULL));
    for (guint i = 0; i < variants->len; i++)
        early += ((const PsVariant *)variants->pdata[i])->early.is_known;
    return early;
}

/* With threads to spare, what comes next is simulated early. That changes neither what is tried,
 * nor what is ended, nor what that is said to cost. */
static void test_early(void)
{
    g_auto(Asked) asked = asked_loop(1000);
    const gint64 each = asked.answer->result.simulated;
    guint early = 0, ended = 0;
    const guint step = seeds_times() < 1 ? 9 : 3; /* of what may be simulated */
    for (guint n = 1; n <= 64; n += step) {
        g_autoptr(GPtrArray) alone = loops_of(&asked), many = loops_of(&asked);
        PsVariantEffort one = {.most = (gint64)n * each, .whole = each}, three = one;
        g_assert_cmpuint(run_loops(alone, &one, 1), ==, 0);
        early += run_loops(many, &three, 3);
        g_assert_cmpint(one.cost, ==, three.cost);
        g_assert_cmpint(one.instructions, ==, three.instructions);
        g_assert_cmpuint(one.runs, ==, three.runs);
        g_assert_cmpint(three.cost, <=, three.most);
        for (guint i = 0; i < alone->len; i++) {
            const PsVariant *x = alone->pdata[i], *y = many->pdata[i];
            g_assert_true(x->seconds == y->seconds || (isnan(x->seconds) && isnan(y->seconds)));
            g_assert_cmpint(x->ended, ==, y->ended);
            ended += x->ended;
        }
    }
    g_assert_cmpuint(early, >, 0);
    g_assert_cmpuint(ended, >, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/variant/effort", test_effort);
    g_test_add_func("/answer/variant/ended", test_ended);
    g_test_add_func("/answer/variant/most", test_most);
    g_test_add_func("/answer/variant/made", test_made);
    g_test_add_func("/answer/variant/again", test_again);
    g_test_add_func("/answer/variant/early", test_early);
    return g_test_run();
}
