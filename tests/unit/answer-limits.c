/* SPDX-License-Identifier: BSD-3-Clause */
/* What limits a run, and what would help, at the borders; and where its figures come from. */
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "tests/help/ask.h"

#include <string.h>

static guint limits_of(const char *launch, gint64 active)
{
    g_auto(Asked) asked = asked_new("", launch, "<code><node name='x' class='a'/></code>");
    asked.question.launch.active = active;
    return ps_answer_limits(ask(&asked));
}

static void test_occupancy(void)
{
    g_assert_cmpuint(limits_of("groups='99' group-size='32'", 0), ==, PS_LIMIT_GROUPS);
    g_assert_cmpuint(limits_of("groups='99' group-size='128'", 0), ==, PS_LIMIT_WARPS);
    g_assert_cmpuint(limits_of("groups='99' group-size='64'", 0), ==,
                     PS_LIMIT_WARPS | PS_LIMIT_GROUPS);
    g_assert_cmpuint(limits_of("groups='99' group-size='32' registers='64'", 0), ==,
                     PS_LIMIT_REGISTERS);
    g_assert_cmpuint(limits_of("groups='99' group-size='32' local-memory='2048'", 0), ==,
                     PS_LIMIT_LOCAL_MEMORY);
    g_assert_cmpuint(limits_of("groups='4' group-size='32'", 0), ==, PS_LIMIT_LAUNCH);
    g_assert_true(limits_of("groups='99' group-size='32'", 2) & PS_LIMIT_ACTIVE);
}

/* One warp's chain: its pipeline is busy for so many hundredths of the time, but for the last. */
static PsRegime regime_of(const char *issue)
{
    g_autofree char *row =
        g_strdup_printf("<class name='b' pipeline='b' issue='%s' completion='100'/>", issue);
    g_auto(Asked) asked = asked_new(row, "groups='2' group-size='32'",
                                    "<code><loop times='2000'><node name='x' class='b' "
                                    "after='x'/></loop></code>");
    g_auto(PsLimiting) limiting = ps_answer_limiting(ask(&asked));
    const PsBusyPart *first = &g_array_index(limiting.parts, PsBusyPart, limiting.busiest);
    g_assert_cmpstr(first->pipeline->name, ==, "b");
    return limiting.regime;
}

static void test_regimes(void)
{
    g_assert_cmpint(regime_of("90.5"), ==, PS_REGIME_SATURATED);
    g_assert_cmpint(regime_of("89.5"), ==, PS_REGIME_PARTLY);
    g_assert_cmpint(regime_of("80.5"), ==, PS_REGIME_PARTLY);
    g_assert_cmpint(regime_of("79.5"), ==, PS_REGIME_LATENCY);
    g_auto(Asked) asked =
        asked_new("", "groups='2' group-size='32'",
                  "<code><loop times='0'><node name='x' class='a'/></loop></code>");
    g_auto(PsLimiting) limiting = ps_answer_limiting(ask(&asked));
    g_assert_cmpint(limiting.regime, ==, PS_REGIME_NOTHING);
    g_assert_cmpint(ps_answer_busiest_part(asked.answer).kind, ==, PS_BUSY_NOTHING);
}

static PsHint hint_of(const char *launch, const char *code)
{
    g_auto(Asked) asked = asked_new("", launch, code);
    return ps_answer_hint(ask(&asked));
}

static void test_hints(void)
{
    static const char chain[] =
        "<code><loop times='99'><node name='x' class='a' after='x'/></loop></code>";
    static const char stream[] = "<code><loop times='99'><node name='x' class='a'/>"
                                 "<node name='y' class='a'/></loop></code>";
    g_assert_cmpint(hint_of("groups='1' group-size='32'", chain).kind, ==, PS_HINT_MORE_GROUPS);
    g_assert_cmpint(hint_of("groups='2' group-size='32'", chain).kind, ==, PS_HINT_MORE_WARPS);
    g_assert_cmpuint(hint_of("groups='2' group-size='32'", chain).class_index, ==, 0);
    const PsHint hint = hint_of("groups='64' group-size='32'", stream);
    g_assert_cmpint(hint.kind, ==, PS_HINT_PIPELINE);
    assert_close(hint.share, 1);
}

/* A stream of two nodes: of one pipeline, or of two that are busy half of the time each. */
static Asked ask_ports(const char *second, const PsRefinementOptions *with)
{
    g_autofree char *codes = g_strdup_printf("<code><loop times='999'><node name='x' class='a'/>"
                                             "<node name='y' class='%s'/></loop></code>",
                                             second);
    Asked asked = asked_new("<class name='b' pipeline='b' issue='1' completion='8'/>",
                            "groups='16' group-size='64'", codes);
    asked.question.refinements = with;
    ask_why(&asked);
    asked.answer->ratio = 2;
    return asked;
}

/* What no pipeline is saturated by, and ports are. */
static void test_ports(void)
{
    const PsRefinementOptions with = {.schedulers = 1};
    g_auto(Asked) two = ask_ports("b", &with), one = ask_ports("a", &with),
                  none = ask_ports("b", NULL);
    g_auto(PsLimiting) of_two = ps_answer_limiting(two.answer);
    g_auto(PsLimiting) of_one = ps_answer_limiting(one.answer);
    PsBottleneck bottleneck;
    g_assert_cmpint(of_two.regime, ==, PS_REGIME_PORTS);
    g_assert_cmpint(ps_answer_busiest_part(two.answer).kind, ==, PS_BUSY_PORTS);
    g_assert_cmpint(ps_answer_hint(two.answer).kind, ==, PS_HINT_INSTRUCTIONS);
    g_assert_cmpstr(ps_answer_limit(two.answer), ==, "issue");
    g_assert_cmpint(ps_verdict_find(two.answer).kind, ==, PS_VERDICT_PORTS);
    g_assert_true(ps_answer_bottleneck(two.answer, &bottleneck));
    g_assert_cmpint(bottleneck.cause, ==, PS_CAUSE_ISSUE_PORT);
    g_assert_cmpfloat(bottleneck.share, >, 0.9);
    /* A pipeline that takes one each cycle is what there should be less for. */
    g_assert_cmpint(of_one.regime, ==, PS_REGIME_SATURATED);
    g_assert_cmpstr(ps_answer_limit(one.answer), ==, "a");
    g_assert_cmpfloat(ps_port_utilization(one.answer), >, 0.9);
    g_assert_cmpfloat(ps_port_utilization(none.answer), ==, 0);
    g_assert_cmpint(ps_answer_busiest_part(none.answer).kind, ==, PS_BUSY_PIPELINE);
}

/* Each thing that is assumed once, and each kind of source. */
static void test_trust(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='2' group-size='32'",
                  "<code><node name='x' class='a'/><node name='y' class='global.load'/>"
                  "<node name='z' class='global.load.wide'/><node name='w' "
                  "class='global.store.s32'/></code>");
    g_auto(PsTrust) trust = ps_answer_trust(ask(&asked));
    g_assert_true(trust.used[PS_SOURCE_MEASURED]);
    g_assert_true(trust.used[PS_SOURCE_ASSUMED]);
    g_assert_false(trust.used[PS_SOURCE_PUBLISHED]);
    g_assert_true(trust.unknown);
    g_assert_cmpuint(trust.assumed->len, ==, 1);
    g_assert_cmpstr(g_array_index(trust.assumed, PsAssumed, 0).name, ==, "global");
    for (guint i = 0; i < asked.answer->warnings->len; i++)
        g_assert_null(strstr(asked.answer->warnings->pdata[i], "assumed"));
}

/* Levels of memory, from the first on, say themselves where they are from. */
static void test_trust_levels(void)
{
    static const char gpu[] =
        "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Levels'>"
        "<source id='me' kind='measured'>Made up.</source>"
        "<source id='no' kind='assumed'>Guessed.</source>"
        "<chip compute-units='2' clock='1000' warp-size='32'/><limits warps='16' groups='8'/>"
        "<memory pipeline='global' source='me'>"
        "<level name='l2' bytes='65536' port='64' bandwidth='700' latency='180' source='no'/>"
        "<level name='device' bandwidth='330' latency='500' source='me'/></memory>"
        "<model levels='on'/><pipeline name='global'/></gpu>";
    g_autoptr(GError) error = NULL;
    g_auto(Asked) asked = asked_new("", "groups='2' group-size='32'",
                                    "<code><node name='x' class='global.load' bytes='4'/></code>");
    ps_gpu_free(asked.gpu);
    asked.gpu = ps_gpu_parse(gpu, strlen(gpu), "levels.xml", &error);
    g_assert_no_error(error);
    asked.question.gpu = asked.gpu;
    g_auto(PsTrust) trust = ps_answer_trust(ask(&asked));
    g_assert_cmpuint(trust.assumed->len, ==, 1);
    const PsAssumed *level = &g_array_index(trust.assumed, PsAssumed, 0);
    g_assert_cmpint(level->kind, ==, PS_ASSUMED_LEVEL);
    g_assert_cmpint(level->level, ==, PS_LEVEL_L2);
}

/* Progress is told in the thread that asks, and a share never exceeds the whole. */
static gboolean hear(const PsProgress *progress, gpointer data)
{
    guint *heard = data;
    g_assert_cmpint(progress->phase, ==, PS_PHASE_RUN);
    g_assert_cmpfloat(progress->share, <=, 1);
    ++*heard;
    return TRUE;
}

/* The work grows until it takes longer than the pause between two reports, whatever the machine. */
static void test_progress(void)
{
    guint heard = 0;
    for (guint times = 500; heard == 0; times *= 2) {
        g_autofree char *code = g_strdup_printf(
            "<code><loop times='%u'><node name='x' class='a'/></loop></code>", times);
        g_auto(Asked) asked = asked_new("", "groups='16000' group-size='256'", code);
        asked.question.progress = (PsHearer){hear, &heard};
        asked.question.no_fast_forward = TRUE;
        const PsRational cycles = ask(&asked)->result.cycles;
        asked.question.progress = (PsHearer){0};
        asked.question.no_fast_forward = FALSE;
        g_assert_cmpint(ps_rational_cmp(ask(&asked)->result.cycles, cycles), ==, 0);
        g_assert_cmpuint(times, <, 1U << 20);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/limits/occupancy", test_occupancy);
    g_test_add_func("/answer/limits/regimes", test_regimes);
    g_test_add_func("/answer/limits/hints", test_hints);
    g_test_add_func("/answer/limits/ports", test_ports);
    g_test_add_func("/answer/limits/trust", test_trust);
    g_test_add_func("/answer/limits/trust-levels", test_trust_levels);
    g_test_add_func("/answer/limits/progress", test_progress);
    return g_test_run();
}
