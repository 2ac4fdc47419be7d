/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on loops: what is told is what the loop takes that is written so. */
#include "advice/loop-way.h"
#include "idg/edit.h"
#include "idg/rearrange.h"
#include "advice/pragma.h"
#include "tests/help/ask.h"

#include <math.h>

/* In program order, as GPUs issue. */
static const PsRefinementOptions IN_ORDER = {.has_order = TRUE, .order = PS_ORDER_PROGRAM};

static Asked asked_in_order(const char *launch, const char *codes)
{
    Asked asked = asked_new("<class name='fadd' pipeline='a' issue='1' completion='8'/>"
                            "<class name='iadd' pipeline='a' issue='1' completion='8'/>"
                            "<class name='loop' pipeline='b' issue='1' completion='1'/>",
                            launch, codes);
    asked.question.refinements = &IN_ORDER;
    return asked;
}

/* What the question takes with the loop that has node x written that way. */
static double rearranged(Asked *asked, PsIdgWay way)
{
    g_autoptr(PsIdg) idg = ps_idg_copy(asked->idg);
    g_autoptr(PsScope) scope = ps_scope_new();
    PsIdgRearranged did;
    Asked other = {.question = asked->question};
    way.scope = scope;
    g_assert_true(ps_idg_rearrange(idg, 0, "x", &way, &did));
    other.question.idg = idg;
    const double seconds = ask(&other)->seconds;
    ps_answer_free(other.answer);
    return seconds;
}

static const PsLoopWay *way_of(const PsAdvice *advice, guint i)
{
    return ps_loop_way(advice, i);
}

/* The advice on a loop, which gives what its way takes. */
static const PsAdvice *told(Asked *asked, PsCause cause)
{
    const PsAdvice *advice = advice_by(ask_advice(asked), "loop");
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, cause);
    const PsLoopWay *way = way_of(advice, 0);
    assert_close(advice->seconds, way->seconds);
    assert_close(advice->seconds,
                 rearranged(asked, (PsIdgWay){way->times, way->sums > 0, way->ahead, NULL}));
    return advice;
}

/* A loop that waits for each load: four at once are told, and what else was tried; the place is the
 * load. */
static void test_unroll(void)
{
    g_auto(Asked) asked =
        asked_in_order("groups='2' group-size='32'",
                       "<code><loop times='40'><node name='x' class='global.load' line='3'/>"
                       "<node name='s' class='a' after='x s' line='4'/>"
                       "<node name='b' class='loop' line='2'/></loop></code>");
    const PsAdvice *advice = told(&asked, PS_CAUSE_UNROLL);
    g_assert_cmpuint(way_of(advice, 0)->times, ==, 4);
    g_assert_cmpuint(((const PsLoopWays *)advice->data)->ways->len, ==, 3);
    g_assert_cmpuint(way_of(advice, 1)->times, ==, 2);
    assert_close(way_of(advice, 1)->seconds, rearranged(&asked, (PsIdgWay){.times = 2}));
    g_assert_true(way_of(advice, 2)->ahead);
    g_auto(PsNodePlace) load = ps_answer_place(asked.answer, advice->program, advice->node);
    g_auto(PsNodePlace) loop =
        ps_answer_place(asked.answer, advice->program, ((const PsLoopWays *)advice->data)->loop);
    g_assert_cmpstr(load.line, ==, "small.cl:3");
    g_assert_cmpstr(loop.line, ==, "small.cl:2");
}

/* It is told once, and is no bottleneck: that is what is waited for. */
static void test_once(void)
{
    g_auto(Asked) asked = asked_in_order(
        "groups='2' group-size='32'", "<code><loop times='40'><node name='x' class='global.load'/>"
                                      "<node name='s' class='a' after='x s'/></loop></code>");
    told(&asked, PS_CAUSE_UNROLL);
    guint n = 0;
    for (guint i = 0; i < asked.answer->advice->len; i++)
        n += ps_advice_is_loop(asked.answer->advice->pdata[i]);
    g_assert_cmpuint(n, ==, 1);
    PsBottleneck bottleneck;
    g_assert_true(ps_answer_bottleneck(asked.answer, &bottleneck));
    g_assert_cmpint(bottleneck.cause, ==, PS_CAUSE_LATENCY);
}

/* Behind barriers iterations stay apart, but loads may come before. */
static void test_ahead(void)
{
    g_auto(Asked) asked =
        asked_in_order("groups='2' group-size='32'",
                       "<code><loop times='40'><node name='x' class='global.load'/>"
                       "<node name='w' class='local.store' after='x'/>"
                       "<node name='b' class='barrier' after='w'/>"
                       "<loop times='0'><node name='none' class='a'/></loop></loop></code>");
    /* a loop inside: nothing is known of it */
    g_assert_null(advice_by(ask_advice(&asked), "loop"));
    g_auto(Asked) flat =
        asked_in_order("groups='2' group-size='32'",
                       "<code><loop times='40'><node name='x' class='global.load'/>"
                       "<node name='w' class='local.store' after='x'/>"
                       "<node name='b' class='barrier' after='w'/>"
                       "<node name='l' class='local.load'/><node name='s' class='a' after='l s'/>"
                       "<node name='c' class='barrier' after='l'/></loop></code>");
    const PsAdvice *advice = told(&flat, PS_CAUSE_ORDER);
    g_assert_true(way_of(advice, 0)->ahead);
    g_assert_cmpuint(way_of(advice, 0)->registers, ==, 1);
}

/* A chain of additions alone: several sums, which round otherwise; of integers they do not. */
static void test_sums(void)
{
    static const char *const classes[] = {"fadd", "iadd"};
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        g_autofree char *codes =
            g_strdup_printf("<code><loop times='400'><node name='x' class='loop'/>"
                            "<node name='s' class='%s' after='x s'/></loop></code>",
                            classes[i]);
        g_auto(Asked) asked = asked_in_order("groups='2' group-size='32'", codes);
        const PsAdvice *advice = told(&asked, PS_CAUSE_UNROLL);
        g_assert_cmpuint(way_of(advice, 0)->sums, ==, 1);
        g_assert_cmpint(way_of(advice, 0)->rounds, ==, i == 0);
        g_assert_cmpuint(way_of(advice, 0)->registers, ==, way_of(advice, 0)->times - 1);
    }
}

/* What is under way takes registers: of 8192 four groups of 64 threads with 32 each fit, and fewer
 * with more, so that four iterations at once gain less than where registers do not matter. Beyond
 * 255 there are none. */
static void test_registers(void)
{
    const char *codes = "<code><loop times='40'><node name='x' class='global.load' bytes='16'/>"
                        "<node name='s' class='a' after='x s'/></loop></code>";
    g_auto(Asked) free = asked_in_order("groups='8' group-size='64'", codes);
    free.question.launch.active = 4;
    const double without = told(&free, PS_CAUSE_UNROLL)->seconds;
    g_auto(Asked) asked = asked_in_order("groups='8' group-size='64' registers='32'", codes);
    const PsAdvice *advice = advice_by(ask_advice(&asked), "loop");
    g_assert_cmpint(asked.answer->machine->launch.active_groups, ==, 4);
    assert_close(asked.answer->seconds, free.answer->seconds);
    g_assert_nonnull(advice);
    g_assert_cmpuint(way_of(advice, 0)->registers, >, 0);
    g_assert_cmpfloat(advice->seconds, >, without);
    g_auto(Asked) full = asked_in_order("groups='2' group-size='32' registers='250'", codes);
    advice = advice_by(ask_advice(&full), "loop");
    g_assert_nonnull(advice);
    for (guint i = 0; i < ((const PsLoopWays *)advice->data)->ways->len; i++)
        g_assert_cmpuint(way_of(advice, i)->registers, <=, 5);
}

/* Straight code: the second load does not wait for the use of the first; the place is the load that
 * comes earlier. In that order there is nothing to tell. */
static void test_straight(void)
{
    g_auto(Asked) asked = asked_in_order(
        "groups='2' group-size='32'",
        "<code><node name='x' class='global.load' line='1'/><node name='s' class='a' after='x'/>"
        "<node name='t' class='global.store' after='s'/>"
        "<node name='y' class='global.load' line='2'/>"
        "<node name='u' class='global.store' after='y'/></code>");
    g_auto(Asked) then = asked_in_order(
        "groups='2' group-size='32'",
        "<code><node name='x' class='global.load'/><node name='y' class='global.load'/>"
        "<node name='s' class='a' after='x'/><node name='t' class='global.store' after='s'/>"
        "<node name='u' class='global.store' after='y'/></code>");
    const PsAdvice *advice = advice_by(ask_advice(&asked), "raised");
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, PS_CAUSE_ORDER);
    g_assert_cmpuint(way_of(advice, 0)->loads, ==, 1);
    g_assert_true(way_of(advice, 0)->passes_store);
    assert_close(advice->seconds, ask(&then)->seconds);
    g_auto(PsNodePlace) place = ps_answer_place(asked.answer, advice->program, advice->node);
    g_assert_cmpstr(place.line, ==, "small.cl:2");
    g_assert_null(advice_by(ask_advice(&then), "raised"));
}

/* What no store keeps where it is, the compiler of PTX puts where it likes. */
static void test_compiled(void)
{
    static const char code[] =
        "<code><node name='x' class='global.load'/><node name='s' class='a' after='x'/>"
        "<node name='y' class='global.load'/><node name='u' class='a' after='y s'/></code>";
    g_auto(Asked) written = asked_in_order("groups='2' group-size='32'", code);
    g_auto(Asked) compiled = asked_in_order("groups='2' group-size='32'", code);
    compiled.idg->of_ptx = TRUE;
    g_assert_nonnull(advice_by(ask_advice(&written), "raised"));
    g_assert_null(advice_by(ask_advice(&compiled), "raised"));
}

/* A loop whose code has so many iterations of the source in one; two loads are of each. */
static Asked asked_of_code(guint iterations, const char *line)
{
    GString *codes = g_string_new("<code><loop times='40'>");
    for (guint i = 0; i < iterations; i++)
        g_string_append_printf(codes,
                               "<node name='x%.0u' class='global.load' bytes='4' line='3'/>"
                               "<node name='y%u' class='global.load' bytes='4' line='4'/>"
                               "<node name='s%u' class='a' after='y%u' line='4'/>",
                               i, i, i, i);
    g_string_append_printf(codes, "<node name='b' class='loop' %s/></loop></code>", line);
    Asked asked = asked_in_order("groups='2' group-size='32'", codes->str);
    g_string_free(codes, TRUE);
    asked.idg->of_ptx = TRUE;
    return asked;
}

/* The pragma asks for iterations of the source, and is for code alone. */
static void test_pragma(void)
{
    const char *file;
    guint line, times;
    for (guint n = 1; n <= 3; n++) {
        g_auto(Asked) asked = asked_of_code(n, "line='2'");
        const PsAdvice *advice = told(&asked, PS_CAUSE_UNROLL);
        g_assert_true(ps_advice_is_pragma(asked.answer, advice, &file, &line, &times));
        g_assert_cmpuint(times, ==, n * way_of(advice, 0)->times);
        g_assert_cmpstr(file, ==, "small.cl");
        g_assert_cmpuint(line, ==, 2);
        asked.idg->of_ptx = FALSE;
        g_assert_false(ps_advice_is_pragma(asked.answer, advice, &file, &line, &times));
    }
    g_auto(Asked) lost = asked_of_code(1, "");
    const PsAdvice *advice = told(&lost, PS_CAUSE_UNROLL);
    g_assert_true(ps_advice_is_pragma(lost.answer, advice, &file, &line, &times));
    g_assert_null(file);
    g_assert_cmpuint(line, ==, 0);
    g_auto(Asked) large = asked_of_code(20, "line='2'");
    advice = advice_by(ask_advice(&large), "loop");
    g_assert_nonnull(advice);
    g_assert_true(ps_advice_is_pragma(large.answer, advice, &file, &line, &times));
    g_assert_cmpuint(times, ==, MIN(20 * way_of(advice, 0)->times, PS_PRAGMA_MOST));
}

/* Other code has its own time, and what takes as long is no other. */
static void test_pragma_time(void)
{
    g_auto(Asked) asked = asked_of_code(1, "line='2'");
    g_auto(Asked) other = asked_of_code(2, "line='2'");
    PsAdvice *advice = (PsAdvice *)told(&asked, PS_CAUSE_UNROLL);
    ps_advice_set_pragma(advice, asked.answer, &asked.question, other.idg, 8);
    g_assert_cmpuint(((const PsLoopWays *)advice->data)->pragma.times, ==, 8);
    g_assert_false(((const PsLoopWays *)advice->data)->pragma.same);
    assert_close(((const PsLoopWays *)advice->data)->pragma.seconds, ask(&other)->seconds);
    ps_advice_set_pragma(advice, asked.answer, &asked.question, asked.idg, 8);
    g_assert_true(((const PsLoopWays *)advice->data)->pragma.same);
    ps_advice_set_pragma(advice, asked.answer, &asked.question, NULL, 16);
    g_assert_true(((const PsLoopWays *)advice->data)->pragma.same);
    g_assert_true(isnan(((const PsLoopWays *)advice->data)->pragma.seconds));
    ps_advice_set_no_pragma(advice, asked.answer, "since");
    g_assert_false(((const PsLoopWays *)advice->data)->pragma.same);
    g_assert_cmpstr(((const PsLoopWays *)advice->data)->pragma.why, ==, "since");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/advice-loop/unroll", test_unroll);
    g_test_add_func("/answer/advice-loop/once", test_once);
    g_test_add_func("/answer/advice-loop/ahead", test_ahead);
    g_test_add_func("/answer/advice-loop/sums", test_sums);
    g_test_add_func("/answer/advice-loop/registers", test_registers);
    g_test_add_func("/answer/advice-loop/straight", test_straight);
    g_test_add_func("/answer/advice-loop/compiled", test_compiled);
    g_test_add_func("/answer/advice-loop/pragma", test_pragma);
    g_test_add_func("/answer/advice-loop/pragma-time", test_pragma_time);
    return g_test_run();
}
