/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on threads, warps and units that have less to do than others: what it predicts is what the
 * graph takes that is written by hand as it would be.
 */
#include "tests/help/ask.h"

#include <string.h>

#define LAUNCH(size) "groups='64' group-size='" size "'"

/* What the codes take on the same GPU. */
static double seconds_of(const char *rows, const char *launch, const char *codes)
{
    g_auto(Asked) asked = asked_new(rows, launch, codes);
    return ask(&asked)->seconds;
}

/* The advice of that change, which predicts what those codes take. */
static const PsAdvice *assert_predicts(Asked *asked, const char *change, PsCause cause,
                                       const char *launch, const char *codes)
{
    const PsAdvice *advice = advice_by(ask_advice(asked), change);
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, cause);
    assert_close(advice->seconds, seconds_of("", launch, codes));
    return advice;
}

static const char *node_of(const PsAnswer *answer, const PsAdvice *advice)
{
    return answer->kernel->programs[advice->program].nodes[advice->node].item->name;
}

/* ---- divergence ---------------------------------------------------------------------------- */

#define BEFORE "<node name='p' class='a' line='1'/>"
#define WAY(name, class_, lanes, side, line)                                                       \
    "<loop times='40'><node name='" name "' class='" class_ "' after='" name "' lanes='" lanes     \
    "' side='" side "' line='" line "'/></loop>"
#define AFTER "<node name='q' class='a' line='9'/>"

/* A quarter of the warps goes one way, the others the other. */
static void test_ways(void)
{
    g_auto(Asked) asked = asked_new("", LAUNCH("128"),
                                    "<code>" BEFORE WAY("x", "a", "0.25", "1", "3")
                                        WAY("y", "local", "0.75", "2", "5") AFTER "</code>");
    const PsAdvice *advice = assert_predicts(
        &asked, "sorted", PS_CAUSE_DIVERGENCE, LAUNCH("128"),
        "<code warps='0'>" BEFORE WAY("x", "a", "1", "1", "3") AFTER
        "</code><code warps='1..3'>" BEFORE WAY("y", "local", "1", "2", "5") AFTER "</code>");
    assert_close(advice_figure(advice, "idle_share"), 0.5);
    g_assert_false(advice_figure(advice, "alike"));
    g_assert_cmpfloat(advice_figure(advice, "first_line"), ==, 3);
    g_assert_cmpfloat(advice_figure(advice, "last_line"), ==, 5);
    g_assert_cmpfloat(advice_figure(advice, "part_line"), ==, 1);
}

/* The longest thread runs 40 times, 20 in the mean: the warps' longest 10, 20, 30 and 40. */
static void test_loop(void)
{
#define TIMES(warps, times)                                                                        \
    "<code" warps ">" BEFORE "<loop times='" times                                                 \
    "'><node name='x' class='a' after='x' lanes='0.5' line='3'/></loop>" AFTER "</code>"
    g_auto(Asked) asked = asked_new("", LAUNCH("128"), TIMES("", "40"));
    const PsAdvice *advice =
        assert_predicts(&asked, "sorted", PS_CAUSE_DIVERGENCE, LAUNCH("128"),
                        TIMES(" warps='0'", "10") TIMES(" warps='1'", "20")
                            TIMES(" warps='2'", "30") TIMES(" warps='3'", "40"));
    g_assert_true(advice_figure(advice, "alike"));
    g_assert_cmpfloat(advice_figure(advice, "part_line"), ==, 3);
    g_assert_cmpstr(node_of(asked.answer, advice), ==, "x");
#undef TIMES
}

/* Requests of full warps move what those of parts of warps did. */
static void test_traffic(void)
{
#define LOAD(name, class_, device, side)                                                           \
    "<loop times='40'><node name='" name "' class='global.load" class_                             \
    "' bytes='4' device='" device "' lanes='0.5' side='" side "' line='3'/></loop>"
    g_auto(Asked) asked = asked_new(
        "<class name='global.load.s32' pipeline='global' issue='24' completion='300'/>",
        LAUNCH("64"),
        "<code>" BEFORE LOAD("x", ".s16", "2", "1") LOAD("y", ".s16", "2", "2") "</code>");
    const PsAdvice *advice = advice_by(ask_advice(&asked), "sorted");
    g_assert_nonnull(advice);
    assert_close(advice->seconds,
                 seconds_of("<class name='global.load.s32' pipeline='global' issue='24' "
                            "completion='300'/>",
                            LAUNCH("64"),
                            "<code warps='0'>" BEFORE LOAD(
                                "x", ".s32", "4",
                                "1") "</code><code warps='1'>" BEFORE LOAD("y", ".s32", "4",
                                                                           "2") "</code>"));
#undef LOAD
}

/* Nothing of a warp alone, of one thread for its warp, or where all come by. */
static void test_no_divergence(void)
{
    const struct {
        const char *launch, *codes;
    } none[] = {
        {LAUNCH("32"), "<code>" BEFORE WAY("x", "a", "0.5", "1", "3") AFTER "</code>"},
        {LAUNCH("128"), "<code>" BEFORE WAY("x", "a", "1/32", "1", "3") AFTER "</code>"},
        {LAUNCH("128"), "<code>" BEFORE WAY("x", "a", "0.99", "1", "3") AFTER "</code>"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        g_auto(Asked) asked = asked_new("", none[i].launch, none[i].codes);
        g_assert_null(advice_by(ask_advice(&asked), "sorted"));
    }
}

#define KINDS(edge, inside)                                                                        \
    "<kind name='edge' share='1'>" edge "</kind><kind name='inside' share='3'>" inside "</kind>"

/* Each kind of groups sorts its own threads; of one warp nobody does. The lanes that idle are those
 * of all groups: a half of a quarter of them, and three quarters of the rest. */
static void test_kinds(void)
{
    const char *sorted = KINDS("<code warps='0..1'>" BEFORE WAY("x", "a", "1", "1", "3") AFTER
                               "</code><code warps='2..3'>" BEFORE AFTER "</code>",
                               "<code warps='0'>" BEFORE WAY("x", "a", "1", "1", "3") AFTER
                               "</code><code warps='1..3'>" BEFORE AFTER "</code>");
    g_auto(Asked) asked =
        asked_new("", LAUNCH("128"),
                  KINDS("<code>" BEFORE WAY("x", "a", "0.5", "1", "3") AFTER "</code>",
                        "<code>" BEFORE WAY("x", "a", "0.25", "1", "3") AFTER "</code>"));
    const PsAdvice *advice =
        assert_predicts(&asked, "sorted", PS_CAUSE_DIVERGENCE, LAUNCH("128"), sorted);
    assert_close(advice_figure(advice, "idle_share"), 0.5 / 4 + 0.75 * 3 / 4);
}

/* Where only one warp of a kind's groups comes by, these stay as they are. */
static void test_kind_of_one(void)
{
    g_auto(Asked) asked =
        asked_new("", LAUNCH("128"),
                  KINDS("<code warps='0'>" BEFORE WAY("x", "a", "0.5", "1", "3") AFTER
                        "</code><code warps='1..3'>" BEFORE "</code>",
                        "<code>" BEFORE WAY("x", "a", "0.5", "1", "3") AFTER "</code>"));
    assert_predicts(&asked, "sorted", PS_CAUSE_DIVERGENCE, LAUNCH("128"),
                    KINDS("<code warps='0'>" BEFORE WAY("x", "a", "0.5", "1", "3") AFTER
                          "</code><code warps='1..3'>" BEFORE "</code>",
                          "<code warps='0..1'>" BEFORE WAY("x", "a", "1", "1", "3") AFTER
                          "</code><code warps='2..3'>" BEFORE AFTER "</code>"));
}

/* ---- imbalance ----------------------------------------------------------------------------- */

#define RUNS(warps, times, more)                                                                   \
    "<code warps='" warps "'><loop times='" times                                                  \
    "'><node name='x' class='a' after='x' line='3'/>" more "</loop></code>"

/* 10, 20, 30 and 41 times are 25 and, of one warp, 26. */
static void test_imbalance(void)
{
    g_auto(Asked) asked =
        asked_new("", LAUNCH("128"),
                  RUNS("0", "10", "") RUNS("1", "20", "") RUNS("2", "30", "") RUNS("3", "41", ""));
    const PsAdvice *advice =
        assert_predicts(&asked, "shared-out", PS_CAUSE_IMBALANCE, LAUNCH("128"),
                        RUNS("0..2", "25", "") RUNS("3", "26", ""));
    g_assert_cmpfloat(advice_figure(advice, "warp"), ==, 3);
    assert_close(advice_figure(advice, "mean_share"), 25.25 / 41);
    g_assert_cmpfloat(advice_figure(advice, "part_line"), ==, 3);
    g_assert_cmpstr(node_of(asked.answer, advice), ==, "x");
}

/* Warps share out with those of their own group: 60 and 20 times are 40 in one kind, which is told,
 * 10 and 30 are 20 in the other; a kind whose warps do as much stays as it is. */
static void test_kinds_shared_out(void)
{
    g_auto(Asked) asked =
        asked_new("", LAUNCH("64"),
                  KINDS(RUNS("0", "60", "") RUNS("1", "20", ""),
                        RUNS("0", "10", "")
                            RUNS("1", "30", "")) "<kind name='even' share='1'>" RUNS("0..1", "50",
                                                                                     "") "</kind>");
    const PsAdvice *advice = assert_predicts(
        &asked, "shared-out", PS_CAUSE_IMBALANCE, LAUNCH("64"),
        KINDS(RUNS("0..1", "40", ""), RUNS("0..1", "20", "")) "<kind name='even' share='1'>" RUNS(
            "0..1", "50", "") "</kind>");
    g_assert_cmpfloat(advice_figure(advice, "warp"), ==, 0);
    g_assert_cmpfloat(advice_figure(advice, "group_kind"), ==, 0);
    assert_close(advice_figure(advice, "mean_share"), 40.0 / 60);
}

#define LOADS(warps, times, device)                                                                \
    "<code warps='" warps "'><loop times='" times                                                  \
    "'><node name='x' class='global.load' after='x' "                                              \
    "bytes='4' device='" device "' line='3'/></loop></code>"

/* If all ran the code of the longest, of which less reaches memory, a gain would be that. */
static void test_less_work(void)
{
    g_auto(Asked) same = asked_new("", "groups='2' group-size='128'",
                                   LOADS("0..1", "90", "0.5") LOADS("2..3", "30", "0.5"));
    g_auto(Asked) less = asked_new("", "groups='2' group-size='128'",
                                   LOADS("0..1", "90", "0.5") LOADS("2..3", "30", "1"));
    g_assert_nonnull(advice_by(ask_advice(&same), "shared-out"));
    g_assert_null(advice_by(ask_advice(&less), "shared-out"));
}

/* What few warps do, other tasks, and what warps do together is not shared out. */
static void test_no_imbalance(void)
{
    static const char *const none[] = {
        "<code warps='0'><node name='y' class='a' line='5'/><loop times='100'><node name='x' "
        "class='a' after='x' line='3'/></loop></code>"
        "<code><node name='y' class='a' line='5'/></code>",
        RUNS("0..1", "100", "") "<code warps='2..3'><loop times='10'><node name='y' class='local' "
                                "after='y' line='5'/></loop></code>",
        RUNS(
            "0", "100",
            "<node name='w' class='barrier' line='4'/>") "<code><loop times='100'><node name='w' "
                                                         "class='barrier' line='4'/></loop></code>",
        RUNS("0..1", "50", "") RUNS("2..3", "50", "")};
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        g_auto(Asked) asked = asked_new("", "groups='2' group-size='128'", none[i]);
        g_assert_null(advice_by(ask_advice(&asked), "shared-out"));
    }
}

/* ---- barriers ------------------------------------------------------------------------------ */

/* Warps whose codes differ in trip counts alone: the place is what the late one does more often. */
static void test_late_place(void)
{
#define LATE(warps, times)                                                                         \
    "<code warps='" warps                                                                          \
    "'><loop times='36'><node name='b' class='local' after='b' line='2'/></loop>"                  \
    "<loop times='" times "'><node name='x' class='a' after='x b' line='3'/></loop>"               \
    "<node name='w' class='barrier' after='x' line='4'/></code>"
    g_auto(Asked) asked =
        asked_new("", "groups='2' group-size='128'", LATE("0..2", "10") LATE("3", "80"));
    const PsAdvice *advice = advice_by(ask_advice(&asked), "late-warp");
    g_assert_nonnull(advice);
    g_assert_cmpfloat(advice_figure(advice, "warp"), ==, 3);
    g_assert_cmpstr(node_of(asked.answer, advice), ==, "x");
#undef LATE
}

/* ---- matrix units -------------------------------------------------------------------------- */

#define PLAIN                                                                                      \
    "<pipeline name='tensor'/>"                                                                    \
    "<class name='fmadd' pipeline='a' issue='2' completion='4'/>"                                  \
    "<class name='tensor' pipeline='tensor' issue='2' completion='6'/>"
#define ROWS PLAIN "<peak name='T_tensor' per-cu='1024'/>"
#define FMA(name, left, right)                                                                     \
    "<node name='" name "' class='fmadd' after='" name " " left " " right                          \
    "' ops='2' type='fp32' line='7'/>"
#define LOAD(name) "<node name='" name "' class='local.load' bytes='4' line='6'/>"
#define PRODUCT(fmas)                                                                              \
    "<code><loop times='64'>" LOAD("l") LOAD("m") LOAD("r") LOAD("s") fmas                         \
        "</loop><node name='out' class='local' after='f'/></code>"
#define TILE "groups='64' group-size='128' local-memory='1024'"

/* 2 x 2 sums of each of 32 threads are 16 x 8: one product of matrices in half, of which 4
 * multiply-adds are a sixteenth. */
static void test_tensor(void)
{
    g_auto(Asked) asked = asked_new(
        ROWS, TILE,
        PRODUCT(FMA("f", "l", "r") FMA("g", "l", "s") FMA("h", "m", "r") FMA("i", "m", "s")));
    const PsAdvice *advice = advice_by(ask_advice(&asked), "tensor");
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, PS_CAUSE_TENSOR);
    g_assert_cmpstr(advice->class_name, ==, "tensor.f16.f32.m16n8k16");
    g_assert_cmpfloat(advice_figure(advice, "multiply_adds"), ==, 4);
    g_assert_cmpfloat(advice_figure(advice, "products"), ==, 1);
    g_assert_cmpfloat(advice_figure(advice, "loads"), ==, 1);
    assert_close(advice->seconds,
                 seconds_of(ROWS, TILE,
                            "<code><loop times='64'><node name='l' class='local.load.matrix' "
                            "bytes='16'/><node name='i' class='tensor.f16.f32.m16n8k16' "
                            "after='i l' ops='128' type='tensor'/></loop>"
                            "<node name='out' class='local' after='i'/></code>"));
}

/* A row's inner product, a stencil, sums of one kind, and what has no tile. */
static void test_no_tensor(void)
{
    const struct {
        const char *rows, *launch, *codes;
    } none[] = {
        {ROWS, TILE,
         PRODUCT(FMA("f", "l", "r") FMA("g", "m", "s") FMA("h", "l", "r") FMA("i", "m", "s"))},
        {ROWS, TILE,
         PRODUCT(FMA("f", "l", "r") FMA("g", "l", "s") FMA("h", "m", "s") FMA("i", "m", "s"))},
        {ROWS, TILE,
         PRODUCT(FMA("f", "l", "l") FMA("g", "m", "m") FMA("h", "r", "r") FMA("i", "s", "s"))},
        {ROWS, TILE,
         "<code><loop times='0'><loop times='64'>" LOAD("l") LOAD("m") LOAD("r") LOAD("s")
             FMA("f", "l", "r") FMA("g", "l", "s") FMA("h", "m", "r")
                 FMA("i", "m", "s") "</loop></loop><node name='out' class='local'/></code>"},
        {ROWS, LAUNCH("128"),
         PRODUCT(FMA("f", "l", "r") FMA("g", "l", "s") FMA("h", "m", "r") FMA("i", "m", "s"))},
        {PLAIN, TILE,
         PRODUCT(FMA("f", "l", "r") FMA("g", "l", "s") FMA("h", "m", "r") FMA("i", "m", "s"))},
    };
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        g_auto(Asked) asked = asked_new(none[i].rows, none[i].launch, none[i].codes);
        g_assert_null(advice_by(ask_advice(&asked), "tensor"));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/balance/ways", test_ways);
    g_test_add_func("/answer/balance/loop", test_loop);
    g_test_add_func("/answer/balance/traffic", test_traffic);
    g_test_add_func("/answer/balance/no-divergence", test_no_divergence);
    g_test_add_func("/answer/balance/imbalance", test_imbalance);
    g_test_add_func("/answer/balance/no-imbalance", test_no_imbalance);
    g_test_add_func("/answer/balance/late-place", test_late_place);
    g_test_add_func("/answer/balance/tensor", test_tensor);
    g_test_add_func("/answer/balance/no-tensor", test_no_tensor);
    g_test_add_func("/answer/balance/less-work", test_less_work);
    g_test_add_func("/answer/balance/kinds", test_kinds);
    g_test_add_func("/answer/balance/kind-of-one", test_kind_of_one);
    g_test_add_func("/answer/balance/kinds-shared-out", test_kinds_shared_out);
    return g_test_run();
}
