/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The result beside the roofline: clamps, the verdict of the cross-check at its borders, and errors
 * against a measured time.
 */
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "tell/hint.h"
#include "tests/help/ask.h"

#include <math.h>

/* A launch of 64 groups of a warp: 2048 threads, 80 operations each, in 40 instructions of one
 * cycle. At 16 G operations per second they take at least 10.24 us. */
static Asked asked_of_peak(const char *peak)
{
    g_autofree char *rows = g_strdup_printf(
        "<peak name='T_SP' value='%s'/><peak name='T_ldst' value='64'/><peak name='T_add' "
        "value='64'/><peak name='B_mem' value='100'/>",
        peak);
    return asked_new(rows, "groups='64' group-size='32'",
                     "<code><loop times='40'><node name='x' class='a' ops='2' type='fp32'/></loop>"
                     "</code>");
}

/* Without a clamp the simulation counts: 32 groups on a CU, 40 cycles each, at least. */
static void test_clamps(void)
{
    g_auto(Asked) asked = asked_of_peak("16");
    asked.question.clamp = PS_CLAMP_NONE;
    const PsAnswer *answer = ask(&asked);
    const double simulated = answer->simulated;
    const double ceiling = answer->roofline.prediction.ceiling_seconds;
    const double equation = answer->roofline.prediction.seconds;
    assert_close(ceiling, 2048 * 80 / 16e9);
    g_assert_cmpfloat(simulated, <, ceiling);
    g_assert_cmpfloat(simulated, >=, 32 * 40 / 1e9);
    g_assert_false(answer->clamped);
    assert_close(answer->seconds, simulated);
    asked.question.clamp = PS_CLAMP_CEILING;
    answer = ask(&asked);
    g_assert_true(answer->clamped);
    assert_close(answer->seconds, ceiling);
    assert_close(answer->simulated, simulated);
    assert_close(ps_answer_headroom(answer), 1);
    asked.question.clamp = PS_CLAMP_ROOFLINE;
    answer = ask(&asked);
    assert_close(answer->seconds, fmax(ceiling, equation));
    g_assert_cmpstr(ps_clamp_name(answer->clamp), ==, "roofline");
}

/* What is faster than a ceiling says which input may be wrong. */
static void test_impossible(void)
{
    g_auto(Asked) asked = asked_of_peak("16");
    const PsAnswer *answer = ask(&asked);
    g_assert_cmpint(answer->verdict.kind, ==, PS_VERDICT_IMPOSSIBLE);
    g_assert_cmpint(answer->verdict.peak, ==, PS_T_SP);
    g_assert_cmpuint(answer->verdict.class_index, ==, 0);
    g_assert_false(answer->verdict.near);
}

/* Sums and products have a pipeline each: the one that takes longest is the cause. */
static void test_cause(void)
{
    g_auto(Asked) asked =
        asked_new("<class name='imad' pipeline='b' issue='1' completion='4'/>"
                  "<class name='iadd' pipeline='c' issue='1' completion='4'/>"
                  "<peak name='T_int' value='16'/><peak name='T_add' value='8'/>",
                  "groups='64' group-size='32'",
                  "<code><loop times='40'><node name='m' class='imad' ops='2' type='int'/>"
                  "<node name='s' class='iadd' ops='1' type='int'/>"
                  "<node name='t' class='iadd' ops='1' type='int'/></loop></code>");
    const PsAnswer *answer = ask(&asked);
    g_assert_cmpint(answer->verdict.kind, ==, PS_VERDICT_IMPOSSIBLE);
    g_assert_cmpint(answer->verdict.peak, ==, PS_T_ADD);
    g_assert_cmpstr(answer->machine->classes[answer->verdict.class_index].asked, ==, "iadd");
    const PsPipeline *named = answer->gpu->pipelines->pdata[answer->roofline.pipeline];
    g_assert_cmpstr(named->name, ==, "c");
    assert_close(answer->roofline.prediction.ceiling_seconds, 2048 * 80 / 8e9);
}

/* Traffic is bound by the data sheet, and a result clamped to what was reached. */
static void test_reached(void)
{
    g_auto(Asked) asked =
        asked_new("<peak name='B_mem' value='1' datasheet='1.25'/>", "groups='64' group-size='32'",
                  "<code><node name='x' class='memory' bytes='8' device='1'/></code>");
    const PsAnswer *answer = ask(&asked);
    assert_close(answer->roofline.prediction.ceiling_seconds, 2048 * 8 / 1.25e9);
    assert_close(answer->roofline.prediction.seconds, 2048 * 8 / 1e9);
    g_assert_cmpint(answer->verdict.kind, ==, PS_VERDICT_IMPOSSIBLE);
    g_assert_cmpint(answer->verdict.peak, ==, PS_B_MEM);
    assert_close(answer->seconds - answer->launch_seconds, 2048 * 8 / 1e9);
}

static PsVerdictKind kind_at(PsAnswer *answer, double ratio)
{
    answer->ratio = ratio;
    return ps_verdict_find(answer).kind;
}

/* Two times agree up to 10 %, either way. */
static void test_agreement(void)
{
    g_auto(Asked) asked = asked_of_peak("6400");
    ask(&asked);
    PsAnswer *answer = asked.answer;
    g_assert_cmpint(kind_at(answer, 1), ==, PS_VERDICT_AGREE);
    g_assert_cmpint(kind_at(answer, 1.0999), ==, PS_VERDICT_AGREE);
    g_assert_cmpint(kind_at(answer, 0.9001), ==, PS_VERDICT_AGREE);
    g_assert_cmpint(kind_at(answer, 1.1001), !=, PS_VERDICT_AGREE);
    g_assert_cmpint(kind_at(answer, 0.8999), ==, PS_VERDICT_FASTER);
    g_assert_cmpint(kind_at(answer, NAN), ==, PS_VERDICT_NONE);
    g_assert_cmpint(kind_at(answer, 2), ==, PS_VERDICT_PIPELINE);
}

/* One CU has 2 of 3 groups and the other 1: three quarters of the places are filled. */
static void test_uneven(void)
{
    g_auto(Asked) asked = asked_new("", "groups='3' group-size='32'",
                                    "<code><loop times='9'><node name='x' class='a' after='x'/>"
                                    "</loop></code>");
    ask(&asked);
    PsAnswer *answer = asked.answer;
    g_assert_cmpint(kind_at(answer, 1.1 / 0.75 - 0.001), ==, PS_VERDICT_UNEVEN);
    g_assert_cmpint(kind_at(answer, 1.1 / 0.75 + 0.001), ==, PS_VERDICT_LATENCY);
    g_assert_true(ps_verdict_find(answer).uneven);
    g_assert_cmpuint(ps_verdict_find(answer).class_index, ==, 0);
    assert_close(ps_verdict_find(answer).share, 1);
}

/* Work that is even within 10 % is even: 19 of 20 groups, and 17 of 20. */
static void test_even_enough(void)
{
    static const struct {
        const char *launch;
        gboolean uneven;
    } cases[] = {{"groups='19' group-size='32'", FALSE},
                 {"groups='15' group-size='32'", FALSE},
                 {"groups='7' group-size='32'", TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Asked) asked = asked_new("", cases[i].launch,
                                        "<code><loop times='9'><node name='x' class='a' "
                                        "after='x'/></loop></code>");
        ask(&asked);
        asked.answer->ratio = 2;
        g_assert_cmpint(ps_verdict_find(asked.answer).uneven, ==, cases[i].uneven);
    }
}

/* What groups do that begin after 100 cycles, one on each CU. */
static void test_starts(void)
{
    static const struct {
        const char *codes, *limit;
        PsRegime regime;
        PsHintKind hint;
    } cases[] = {{"<code><node name='x' class='a'/></code>", "dispatch", PS_REGIME_STARTS,
                  PS_HINT_LARGER_GROUPS},
                 {"<code><loop times='20'><node name='x' class='a' after='x'/></loop></code>",
                  "latency", PS_REGIME_LATENCY, PS_HINT_MORE_WARPS}};
    const PsRefinementOptions with = {.overheads = PS_CHOICE_ON};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Asked) asked = asked_new("", "groups='2' group-size='32'", cases[i].codes);
        asked.question.refinements = &with;
        ask(&asked);
        g_auto(PsLimiting) limiting = ps_answer_limiting(asked.answer);
        g_assert_cmpint(limiting.regime, ==, cases[i].regime);
        g_assert_cmpint(ps_answer_hint(asked.answer).kind, ==, cases[i].hint);
        g_assert_cmpstr(ps_answer_limit(asked.answer), ==, cases[i].limit);
    }
}

/* Groups that come one after the other, with nothing to do. */
static void test_dispatch(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='64' group-size='32'", "<code><node name='x' class='a'/></code>");
    const PsRefinementOptions with = {.overheads = PS_CHOICE_ON};
    asked.question.refinements = &with;
    ask(&asked);
    g_assert_cmpint(kind_at(asked.answer, 2), ==, PS_VERDICT_DISPATCH);
    g_assert_cmpint(ps_answer_hint(asked.answer).kind, ==, PS_HINT_LARGER_GROUPS);
    g_auto(PsLimiting) limiting = ps_answer_limiting(asked.answer);
    g_assert_cmpint(limiting.regime, ==, PS_REGIME_DISPATCH);
    g_assert_cmpint(ps_answer_busiest_part(asked.answer).kind, ==, PS_BUSY_DISPATCH);
    assert_close(asked.answer->launch_seconds, 2e-6);
    assert_close(asked.answer->simulated - asked.answer->launch_seconds,
                 ps_answer_execution(asked.answer));
}

/* What would help where launches of groups limit: so many groups have one class, and so many the
 * other. */
static char *hint_of(guint first, const char *first_class, guint second, const char *second_class)
{
    g_autofree char *kinds = g_strdup_printf(
        "<kind name='one' share='%u'><code><node name='x' class='%s'/></code></kind>"
        "<kind name='two' share='%u'><code><node name='y' class='%s'/></code></kind>",
        first, first_class, second, second_class);
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='32'", kinds);
    const PsRefinementOptions with = {.overheads = PS_CHOICE_ON};
    asked.question.refinements = &with;
    return ps_hint_new(ask(&asked));
}

/* Groups without data: no more of them are wanted. Where none writes, that says nothing. */
static void test_idle_groups(void)
{
    static const char usual[] = "larger groups, or more work in each", store[] = "global.store";
    g_autofree char *most = hint_of(48, "a", 16, store), *half = hint_of(32, store, 32, "a");
    g_autofree char *few = hint_of(31, "a", 33, store), *none = hint_of(48, "a", 16, "a");
    g_assert_cmpstr(most, ==,
                    "fewer groups: 75.0 % of them write nothing; a grid counts groups and no "
                    "threads");
    g_assert_true(g_str_has_prefix(half, "fewer groups: 50.0 % of them"));
    g_assert_cmpstr(few, ==, usual);
    g_assert_cmpstr(none, ==, usual);
}

static gboolean warns_of_dispatch(Asked *asked)
{
    const PsAnswer *answer = ask(asked);
    guint n = 0;
    for (guint i = 0; i < answer->warnings->len; i++)
        n += g_str_has_prefix(answer->warnings->pdata[i], "a group begins every 0.5");
    g_assert_cmpuint(n, <=, 1);
    return n == 1;
}

/* Groups that begin every half cycle, on a GPU of which nobody knows how fast it begins them. */
static void test_unknown_dispatch(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='4000' group-size='32'", "<code><node name='x' class='a'/></code>");
    const PsRefinementOptions with = {.overheads = PS_CHOICE_ON}, without = {0};
    asked.question.refinements = &with;
    asked.gpu->overheads.group_launch = PS_RATIONAL_INT(0);
    g_assert_false(warns_of_dispatch(&asked));
    asked.gpu->overheads.group_interval = PS_RATIONAL_INT(0);
    g_assert_true(warns_of_dispatch(&asked));
    asked.question.refinements = &without;
    g_assert_false(warns_of_dispatch(&asked));
    asked.question.refinements = &with;
    asked.question.launch.groups = 16;
    g_assert_false(warns_of_dispatch(&asked));
    asked.question.launch.groups = 0;
    asked.gpu->overheads.dispatch = PS_RATIONAL_INT(1);
    g_assert_false(warns_of_dispatch(&asked));
}

static guint warnings_of_units(Asked *asked)
{
    const PsAnswer *answer = ask(asked);
    guint n = 0;
    for (guint i = 0; i < answer->warnings->len; i++)
        n += g_str_has_prefix(answer->warnings->pdata[i], "a CU begins a group every ");
    return n;
}

/* The whole GPU's rate is known, but by it each of few compute units begins groups faster than any
 * was seen to. */
static void test_unknown_turn(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='4000' group-size='32'", "<code><node name='x' class='a'/></code>");
    const PsRefinementOptions with = {.overheads = PS_CHOICE_ON}, without = {0};
    asked.question.refinements = &with;
    asked.gpu->overheads.group_interval = PS_RATIONAL_INT(0);
    g_assert_cmpuint(warnings_of_units(&asked), ==, 0);
    asked.gpu->overheads.dispatch = PS_RATIONAL_INT(1);
    g_assert_cmpuint(warnings_of_units(&asked), ==, 0); /* it is its own */
    asked.gpu->overheads.source = g_strdup("no");
    g_assert_cmpuint(warnings_of_units(&asked), ==, 1);
    asked.question.refinements = &without;
    g_assert_cmpuint(warnings_of_units(&asked), ==, 0);
    asked.question.refinements = &with;
    asked.gpu->overheads.dispatch = PS_RATIONAL_INT(101);
    g_assert_cmpuint(warnings_of_units(&asked), ==, 0);
    asked.gpu->overheads.dispatch = PS_RATIONAL_INT(1);
    asked.question.launch.groups = 16;
    g_assert_cmpuint(warnings_of_units(&asked), ==, 0);
}

static guint warnings_of_turns(Asked *asked)
{
    const PsAnswer *answer = ask(asked);
    guint n = 0;
    for (guint i = 0; i < answer->warnings->len; i++)
        n += g_str_has_prefix(answer->warnings->pdata[i], "atomics take 1600 turns at one place");
    return n;
}

/* Two warps of 400 groups with two turns each at one place, and two nodes there: said once, where
 * the GPU has no rate for it. An eighth of the turns hides behind the rest; stores take none. */
static void test_unknown_turns(void)
{
    static const char *const row = "<class name='atomic' pipeline='a' issue='0.125' "
                                   "completion='1'/>";
    static const struct {
        const char *codes;
        guint warnings;
    } cases[] = {{"<code><node name='x' class='atomic' bytes='4' spot='s' serial='2'/></code>", 1},
                 {"<code><node name='x' class='atomic' bytes='4' spot='s'/>"
                  "<node name='y' class='atomic' bytes='4' spot='s'/></code>",
                  1},
                 {"<code><node name='x' class='atomic' bytes='4' spot='s' serial='2' "
                  "turns='0.125'/></code>",
                  0},
                 {"<code><node name='x' class='global.store' bytes='4' spot='s'/></code>", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Asked) asked = asked_new(row, "groups='400' group-size='64'", cases[i].codes);
        g_assert_cmpuint(warnings_of_turns(&asked), ==, cases[i].warnings);
        asked.gpu->atomics.address = PS_RATIONAL_INT(1);
        g_assert_cmpuint(warnings_of_turns(&asked), ==, 0);
    }
}

static gboolean warns_of_waves(Asked *asked)
{
    const PsAnswer *answer = ask(asked);
    guint n = 0;
    for (guint i = 0; i < answer->warnings->len; i++)
        n += strstr(answer->warnings->pdata[i],
                    "within a wave of 64, nor does what they do join: such a wave") != NULL;
    g_assert_cmpuint(n, <=, 1);
    return n == 1;
}

/* Waves of 64 threads of code that warps of 32 executed: what a wave's second half does is not what
 * its first does, and they meet at different barriers. */
static void test_waves(void)
{
#define CODE(line) "<node name='x' class='barrier' line='" line "'/>"
    static const struct {
        const char *launch, *codes;
        gboolean warns;
    } cases[] = {{"groups='4' group-size='64'",
                  "<code warps='0'>" CODE("1") "</code><code>" CODE("2") "</code>", TRUE},
                 {"groups='4' group-size='64'",
                  "<code warps='0'>" CODE("1") "</code><code>" CODE("1") "</code>", FALSE},
                 {"groups='4' group-size='128'",
                  "<code warps='0,1'>" CODE("1") "</code><code>" CODE("2") "</code>", FALSE},
                 {"groups='4' group-size='128'",
                  "<code warps='1,2'>" CODE("1") "</code><code>" CODE("2") "</code>", TRUE},
                 {"groups='4' group-size='32'",
                  "<code warps='0'>" CODE("1") "</code><code>" CODE("2") "</code>", FALSE},
                 {"groups='4' group-size='128'", "<code>" CODE("1") "</code>", FALSE}};
#undef CODE
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Asked) asked = asked_new("", cases[i].launch, cases[i].codes);
        asked.idg->of_ptx = TRUE;
        g_assert_false(warns_of_waves(&asked));
        asked.gpu->warp_size = 64;
        g_assert_true(warns_of_waves(&asked) == cases[i].warns);
        asked.idg->of_ptx = FALSE;
        g_assert_false(warns_of_waves(&asked));
    }
}

/* A wave runs what its two warps run, one after the other where that is not the same. */
static void test_programs_of_waves(void)
{
#define FEW "<node name='x' class='a'/>"
#define MANY "<loop times='100'>" FEW "</loop>"
    static const struct {
        const char *codes;
        gint64 instructions; /* of a group of 256 threads */
    } cases[] = {{"<code warps='0..3'>" FEW "</code><code>" MANY "</code>", 2 * 1 + 2 * 100},
                 {"<code warps='4..7'>" MANY "</code><code>" FEW "</code>", 2 * 1 + 2 * 100},
                 {"<code warps='1'>" MANY "</code><code>" FEW "</code>", 101 + 3},
                 {"<code warps='7'>" MANY "</code><code>" FEW "</code>", 3 + 101},
                 {"<code>" MANY "</code>", 4 * 100}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Asked) asked = asked_new("", "groups='1' group-size='256'", cases[i].codes);
        asked.idg->of_ptx = TRUE;
        asked.gpu->warp_size = 64;
        g_assert_cmpint(ask(&asked)->result.instructions, ==, cases[i].instructions);
    }
#undef FEW
#undef MANY
}

/* A wave of 64 threads has the turns of two warps of PTX. */
static void test_turns_of_waves(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4000' group-size='256'",
                                    "<code><node name='x' class='atomic.global' bytes='4' "
                                    "l1='0.125' l2='0.125' device='0' spot='s' "
                                    "serial='16'/></code>");
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/mi210.xml", NULL);
    asked.question.gpu = gpu;
    const double graph = ps_rational_to_double(ask(&asked)->result.cycles);
    asked.idg->of_ptx = TRUE;
    const double ptx = ps_rational_to_double(ask(&asked)->result.cycles);
    g_assert_cmpfloat(graph, >, 4000. * 4 * 16 * 0.98);
    g_assert_cmpfloat(ptx / graph, >, 1.9);
    g_assert_cmpfloat(ptx / graph, <, 2.1);
}

static void test_errors(void)
{
    g_auto(Asked) asked = asked_of_peak("6400");
    const PsAnswer *answer = ask(&asked);
    const PsAnswerErrors errors = ps_answer_errors(answer, 2 * answer->simulated);
    assert_close(errors.simulated, -0.5);
    assert_close(errors.result, -0.5);
    assert_close(errors.roofline,
                 answer->roofline.prediction.seconds / (2 * answer->simulated) - 1);
    assert_close(ps_answer_gflops(answer, answer->seconds), 2048 * 80 / answer->seconds / 1e9);
    g_assert_cmpfloat(ps_answer_gflops(answer, 0), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/verdict/clamps", test_clamps);
    g_test_add_func("/answer/verdict/impossible", test_impossible);
    g_test_add_func("/answer/verdict/cause", test_cause);
    g_test_add_func("/answer/verdict/reached", test_reached);
    g_test_add_func("/answer/verdict/agreement", test_agreement);
    g_test_add_func("/answer/verdict/uneven", test_uneven);
    g_test_add_func("/answer/verdict/even-enough", test_even_enough);
    g_test_add_func("/answer/verdict/dispatch", test_dispatch);
    g_test_add_func("/answer/verdict/idle-groups", test_idle_groups);
    g_test_add_func("/answer/verdict/unknown-dispatch", test_unknown_dispatch);
    g_test_add_func("/answer/verdict/unknown-turn", test_unknown_turn);
    g_test_add_func("/answer/verdict/starts", test_starts);
    g_test_add_func("/answer/verdict/unknown-turns", test_unknown_turns);
    g_test_add_func("/answer/verdict/waves", test_waves);
    g_test_add_func("/answer/verdict/programs-of-waves", test_programs_of_waves);
    g_test_add_func("/answer/verdict/turns-of-waves", test_turns_of_waves);
    g_test_add_func("/answer/verdict/errors", test_errors);
    return g_test_run();
}
