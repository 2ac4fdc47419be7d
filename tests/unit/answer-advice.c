/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice: each kind where there is its cause alone, with what a simulation without that cause
 * takes; and from what gain on it is told.
 */
#include "answer/figures.h"
#include "tests/help/ask.h"
#include "tests/help/clock.h"

#include <math.h>

#define STREAM(class_) "<code><loop times='20'><node name='x' class='" class_ "'/></loop></code>"
#define CHAIN(class_)                                                                              \
    "<code><loop times='50'><node name='x' class='" class_ "' after='x'/></loop></code>"

/* The gain of advice is what its seconds say. */
static const PsAdvice *told(const PsAnswer *answer, const char *change, PsCause cause)
{
    const PsAdvice *advice = advice_by(answer, change);
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, cause);
    if (strcmp(change, "more-groups") != 0 && strcmp(change, "even-groups") != 0) {
        assert_close(advice->gain, 1 - advice->seconds / answer->seconds);
        g_assert_cmpfloat(advice->gain, >=, PS_ADVICE_LEAST);
    }
    return advice;
}

static void test_conflict(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='64'", STREAM("local.load.c4"));
    const PsAdvice *advice = told(ask_advice(&asked), "class", PS_CAUSE_BANK_CONFLICT);
    g_assert_cmpstr(advice->class_name, ==, "local.load.c4");
    g_assert_cmpfloat(advice_figure(advice, "degree"), ==, 4);
    g_assert_cmpstr(advice_text(advice, "plain"), ==, "local.load");
    assert_close(advice->seconds, ask_if(&asked, "local.issue=2,local.completion=20"));
}

/* Where the class does not say its degree, it is how much longer it keeps the pipeline. */
static void test_degree(void)
{
    g_auto(Asked) asked =
        asked_new("<class name='local.load.conflict' pipeline='local' issue='6' completion='20'/>",
                  "groups='64' group-size='64'", STREAM("local.load.conflict"));
    const PsAdvice *advice = told(ask_advice(&asked), "class", PS_CAUSE_BANK_CONFLICT);
    g_assert_cmpfloat(advice_figure(advice, "degree"), ==, 3);
    g_assert_false(advice_has(advice, "sectors"));
}

static void test_uncoalesced(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='64' group-size='64'",
                  "<code><loop times='20'><node name='y' "
                  "class='global.store.s32' bytes='4' device='8'/></loop></code>");
    const PsAdvice *advice = told(ask_advice(&asked), "class", PS_CAUSE_UNCOALESCED);
    g_assert_cmpfloat(advice_figure(advice, "sectors"), ==, 32);
    g_assert_cmpfloat(advice_figure(advice, "least_sectors"), ==, 4);
    assert_close(advice_figure(advice, "traffic_now") / advice_figure(advice, "traffic_then"), 8);
    g_assert_null(advice_by(asked.answer, "pipeline"));
}

/* A latency that is asked for instead of the GPU's. */
static void test_what_if(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'", CHAIN("a"));
    g_autoptr(GPtrArray) latencies = ps_what_if_parse("a.completion=80", NULL);
    const double before = ask(&asked)->seconds;
    asked.question.latencies = latencies;
    const PsAdvice *advice = told(ask_advice(&asked), "class", PS_CAUSE_WHAT_IF);
    assert_close(advice->seconds, before);
    g_assert_false(advice_has(advice, "plain"));
}

/* Each of two is taken back alone. */
static void test_what_ifs(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'",
                                    "<code><loop times='50'><node name='x' class='a' after='y'/>"
                                    "<node name='y' class='local.load' after='x'/></loop></code>");
    g_autoptr(GPtrArray) latencies = ps_what_if_parse("a.completion=80,local.completion=60", NULL);
    asked.question.latencies = latencies;
    const GPtrArray *avoidables = ask_advice(&asked)->sensitivities->avoidables;
    g_assert_cmpuint(avoidables->len, ==, 2);
    const PsAvoidable *first = avoidables->pdata[0], *second = avoidables->pdata[1];
    g_assert_cmpstr(first->class_name, ==, "a");
    g_assert_cmpstr(second->class_name, ==, "local");
    assert_close(first->seconds, ask_if(&asked, "local.completion=60"));
    assert_close(second->seconds, ask_if(&asked, "a.completion=80"));
}

static void test_pipeline(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='64'", STREAM("a"));
    const PsAdvice *advice = told(ask_advice(&asked), "pipeline", PS_CAUSE_THROUGHPUT);
    g_assert_true(advice->alone);
    g_assert_false(advice_has(advice, "device_memory"));
    assert_close(advice->seconds, ask_if(&asked, "a.issue=0.5"));
    g_auto(Asked) other = asked_new("", "groups='64' group-size='64'", STREAM("global.load"));
    told(ask_advice(&other), "pipeline", PS_CAUSE_BANDWIDTH);
}

/* Three pipelines side by side: a is busy all the time, b and c for so many hundredths of it. */
static Asked three(const char *b, const char *c)
{
    g_autofree char *rows =
        g_strdup_printf("<class name='d' pipeline='a' issue='100' completion='100'/>"
                        "<class name='b' pipeline='b' issue='%s' completion='100'/>"
                        "<class name='c' pipeline='c' issue='%s' completion='100'/>",
                        b, c);
    return asked_new(rows, "groups='2' group-size='32'",
                     "<code><loop times='1000'><node name='x' class='d'/>"
                     "<node name='y' class='b'/><node name='z' class='c'/></loop></code>");
}

/* A pipeline that is busy all the time, beside a chain that takes so many hundredths of it. */
static Asked beside_chain(const char *completion)
{
    g_autofree char *rows =
        g_strdup_printf("<class name='d' pipeline='a' issue='100' completion='100'/>"
                        "<class name='b' pipeline='b' issue='10' completion='%s'/>",
                        completion);
    return asked_new(rows, "groups='2' group-size='32'",
                     "<code><loop times='1000'><node name='x' class='d'/>"
                     "<node name='y' class='b' after='y'/></loop></code>");
}

/* From 2 % on a gain is told. */
static void test_least(void)
{
    g_auto(Asked) little = beside_chain("98.2");
    ask_advice(&little);
    g_assert_cmpuint(little.answer->advice->len, ==, 1);
    const PsAdvice *nothing = little.answer->advice->pdata[0];
    g_assert_cmpint(nothing->cause, ==, PS_CAUSE_NOTHING);
    g_assert_cmpstr(nothing->change->name, ==, "none");
    g_assert_true(isnan(nothing->seconds));
    g_auto(Asked) enough = beside_chain("97.8");
    const PsAdvice *advice = told(ask_advice(&enough), "pipeline", PS_CAUSE_THROUGHPUT);
    g_assert_cmpfloat_with_epsilon(advice->gain, 0.022, 0.001);
}

/* All that are nearly saturated at once are told of where that gains 2 % more than one alone. */
static void test_pipelines(void)
{
    g_auto(Asked) enough = three("90", "70");
    const PsAdvice *advice = told(ask_advice(&enough), "pipelines", PS_CAUSE_THROUGHPUT);
    g_assert_cmpfloat_with_epsilon(advice->gain, 0.30, 0.001);
    g_assert_cmpfloat(advice_figure(advice, "pipelines"), ==, 2);
    g_assert_nonnull(strstr(advice->sentence, "limits, a at "));
    g_assert_false(advice->alone);
    g_auto(Asked) little = three("80.5", "79");
    g_assert_null(advice_by(ask_advice(&little), "pipelines"));
    g_assert_nonnull(advice_by(little.answer, "pipeline"));
    g_auto(Asked) border = three("80.5", "78.2");
    g_assert_nonnull(advice_by(ask_advice(&border), "pipelines"));
}

static void test_latency(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'", CHAIN("global.load"));
    const PsAdvice *advice = told(ask_advice(&asked), "latency", PS_CAUSE_LATENCY);
    g_assert_cmpfloat(advice_figure(advice, "then") * 2, ==, advice_figure(advice, "now"));
    assert_close(advice->seconds, ask_if(&asked, "global.completion=100"));
    g_assert_cmpfloat_with_epsilon(advice->gain, 0.5, 0.001);
}

/* Instructions of four classes that meet by chance: to wait longer for some gains 3.4 %, so that
 * 3.9 % and 2.7 % by waiting half as long for others are worth no word. */
static void test_chance(void)
{
    g_auto(Asked) asked =
        asked_new("<class name='local.p' pipeline='a' issue='6' completion='37'/>"
                  "<class name='local.q' pipeline='b' issue='3' completion='19'/>"
                  "<class name='local.r' pipeline='b' issue='6' completion='10'/>"
                  "<class name='local.s' pipeline='b' issue='1' completion='26'/>",
                  "groups='14' group-size='32'",
                  "<code><loop times='5'><node name='n1' class='local.s' after='n1'/>"
                  "<node name='n2' class='local.p' after='n2'/><node name='n3' class='local.q' "
                  "after='n1@1 n3'/>"
                  "<node name='n4' class='local.s' after='n1 n2@1'/><node name='n5' "
                  "class='local.p' after='n1@1 n3'/>"
                  "<node name='n6' class='local.r' after='n1 n3 n5'/></loop></code>");
    const PsAnswer *answer = ask_advice(&asked);
    guint gaining = 0;
    double chance = 0;
    for (guint i = 0; i < answer->sensitivities->rows->len; i++) {
        const PsSensitivity *row = answer->sensitivities->rows->pdata[i];
        if (row->varies != PS_VARIES_COMPLETION)
            continue;
        gaining += 1 - row->seconds[0] / answer->seconds >= PS_ADVICE_LEAST;
        chance = fmax(chance, 1 - row->seconds[2] / answer->seconds);
    }
    g_assert_cmpuint(gaining, ==, 2);
    g_assert_cmpfloat_with_epsilon(chance, 0.0335, 0.0005);
    for (guint i = 0; i < answer->advice->len; i++)
        g_assert_cmpint(((const PsAdvice *)answer->advice->pdata[i])->cause, !=, PS_CAUSE_LATENCY);
}

/* Two loads side by side: quicker alone helps none of them. */
static void test_latencies(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='2' group-size='32'",
                  "<code><loop times='50'><node name='x' class='global.load.x' after='x y'/>"
                  "<node name='y' class='global.load.y' after='x@1 y'/></loop></code>");
    const PsAdvice *advice = told(ask_advice(&asked), "latencies", PS_CAUSE_LATENCY);
    g_assert_cmpfloat(advice_figure(advice, "classes"), ==, 2);
    g_assert_cmpstr(advice->class_name, ==, "global");
    assert_close(advice->seconds, ask_if(&asked, "global.completion=100"));
}

static void test_late_warp(void)
{
    g_auto(Asked) asked = asked_new(
        "", "groups='16' group-size='128'",
        "<code warps='0..2'><loop times='20'><node name='x' class='a' after='x'/>"
        "<node name='b' class='barrier' after='x'/></loop></code>"
        "<code><loop times='20'><loop times='9'><node name='x' class='a' after='x'/></loop>"
        "<node name='b' class='barrier' after='x'/></loop></code>");
    const PsAdvice *advice = told(ask_advice(&asked), "late-warp", PS_CAUSE_BARRIER);
    g_assert_cmpfloat(advice_figure(advice, "warp"), ==, 3);
    g_assert_cmpfloat(advice_figure(advice, "other_warp"), ==, 0);
    assert_close(advice_figure(advice, "at_barriers"),
                 ps_explain_barrier_share(asked.answer->explain));
}

/* Four ranges of late warps are all that are named. */
static void test_late_warps(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='4' group-size='256'",
                  "<code warps='1,3,5,7'><loop times='20'><loop times='9'><node name='x' class='a' "
                  "after='x'/></loop><node name='b' class='barrier' after='x'/></loop></code>"
                  "<code><loop times='20'><node name='x' class='a' after='x'/>"
                  "<node name='b' class='barrier' after='x'/></loop></code>");
    const PsAdvice *advice = told(ask_advice(&asked), "late-warp", PS_CAUSE_BARRIER);
    g_assert_nonnull(strstr(advice->sentence, "warps 1, 3, 5 and 7"));
    g_assert_null(strstr(advice->sentence, "and more"));
}

static void test_ports(void)
{
    g_auto(Asked) asked = asked_new("<class name='b' pipeline='b' issue='1' completion='8'/>",
                                    "groups='64' group-size='64'",
                                    "<code><loop times='20'><node name='x' class='a'/>"
                                    "<node name='y' class='b'/></loop></code>");
    const PsRefinementOptions one = {.schedulers = 1};
    asked.question.refinements = &one;
    const PsAdvice *advice = told(ask_advice(&asked), "ports", PS_CAUSE_ISSUE_PORT);
    g_assert_cmpfloat(advice_figure(advice, "path_share"), >, 0);
    PsQuestion wide = asked.question;
    wide.ports = 2;
    g_autoptr(PsAnswer) answer = ps_answer_new(&wide, NULL, NULL);
    assert_close(advice->seconds, answer->seconds);
}

/* 64 registers of 32 threads are 2048 of 8192; 48 make room for a fifth group. */
static void test_needs(void)
{
    g_auto(Asked) asked = asked_new("",
                                    "groups='64' group-size='32' registers='64' "
                                    "local-memory='2048'",
                                    CHAIN("global.load"));
    const PsAdvice *advice = told(ask_advice(&asked), "needs", PS_CAUSE_OCCUPANCY);
    g_assert_cmpfloat(advice_figure(advice, "registers"), ==, 48);
    g_assert_cmpfloat(advice_figure(advice, "local_memory_bytes"), ==, 1638);
    g_assert_cmpfloat(advice_figure(advice, "groups"), ==, 5);
    PsQuestion five = asked.question;
    five.launch.active = 5;
    g_autoptr(PsAnswer) answer = ps_answer_new(&five, NULL, NULL);
    assert_close(advice->seconds, answer->seconds);
    const PsOccupancyStep *step = asked.answer->occupancy_step;
    g_assert_cmpint(step->registers, ==, 48);
    g_assert_cmpint(step->local_memory, ==, 1638);
    g_assert_cmpint(step->groups, ==, 5);
    assert_close(step->seconds, answer->seconds);
    assert_close(step->gain, advice->gain);
    g_assert_true(step->pays);
}

/* With 32 registers, which a seventh group needs, eight fit; but a CU has seven. */
static void test_needs_of_few(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='14' group-size='32' registers='40'", CHAIN("global.load"));
    const PsOccupancyStep *step = ask_advice(&asked)->occupancy_step;
    g_assert_nonnull(step);
    g_assert_cmpint(step->registers, ==, 32);
    g_assert_cmpint(step->groups, ==, 7);
}

/* Nobody can do with fewer registers than the code has in use at once. */
static void test_alive(void)
{
    static const char *const launches[] = {"registers='64' alive='48'",
                                           "registers='64' alive='49'"};
    for (guint i = 0; i < G_N_ELEMENTS(launches); i++) {
        g_autofree char *launch = g_strdup_printf("groups='64' group-size='32' %s", launches[i]);
        g_auto(Asked) asked = asked_new("", launch, CHAIN("global.load"));
        g_assert_true((advice_by(ask_advice(&asked), "needs") != NULL) == (i == 0));
    }
}

/* A pipeline that is busy all the time has nothing of more groups, which is worth saying. */
static void test_step_without_gain(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='64' group-size='32' registers='64'",
                  "<code><loop times='200'><node name='x' class='a'/></loop></code>");
    const PsOccupancyStep *step = ask_advice(&asked)->occupancy_step;
    g_assert_nonnull(step);
    g_assert_null(advice_by(asked.answer, "needs"));
    g_assert_cmpint(step->registers, ==, 48);
    g_assert_cmpint(step->local_memory, ==, 0);
    g_assert_false(step->pays);
    g_assert_cmpfloat_with_epsilon(step->gain, 0, 0.02);
}

/* Where nothing of it limits, or fewer groups were asked for, there is no step. */
static void test_no_step(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='32' registers='64'", CHAIN("a"));
    asked.question.launch.active = 2;
    g_assert_null(ask_advice(&asked)->occupancy_step);
    g_auto(Asked) free = asked_new("", "groups='64' group-size='32' registers='8'", CHAIN("a"));
    g_assert_null(ask_advice(&free)->occupancy_step);
}

static void test_active(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='32'", CHAIN("global.load"));
    asked.question.launch.active = 2;
    const PsAdvice *advice = told(ask_advice(&asked), "active", PS_CAUSE_LATENCY);
    g_assert_cmpfloat(advice_figure(advice, "groups"), ==, 8);
    g_assert_cmpfloat(advice_figure(advice, "path_share"), >, 0.9);
}

/* One CU runs 9 of 17 groups, 8 at once: 16 would take less than their part. There is no room for
 * more at once. */
static void test_even_groups(void)
{
    g_auto(Asked) asked = asked_new("", "groups='17' group-size='32'", CHAIN("a"));
    const PsAdvice *advice = told(ask_advice(&asked), "even-groups", PS_CAUSE_TAIL);
    g_assert_cmpfloat(advice_figure(advice, "groups"), ==, 16);
    assert_close(advice->gain, 1 - advice->seconds * 17 / 16 / asked.answer->seconds);
    g_assert_null(advice_by(asked.answer, "more-groups"));
}

/* One CU runs 2 of 3 groups, the other 1: a fourth would take no longer. */
static void test_more_groups(void)
{
    g_auto(Asked) asked = asked_new("", "groups='3' group-size='32'", CHAIN("a"));
    const PsAdvice *advice = told(ask_advice(&asked), "more-groups", PS_CAUSE_TAIL);
    g_assert_cmpfloat(advice_figure(advice, "groups"), ==, 4);
    g_assert_cmpfloat(advice->gain, ==, 0);
    assert_close(advice->seconds, asked.answer->seconds);
}

/* Room for one group beside 399 is not worth a word. */
static void test_little_room(void)
{
    g_auto(Asked) asked = asked_new("", "groups='399' group-size='32'", CHAIN("a"));
    g_assert_null(advice_by(ask_advice(&asked), "more-groups"));
}

static void test_overheads(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='16' group-size='32'", "<code><node name='x' class='a'/></code>");
    const PsRefinementOptions with = {.overheads = PS_CHOICE_ON};
    asked.question.refinements = &with;
    const PsAdvice *advice = told(ask_advice(&asked), "no-overheads", PS_CAUSE_LAUNCH);
    asked.question.refinements = NULL;
    assert_close(advice->seconds, ask_if(&asked, "a.issue=1"));
}

/* Results of arithmetic are no advice, but the bottleneck where they take more of the path than
 * twice what advice gains. */
static void test_own_latency(void)
{
    static const struct {
        const char *times;
        PsCause cause;
    } cases[] = {{"3", PS_CAUSE_LATENCY}, {"40", PS_CAUSE_BANK_CONFLICT}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *code =
            g_strdup_printf("<code><loop times='50'><node name='x' class='a' after='x'/></loop>"
                            "<loop times='%s'><node name='y' class='local.load.c4' after='x y'/>"
                            "</loop></code>",
                            cases[i].times);
        g_auto(Asked) asked = asked_new("", "groups='2' group-size='32'", code);
        PsBottleneck bottleneck;
        told(ask_advice(&asked), "class", PS_CAUSE_BANK_CONFLICT);
        g_assert_true(ps_answer_bottleneck(asked.answer, &bottleneck));
        g_assert_cmpint(bottleneck.cause, ==, cases[i].cause);
        for (guint k = 0; k < asked.answer->advice->len; k++)
            g_assert_cmpstr(((const PsAdvice *)asked.answer->advice->pdata[k])->class_name, !=,
                            "a");
    }
}

/* What it rests on that nobody measured is of the classes that it is about, or, of the launch, of
 * those that the path has something of. */
static void test_assumed(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'",
                                    "<code><loop times='50'><node name='x' class='global.load' "
                                    "after='x'/></loop><loop times='20'><node name='y' "
                                    "class='local.load.c4'/></loop></code>");
    asked.question.launch.active = 1;
    const PsAdvice *advice = told(ask_advice(&asked), "latency", PS_CAUSE_LATENCY);
    g_assert_cmpuint(advice->trust.assumed->len, ==, 1);
    g_assert_cmpstr(g_array_index(advice->trust.assumed, PsAssumed, 0).name, ==, "global");
    g_auto(Asked) sure = asked_new("", "groups='64' group-size='64'",
                                   "<code><node name='z' class='global.load'/><loop times='20'>"
                                   "<node name='x' class='local.load.c4'/></loop></code>");
    advice = told(ask_advice(&sure), "class", PS_CAUSE_BANK_CONFLICT);
    g_assert_cmpuint(advice->trust.assumed->len, ==, 0);
    g_auto(Asked) launch = asked_new("", "groups='17' group-size='32'", CHAIN("global.load"));
    advice = told(ask_advice(&launch), "even-groups", PS_CAUSE_TAIL);
    g_assert_cmpuint(advice->trust.assumed->len, ==, 1);
    g_auto(Asked) other = asked_new("", "groups='17' group-size='32'",
                                    "<code><node name='z' class='global.load'/><loop times='50'>"
                                    "<node name='x' class='a' after='x'/></loop></code>");
    advice = told(ask_advice(&other), "even-groups", PS_CAUSE_TAIL);
    g_assert_cmpuint(advice->trust.assumed->len, ==, 0);
}

/* Little of a machine in program order is less than the model can tell, so it is not told. */
static void test_within_error(void)
{
    const PsRefinementOptions order = {.has_order = TRUE, .order = PS_ORDER_PROGRAM};
    for (guint i = 0; i < 2; i++) {
        g_auto(Asked) little = beside_chain("97.8");
        g_auto(Asked) much = asked_new("", "groups='4' group-size='32'", CHAIN("global.load"));
        little.question.refinements = much.question.refinements = i ? &order : NULL;
        const PsAdvice *advice = advice_by(ask_advice(&little), "pipeline");
        if (i) {
            g_assert_null(advice);
        } else {
            g_assert_nonnull(advice);
            g_assert_cmpfloat(advice->gain, <, PS_MODEL_ERROR);
        }
        told(ask_advice(&much), "latency", PS_CAUSE_LATENCY);
    }
}

/* Most helpful first. */
static void test_order(void)
{
    g_auto(Asked) asked = three("90", "70");
    const GPtrArray *list = ask_advice(&asked)->advice;
    for (guint i = 1; i < list->len; i++)
        g_assert_cmpfloat(((const PsAdvice *)list->pdata[i])->gain, <=,
                          ((const PsAdvice *)list->pdata[i - 1])->gain);
}

/* What the path has of the latency that the row is about. */
static double share_of(const PsAnswer *answer, const PsSensitivity *row)
{
    const PsPathKind kind = row->varies == PS_VARIES_ISSUE ? PS_PATH_PIPELINE : PS_PATH_COMPLETION;
    for (guint i = 0; i < answer->explain->by_class->len; i++) {
        const PsExplainShare *share = answer->explain->by_class->pdata[i];
        if (share->kind == kind && share->class_index == row->class_index)
            return share->share;
    }
    return 0;
}

/* How many of the simulations were made before time was out: those of the larger shares. */
static guint tried_first(const PsAnswer *answer)
{
    const GPtrArray *rows = answer->sensitivities->rows;
    double least = 1, most = 0;
    guint tried = 0;
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        for (guint k = 0; k < PS_SENSITIVITY_FACTORS; k++) {
            if (row->why[k] ||
                (row->varies != PS_VARIES_ISSUE && row->varies != PS_VARIES_COMPLETION))
                continue;
            const gboolean is_tried = !isnan(row->seconds[k]);
            tried += is_tried;
            if (is_tried)
                least = fmin(least, share_of(answer, row));
            else
                most = fmax(most, share_of(answer, row));
        }
    }
    g_assert_true(least >= most);
    return tried;
}

/* What may matter most is tried first, in whatever order the graph has it, and whenever time is
 * out. */
static void test_likely_first(void)
{
    g_auto(Asked) asked =
        asked_new("<class name='first' pipeline='a' issue='1' completion='5'/>"
                  "<class name='second' pipeline='b' issue='1' completion='50'/>"
                  "<class name='third' pipeline='c' issue='3' completion='500'/>",
                  "groups='64' group-size='64'",
                  "<code><loop times='100'><node name='x' class='first' after='z'/>"
                  "<node name='y' class='second' after='x'/>"
                  "<node name='z' class='third' after='y'/></loop></code>");
    asked.question.no_fast_forward = TRUE;
    ask_why(&asked);
    guint tried = 0, last = 0;
    gboolean untried = TRUE;
    for (gint64 looks = 0; untried; looks++) {
        asked.question.deadline = clock_stop_but_for_looks() + looks;
        g_assert_true(ps_answer_find_sensitivities(asked.answer, &asked.question, TRUE, 1, NULL));
        tried = tried_first(asked.answer);
        untried = asked.answer->sensitivities->untried > 0;
        g_assert_cmpuint(tried, >=, last);
        g_assert_cmpuint(tried, <=, looks);
        last = tried;
    }
    clock_go();
    g_assert_cmpuint(tried, >, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/advice/conflict", test_conflict);
    g_test_add_func("/answer/advice/degree", test_degree);
    g_test_add_func("/answer/advice/uncoalesced", test_uncoalesced);
    g_test_add_func("/answer/advice/what-if", test_what_if);
    g_test_add_func("/answer/advice/what-ifs", test_what_ifs);
    g_test_add_func("/answer/advice/pipeline", test_pipeline);
    g_test_add_func("/answer/advice/least", test_least);
    g_test_add_func("/answer/advice/pipelines", test_pipelines);
    g_test_add_func("/answer/advice/latency", test_latency);
    g_test_add_func("/answer/advice/chance", test_chance);
    g_test_add_func("/answer/advice/latencies", test_latencies);
    g_test_add_func("/answer/advice/late-warp", test_late_warp);
    g_test_add_func("/answer/advice/late-warps", test_late_warps);
    g_test_add_func("/answer/advice/ports", test_ports);
    g_test_add_func("/answer/advice/needs", test_needs);
    g_test_add_func("/answer/advice/needs-of-few", test_needs_of_few);
    g_test_add_func("/answer/advice/alive", test_alive);
    g_test_add_func("/answer/advice/step-without-gain", test_step_without_gain);
    g_test_add_func("/answer/advice/no-step", test_no_step);
    g_test_add_func("/answer/advice/active", test_active);
    g_test_add_func("/answer/advice/even-groups", test_even_groups);
    g_test_add_func("/answer/advice/more-groups", test_more_groups);
    g_test_add_func("/answer/advice/little-room", test_little_room);
    g_test_add_func("/answer/advice/overheads", test_overheads);
    g_test_add_func("/answer/advice/own-latency", test_own_latency);
    g_test_add_func("/answer/advice/assumed", test_assumed);
    g_test_add_func("/answer/advice/within-error", test_within_error);
    g_test_add_func("/answer/advice/order", test_order);
    g_test_add_func("/answer/advice/likely-first", test_likely_first);
    return g_test_run();
}
