/* SPDX-License-Identifier: BSD-3-Clause */
/* What the time went to, and which one thing holds a run up. */
#include "answer/answer-private.h"
#include "tests/help/ask.h"

#define CHAIN                                                                                      \
    "<code><loop times='50'><node name='x' class='global.load' after='x' line='3'/>"               \
    "</loop></code>"

static gint64 total(const GPtrArray *shares)
{
    gint64 ticks = 0;
    for (guint i = 0; i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        g_assert_cmpint(share->ticks, >, 0);
        if (i > 0)
            g_assert_cmpint(share->ticks, <=,
                            ((const PsExplainShare *)shares->pdata[i - 1])->ticks);
        ticks += share->ticks;
    }
    return ticks;
}

/* Each table adds up to the run; nodes with one line, and those without, are one share. */
static void test_tables(void)
{
    g_auto(Asked) asked = asked_new(
        "", "groups='16' group-size='64'",
        "<code><loop times='9'><node name='x' class='global.load' line='3'/>"
        "<node name='y' class='a' after='x y' line='3'/><node name='z' class='a' after='y'/>"
        "<node name='w' class='a' after='z'/></loop></code>");
    const PsAnswer *answer = ask_why(&asked);
    const PsExplain *explain = answer->explain;
    g_assert_cmpint(total(explain->by_class), ==, answer->result.ticks);
    g_assert_cmpint(total(explain->by_line), ==, answer->result.ticks);
    g_assert_cmpint(total(explain->by_pipeline), ==, answer->result.ticks);
    g_assert_cmpuint(explain->by_line->len, ==, 2);
    guint named = 0;
    for (guint i = 0; i < 2; i++) {
        const char *line = ((const PsExplainShare *)explain->by_line->pdata[i])->line;
        if (line)
            g_assert_cmpstr(line, ==, "small.cl:3");
        named += line != NULL;
    }
    g_assert_cmpuint(named, ==, 1);
    gint64 times = 0, stretches = 0;
    for (guint i = 0; i < explain->by_pipeline->len; i++)
        times += ((const PsExplainShare *)explain->by_pipeline->pdata[i])->times;
    for (guint i = 0; i < explain->path->len; i++)
        stretches += ((const PsPathRow *)explain->path->pdata[i])->ticks > 0
                         ? ((const PsPathRow *)explain->path->pdata[i])->times
                         : 0;
    g_assert_cmpint(times, ==, stretches);
    double waits = 0;
    for (guint i = 0; i < explain->waits->len; i++)
        waits += ps_explain_wait_share(explain, explain->waits->pdata[i]);
    assert_close(waits, 1);
}

static PsBottleneck bottleneck_of(Asked *asked)
{
    PsBottleneck bottleneck;
    g_assert_true(ps_answer_bottleneck(ask_why(asked), &bottleneck));
    return bottleneck;
}

/* Without advice: the path, a saturated pipeline, a barrier that warps wait for. */
static void test_without_advice(void)
{
    g_auto(Asked) chain = asked_new("", "groups='4' group-size='32'", CHAIN);
    PsBottleneck found = bottleneck_of(&chain);
    g_assert_cmpint(found.cause, ==, PS_CAUSE_LATENCY);
    g_assert_cmpint(found.of, ==, PS_SHARE_OF_PATH);
    g_assert_cmpstr(found.line, ==, "small.cl:3");
    g_assert_cmpfloat(found.share, >, 0.99);
    g_auto(Asked) stream = asked_new("", "groups='64' group-size='64'",
                                     "<code><loop times='40'><node name='x' class='a'/></loop>"
                                     "</code>");
    found = bottleneck_of(&stream);
    g_assert_cmpint(found.cause, ==, PS_CAUSE_THROUGHPUT);
    g_assert_cmpint(found.of, ==, PS_SHARE_OF_TIME);
    g_assert_cmpfloat(found.share, >=, 0.9);
    g_auto(Asked) late = asked_new(
        "", "groups='16' group-size='128'",
        "<code warps='0..2'><loop times='20'><node name='x' class='a' after='x'/>"
        "<node name='b' class='barrier' after='x'/></loop></code>"
        "<code><loop times='20'><loop times='9'><node name='x' class='a' after='x'/></loop>"
        "<node name='b' class='barrier' after='x'/></loop></code>");
    found = bottleneck_of(&late);
    g_assert_cmpint(found.cause, ==, PS_CAUSE_BARRIER);
    g_assert_cmpint(found.of, ==, PS_SHARE_OF_WARPS);
    assert_close(found.share, ps_explain_barrier_share(late.answer->explain));
    g_auto(Asked) conflict = asked_new("", "groups='64' group-size='64'",
                                       "<code><loop times='40'><node name='x' "
                                       "class='local.load.c4'/></loop></code>");
    g_assert_cmpint(bottleneck_of(&conflict).cause, ==, PS_CAUSE_BANK_CONFLICT);
}

static PsAdvice *add(PsAnswer *answer, PsCause cause, guint class_index)
{
    PsAdvice *advice = g_new0(PsAdvice, 1);
    *advice = (PsAdvice){.cause = cause, .class_index = class_index};
    g_ptr_array_add(answer->advice, advice);
    return advice;
}

static PsCause cause_with(const PsCause *causes, guint n)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'", CHAIN);
    ask_why(&asked);
    asked.answer->advice = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++)
        add(asked.answer, causes[i], 0);
    PsBottleneck bottleneck;
    g_assert_true(ps_answer_bottleneck(asked.answer, &bottleneck));
    return bottleneck.cause;
}

/* The first advice that names a cause decides. More groups at once, and numbers that share out
 * evenly, only hide one; what names none leaves it to the path. */
static void test_by_advice(void)
{
    const PsCause first[] = {PS_CAUSE_THROUGHPUT, PS_CAUSE_BARRIER};
    g_assert_cmpint(cause_with(first, 2), ==, PS_CAUSE_THROUGHPUT);
    const PsCause occupancy[] = {PS_CAUSE_OCCUPANCY, PS_CAUSE_TAIL, PS_CAUSE_THROUGHPUT};
    g_assert_cmpint(cause_with(occupancy, 3), ==, PS_CAUSE_THROUGHPUT);
    g_assert_cmpint(cause_with(occupancy + 1, 2), ==, PS_CAUSE_THROUGHPUT);
    g_assert_cmpint(cause_with(occupancy, 2), ==, PS_CAUSE_LATENCY);
    const PsCause none[] = {PS_CAUSE_NOTHING, PS_CAUSE_THROUGHPUT};
    g_assert_cmpint(cause_with(none, 2), ==, PS_CAUSE_LATENCY);
    const PsCause launch[] = {PS_CAUSE_LAUNCH, PS_CAUSE_THROUGHPUT};
    g_assert_cmpint(cause_with(launch, 2), ==, PS_CAUSE_LATENCY);
    g_assert_cmpstr(ps_cause_name(PS_CAUSE_ISSUE_PORT), ==, "issue-port");
}

/* A run of one cycle has occupancy, too; one without instructions has none. */
static void test_shortest(void)
{
    static const char *const trips[] = {"1", "0"};
    for (guint i = 0; i < G_N_ELEMENTS(trips); i++) {
        g_autofree char *code = g_strdup_printf(
            "<code><loop times='%s'><node name='x' class='b'/></loop></code>", trips[i]);
        g_auto(Asked) asked =
            asked_new("<class name='b' pipeline='b' issue='1' completion='1' source='me'/>",
                      "groups='1' group-size='32'", code);
        const PsAnswer *answer = ask_why(&asked);
        g_assert_cmpint(answer->result.ticks, ==, i == 0 ? 1 : 0);
        g_assert_cmpuint(answer->explain->n_occupancy, ==, i == 0 ? PS_EXPLAIN_PARTS : 0);
    }
}

/* A caller that did not ask is told nothing. */
static void test_unasked(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'", CHAIN);
    PsBottleneck bottleneck;
    g_assert_null(ask(&asked)->explain);
    g_assert_false(ps_answer_bottleneck(asked.answer, &bottleneck));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/explain/tables", test_tables);
    g_test_add_func("/answer/explain/without-advice", test_without_advice);
    g_test_add_func("/answer/explain/by-advice", test_by_advice);
    g_test_add_func("/answer/explain/shortest", test_shortest);
    g_test_add_func("/answer/explain/unasked", test_unasked);
    return g_test_run();
}
