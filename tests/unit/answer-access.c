/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on accesses to memory: where a graph says how they lie to each other, what is told is what
 * the graph without that takes.
 */
#include "advice/access.h"
#include "tests/help/ask.h"

#include <string.h>

#define LAUNCH "groups='32' group-size='128'"

static const char GPU[] =
    "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Small'><source id='me' kind='measured'>Made "
    "up."
    "</source><chip compute-units='2' clock='1000' warp-size='32'/>"
    "<limits warps='16' groups='8' group-size='256' registers='8192' register-unit='256' "
    "local-memory='8192'/><pipeline name='a'/><pipeline name='b'/><pipeline name='local'/>"
    "<pipeline name='global'/><pipeline name='barrier'/>"
    "<model levels='on' order='program'/>"
    "<class name='a' pipeline='a' issue='1' completion='8'/>"
    "<class name='b' pipeline='b' issue='1' completion='8'/>"
    "<class name='slow' pipeline='b' issue='64' completion='64'/>"
    "<class name='iadd' pipeline='a' issue='1' completion='8'/>"
    "<class name='local' pipeline='local' issue='2' completion='20'/>"
    "<class name='shuffle' pipeline='local' issue='2' completion='20'/>"
    "<class name='atomic.local' pipeline='local' issue='4' completion='20'/>"
    "<class name='barrier' pipeline='barrier' issue='1' completion='4'/>"
    "<memory pipeline='global'><level name='l1' bytes='16384' port='16' latency='30'/>"
    "<level name='device' bandwidth='64' latency='300'/></memory>"
    "<atomics pipeline='global' latency='200' address='0.05'/></gpu>";

/* A level that nothing reaches is known; one that is not known stays. */
static void test_set_traffic(void)
{
    PsIdgItem item = {0};
    PsAccessTraffic traffic = {.bytes = 8};
    for (guint level = 0; level < PS_N_LEVELS; level++)
        traffic.reach[level] = -1;
    traffic.reach[PS_LEVEL_DEVICE] = 0;
    ps_access_set_traffic(&item, &traffic);
    g_assert_nonnull(item.share[PS_LEVEL_DEVICE]);
    g_assert_null(item.share[PS_LEVEL_L2]);
    ps_expr_free(item.share[PS_LEVEL_DEVICE]);
    ps_expr_free(item.bytes);
}

static Asked asked_on(const char *gpu, const char *launch, const char *code)
{
    Asked asked = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *graph =
        g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='small' file='small.cl'>"
                        "<launch %s/>%s</idg>",
                        launch, code);
    asked.gpu = ps_gpu_parse(gpu, strlen(gpu), "small.xml", &error);
    g_assert_no_error(error);
    asked.idg = ps_idg_parse(graph, strlen(graph), "small.idg", &error);
    g_assert_no_error(error);
    asked.question = (PsQuestion){.idg = asked.idg, .gpu = asked.gpu};
    return asked;
}

static Asked asked_levels(const char *launch, const char *code)
{
    return asked_on(GPU, launch, code);
}

/* On that GPU, with a word of its description replaced by another. */
static Asked asked_changed(const char *from, const char *to, const char *launch, const char *code)
{
    g_auto(GStrv) parts = g_strsplit(GPU, from, 2);
    g_autofree char *gpu = g_strjoinv(to, parts);
    return asked_on(gpu, launch, code);
}

/* What the same launch takes of another code. */
static double seconds_of(const char *launch, const char *code)
{
    g_auto(Asked) asked = asked_levels(launch, code);
    return ask(&asked)->seconds;
}

/* Advice of that kind, which gives what the other code takes. */
static const PsAdvice *gives(Asked *asked, const char *change, PsCause cause, const char *then)
{
    const PsAdvice *advice = advice_by(ask_advice(asked), change);
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, cause);
    g_assert_cmpfloat(advice->gain, >=, PS_ADVICE_LEAST);
    assert_close(advice->seconds, seconds_of(LAUNCH, then));
    return advice;
}

static const char *name_of(const PsAnswer *answer, const PsAdvice *advice)
{
    return answer->kernel->programs[advice->program].nodes[advice->node].item->name;
}

/* ---- wider --------------------------------------------------------------------------------- */

#define NARROW(name, beside)                                                                       \
    "<node name='" name "' class='global.load.s16' after='p' bytes='4' l1='4' device='" beside     \
    "' beside='x'/>"

/* Four loads of 16 bytes: one of the sectors that all touch. What only addressed the others goes.
 */
static void test_wider(void)
{
    g_auto(Asked) asked = asked_levels(
        LAUNCH,
        "<code><loop times='20'><node name='p' class='a'/>" NARROW("x", "4") NARROW(
            "y",
            "0") "<node name='q' class='slow' after='p'/>"
                 "<node name='z' class='global.load.s16' after='q' bytes='4' l1='4' device='0' "
                 "beside='x'/>" NARROW(
                     "w", "0") "<node name='s' class='b' after='x y z w'/></loop></code>");
    const PsAdvice *advice =
        gives(&asked, "wider", PS_CAUSE_NARROW_ACCESS,
              "<code><loop times='20'><node name='p' class='a'/><node name='x' "
              "class='global.load.v4' after='p' bytes='16' l1='1' device='1'/>"
              "<node name='s' class='b' after='x'/></loop></code>");
    g_assert_cmpfloat(advice_figure(advice, "now"), ==, 4);
    g_assert_cmpfloat(advice_figure(advice, "then"), ==, 16);
    g_assert_null(advice_by(asked.answer, "class")); /* not that they are not coalesced */
    PsBottleneck bottleneck;
    g_assert_true(ps_answer_bottleneck(asked.answer, &bottleneck));
    g_assert_cmpint(bottleneck.cause, ==, PS_CAUSE_NARROW_ACCESS);
}

/* A load that walks on: one for four iterations, at their begin. */
static void test_vector(void)
{
    g_auto(Asked) asked =
        asked_levels(LAUNCH, "<code><loop times='20'><node name='p' class='a'/><node name='x' "
                             "class='global.load.s32' bytes='4' l1='8' device='2' vector='4'/>"
                             "<node name='s' class='b' after='x s'/></loop></code>");
    const PsAdvice *advice =
        gives(&asked, "wider", PS_CAUSE_NARROW_ACCESS,
              "<code><loop times='5'><node name='x' class='global.load.s32.v4' bytes='16' l1='2' "
              "device='2'/><loop times='4'><node name='p' class='a'/>"
              "<node name='s' class='b' after='x s'/></loop></loop></code>");
    g_assert_cmpfloat(advice_figure(advice, "then"), ==, 16);
}

/* Loads of two loops stay two. */
static void test_apart(void)
{
    g_auto(Asked) asked = asked_levels(
        LAUNCH, "<code><loop times='20'><node name='p' class='a'/>" NARROW(
                    "x", "4") "</loop><loop times='20'><node name='q' class='a'/>"
                              "<node name='y' class='global.load.s16' after='q' bytes='4' l1='4' "
                              "device='4' beside='x'/></loop></code>");
    g_assert_null(advice_by(ask_advice(&asked), "wider"));
}

/* A loop of 21 iterations has no strips of four; another has them all the same. */
static void test_no_strips(void)
{
#define WALK(name, times)                                                                          \
    "<loop times='" times "'><node name='" name "' class='global.load.s32' bytes='4' l1='8' "      \
    "device='2' vector='4'/></loop>"
    g_auto(Asked) asked = asked_levels(LAUNCH, "<code>" WALK("x", "20") WALK("y", "21") "</code>");
    gives(&asked, "wider", PS_CAUSE_NARROW_ACCESS,
          "<code><loop times='5'><node name='x' class='global.load.s32.v4' bytes='16' l1='2' "
          "device='2'/></loop>" WALK("y", "21") "</code>");
#undef WALK
}

/* A wide store comes where the last of the narrow ones did: what that stores is known only then. */
static void test_wide_store(void)
{
#define STORE(name, after)                                                                         \
    "<node name='" name "' class='global.store.s32' after='" after "' bytes='4' l1='8' "           \
    "device='8' beside='x'/>"
    g_auto(Asked) asked = asked_levels(
        LAUNCH,
        "<code><loop times='20'><node name='p' class='a'/>" STORE("x", "p") STORE("y", "p")
            STORE("z", "p") "<node name='q' class='slow'/>" STORE("w", "q") "</loop></code>");
    gives(&asked, "wider", PS_CAUSE_NARROW_ACCESS,
          "<code><loop times='20'><node name='p' class='a'/><node name='q' class='slow'/>"
          "<node name='w' class='global.store.s32.v4' after='p q' bytes='16' l1='2' device='2'/>"
          "</loop></code>");
#undef STORE
}

/* A wide access has a wavefront for each word of a thread. */
static void test_wide_wavefronts(void)
{
#define LOAD(name)                                                                                 \
    "<node name='" name "' class='global.load' bytes='4' l1='1' device='0' wavefronts='2' "        \
    "beside='x'/>"
#define WIDE                                                                                       \
    "<code><loop times='20'><node name='x' class='global.load.v4' bytes='16' l1='0.25' "           \
    "device='0' wavefronts='4'/></loop></code>"
    g_auto(Asked) asked = asked_changed("<memory ", "<memory wavefront='8' ", LAUNCH,
                                        "<code><loop times='20'>" LOAD("x") LOAD("y") LOAD("z")
                                            LOAD("w") "</loop></code>");
    g_auto(Asked) then = asked_changed("<memory ", "<memory wavefront='8' ", LAUNCH, WIDE);
    const PsAdvice *advice = advice_by(ask_advice(&asked), "wider");
    g_assert_nonnull(advice);
    assert_close(advice->seconds, ask(&then)->seconds);
#undef WIDE
#undef LOAD
}

#define DEVICE "<level name='device' bandwidth='64' latency='300'/></memory>"
#define ROWS                                                                                       \
    "<level name='device' bandwidth='64' latency='300' rows='0.9' rows-source='s'/></memory>"      \
    "<source id='s' kind='assumed'>made up</source>"

/* A wide access opens the rows of device memory that the narrow ones opened. */
static void test_wide_rows(void)
{
    g_auto(Asked) asked = asked_changed(
        DEVICE, ROWS, LAUNCH,
        "<code><loop times='20'><node name='x' class='global.load.s32' bytes='4' l1='8' device='8' "
        "rows='32' beside='x'/><node name='y' class='global.load.s32' bytes='4' l1='8' device='0' "
        "beside='x'/></loop></code>");
    g_auto(Asked) then = asked_changed(
        DEVICE, ROWS, LAUNCH,
        "<code><loop times='20'><node name='x' class='global.load.s32.v2' bytes='8' l1='4' "
        "device='4' rows='32'/></loop></code>");
    g_auto(Asked) without = asked_changed(
        DEVICE, ROWS, LAUNCH,
        "<code><loop times='20'><node name='x' class='global.load.s32.v2' bytes='8' l1='4' "
        "device='4'/></loop></code>");
    const PsAdvice *advice = advice_by(ask_advice(&asked), "wider");
    g_test_message("%g %g %g", asked.answer->seconds, ask(&then)->seconds, ask(&without)->seconds);
    g_assert_cmpfloat(ask(&then)->seconds, >, ask(&without)->seconds);
    g_assert_nonnull(advice);
    assert_close(advice->seconds, ask(&then)->seconds);
}

/* ---- aligned ------------------------------------------------------------------------------- */

static void test_aligned(void)
{
    g_auto(Asked) asked = asked_levels(
        LAUNCH, "<code><loop times='20'><node name='x' class='global.load.s5' bytes='4' l1='1.25' "
                "device='1.25' offset='4'/></loop></code>");
    const PsAdvice *advice = gives(&asked, "aligned", PS_CAUSE_MISALIGNED,
                                   "<code><loop times='20'><node name='x' class='global.load' "
                                   "bytes='4' l1='1' device='1'/></loop></code>");
    g_assert_cmpfloat(advice_figure(advice, "now"), ==, 5);
    g_assert_cmpfloat(advice_figure(advice, "then"), ==, 4);
    g_assert_cmpfloat(advice_figure(advice, "offset"), ==, 4);
    g_assert_null(advice_by(asked.answer, "class"));
}

/* One sector more than has to be is nothing to coalesce, nor to align where nobody says how. */
static void test_one_more(void)
{
    g_auto(Asked) asked = asked_levels(
        LAUNCH, "<code><loop times='20'><node name='x' class='global.load.s5' bytes='4' l1='1.25' "
                "device='1.25'/></loop></code>");
    const PsAnswer *answer = ask_advice(&asked);
    g_assert_null(advice_by(answer, "aligned"));
    g_assert_null(advice_by(answer, "class"));
}

/* Three loads of one row of structures, of which one brings the sectors: apart, each brings its
 * own. */
static void test_coalesced_together(void)
{
    static const char code[] =
        "<code><loop times='20'><node name='x' class='global.load.s24' bytes='4' l1='6' "
        "device='6'/>"
        "<node name='y' class='global.load.s24' bytes='4' l1='6' device='0'/></loop></code>";
    g_auto(Asked) asked = asked_levels(LAUNCH, code);
    gives(&asked, "class", PS_CAUSE_UNCOALESCED,
          "<code><loop times='20'><node name='x' class='global.load' bytes='4' l1='1' device='1'/>"
          "<node name='y' class='global.load' bytes='4' l1='1' device='1'/></loop></code>");
}

/* ---- in registers, in local memory --------------------------------------------------------- */

static void test_registers(void)
{
    g_auto(Asked) asked = asked_levels(
        LAUNCH,
        "<code><loop times='20'><node name='x' class='global.load' bytes='4' device='0' "
        "invariant='1'/><node name='s' class='b' after='x s'/><node name='y' class='global.store' "
        "after='s' bytes='4' device='1' invariant='1'/></loop></code>");
    const PsAdvice *advice =
        gives(&asked, "in-registers", PS_CAUSE_REUSE,
              "<code><node name='x' class='global.load' bytes='4' device='0'/><loop times='20'>"
              "<node name='s' class='b' after='x s'/></loop><node name='y' class='global.store' "
              "after='s' bytes='4' device='1'/></code>");
    g_assert_cmpfloat(advice_figure(advice, "now"), ==, 20);
    g_assert_cmpfloat(advice_figure(advice, "then"), ==, 1);
    g_assert_cmpstr(name_of(asked.answer, advice), ==, "y");
}

/* A load behind a store, which might have been of what it stored, goes before what waits for
 * others, where the store has left the loop. */
static void test_raised(void)
{
    g_auto(Asked) asked = asked_levels(
        "groups='2' group-size='32'",
        "<code><loop times='20'><node name='x' class='global.load' bytes='4' device='1'/>"
        "<node name='s' class='b' after='x s'/><node name='y' class='global.store' "
        "after='s' bytes='4' device='0' invariant='1'/>"
        "<node name='z' class='global.load' bytes='4' device='1'/>"
        "<node name='t' class='b' after='z s'/></loop></code>");
    const PsAdvice *advice = advice_by(ask_advice(&asked), "in-registers");
    g_assert_nonnull(advice);
    assert_close(advice->seconds,
                 seconds_of("groups='2' group-size='32'",
                            "<code><loop times='20'>"
                            "<node name='x' class='global.load' bytes='4' device='1'/>"
                            "<node name='z' class='global.load' bytes='4' device='1'/>"
                            "<node name='s' class='b' after='x s'/>"
                            "<node name='t' class='b' after='z s'/></loop>"
                            "<node name='y' class='global.store' after='s' bytes='4' device='0'/>"
                            "</code>"));
}

/* A sixteenth of what a warp loads in 16 iterations is distinct: a load of each thread fills the
 * tile that they read then, and its bytes count as local memory. */
static void test_tile(void)
{
    g_auto(Asked) asked = asked_levels(
        LAUNCH,
        "<code><loop times='64'><node name='p' class='iadd'/><node name='x' class='global.load' "
        "after='p' bytes='4' l1='1.25' device='0.0625' distinct='0.0625'/>"
        "<node name='s' class='b' after='x s'/></loop></code>");
    const PsAdvice *advice = advice_by(ask_advice(&asked), "in-local");
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, PS_CAUSE_REUSE);
    g_assert_cmpfloat(advice_figure(advice, "now"), ==, 64 * 128 * 5);
    g_assert_cmpfloat(advice_figure(advice, "then"), ==, 64.0 * 128 * 4 / 16);
    assert_close(
        advice->seconds,
        seconds_of(LAUNCH " local-memory='2048'",
                   "<code><node name='b' class='barrier'/>"
                   "<node name='f0' class='global.load' bytes='4' l1='1' device='1'/>"
                   "<node name='f1' class='global.load' bytes='4' l1='1' device='1'/>"
                   "<node name='f2' class='global.load' bytes='4' l1='1' device='1'/>"
                   "<node name='f3' class='global.load' bytes='4' l1='1' device='1'/>"
                   "<node name='k0' class='local.store' after='f0'/>"
                   "<node name='k1' class='local.store' after='f1'/>"
                   "<node name='k2' class='local.store' after='f2'/>"
                   "<node name='k3' class='local.store' after='f3'/>"
                   "<node name='c' class='barrier'/><loop times='64'>"
                   "<node name='x' class='local.load'/><node name='s' class='b' after='x s'/>"
                   "</loop></code>"));
}

/* What may be written meanwhile is not kept; what is distinct by more than half is not loaded
 * again; where an address follows from what was loaded, nobody knows what will be; what is not
 * counted is no strip of the loop; and what is the same in all iterations is kept in registers. */
static void test_no_tile(void)
{
    static const char *const codes[] = {
        "<code><loop times='64'><node name='x' class='global.load' bytes='4' l1='1' "
        "device='0.0625' distinct='0.0625'/><node name='m' class='barrier'/></loop></code>",
        "<code><loop times='64'><node name='x' class='global.load' bytes='4' l1='1' "
        "device='0.0625' distinct='0.6'/></loop></code>",
        "<code><loop times='64'><node name='p' class='global.load' bytes='4' l1='1' device='1'/>"
        "<node name='q' class='iadd' after='p'/><node name='x' class='global.load' after='q' "
        "bytes='4' l1='1' device='0.0625' distinct='0.0625'/></loop></code>",
        "<code><loop times='512'><node name='p' class='b'/><node name='x' class='global.load' "
        "after='p' bytes='4' l1='1' device='0.0625' distinct='0.0625'/></loop></code>",
        "<code><loop times='64'><node name='x' class='global.load' bytes='4' l1='1' "
        "device='0.0625' distinct='0.0625' invariant='1'/></loop></code>"};
    for (gsize i = 0; i < G_N_ELEMENTS(codes); i++) {
        g_auto(Asked) asked = asked_levels(LAUNCH, codes[i]);
        g_assert_null(advice_by(ask_advice(&asked), "in-local"));
    }
}

/* ---- what has to be moved ------------------------------------------------------------------- */

/* Whether half the traffic to device memory is told to help where that is saturated. */
static gboolean tells_of_traffic(const char *code)
{
    g_auto(Asked) asked = asked_changed("port='16'", "port='256'", LAUNCH, code);
    const GPtrArray *advice = ask_advice(&asked)->advice;
    for (guint i = 0; i < advice->len; i++)
        if (((const PsAdvice *)advice->pdata[i])->cause == PS_CAUSE_BANDWIDTH)
            return TRUE;
    return FALSE;
}

/* What is asked for once has to be moved. Passes that may be over the same data could be fewer. */
static void test_once(void)
{
#define LOAD(name, device)                                                                         \
    "<node name='" name "' class='global.load' bytes='4' l1='1' device='" device "'/>"
    g_assert_false(tells_of_traffic("<code>" LOAD("x", "1") LOAD("y", "1") "</code>"));
    g_assert_false(tells_of_traffic("<code><loop times='20'>" LOAD("x", "1") "</loop></code>"));
    g_assert_true(tells_of_traffic("<code><loop times='20'>" LOAD(
        "x", "1") "</loop><loop times='20'>" LOAD("y", "1") "</loop></code>"));
    g_assert_true(tells_of_traffic(
        "<code><loop times='5'><loop times='9'>" LOAD("x", "1") "</loop></loop></code>"));
#undef LOAD
}

/* A group alone moves 48 bytes a cycle, two move 64: each takes longer, but a CU that has nothing
 * to do gets more done. */
static void test_idle_unit(void)
{
    g_auto(Asked) asked =
        asked_changed("port='16'", "port='48'", "groups='1' group-size='256'",
                      "<code><loop times='200'><node name='x' class='global.load' bytes='4' l1='1' "
                      "device='1'/></loop></code>");
    const PsAdvice *advice = advice_by(ask_advice(&asked), "more-groups");
    g_assert_nonnull(advice);
    g_assert_cmpfloat(advice->seconds, >, asked.answer->seconds * (1 + PS_MODEL_ERROR));
    g_assert_cmpfloat(advice_figure(advice, "groups"), ==, 2);
}

/* ---- one address --------------------------------------------------------------------------- */

#define ATOMIC(more)                                                                               \
    "<code><loop times='20'><node name='x' class='a'/><node name='y' class='atomic.global' "       \
    "after='x' bytes='4' l1='0.25' device='0' spot='count_0' " more "/></loop></code>"
#define MERGED(last)                                                                               \
    "<node name='m' class='barrier' after='" last                                                  \
    "'/><node name='n' class='atomic.global' after='m' bytes='4' "                                 \
    "l1='0.0625' device='0' spot='count_0' turns='0.25'/></code>"

/* A group of four warps touches one sector: so each of them moves a quarter. */
static void test_sums_in_registers(void)
{
    g_auto(Asked) asked = asked_levels(LAUNCH, ATOMIC("meet='32' distinct='0.001'"));
    const PsAdvice *advice = gives(
        &asked, "in-registers", PS_CAUSE_ONE_ADDRESS,
        "<code><loop times='20'><node name='x' class='a'/>"
        "<node name='y' class='iadd' after='x'/></loop>"
        "<node name='m0' class='shuffle' after='y'/><node name='a0' class='iadd' after='m0'/>"
        "<node name='m1' class='shuffle' after='a0'/><node name='a1' class='iadd' after='m1'/>"
        "<node name='m2' class='shuffle' after='a1'/><node name='a2' class='iadd' after='m2'/>"
        "<node name='m3' class='shuffle' after='a2'/><node name='a3' class='iadd' after='m3'/>"
        "<node name='m4' class='shuffle' after='a3'/><node name='a4' class='iadd' after='m4'/>"
        "<node name='l' class='atomic.local' after='a4'/>" MERGED("l"));
    g_assert_cmpstr(advice_text(advice, "spot"), ==, "count_0");
}

static void test_sums_in_local(void)
{
    g_auto(Asked) asked = asked_levels(LAUNCH, ATOMIC("meet='3' distinct='0.001'"));
    gives(&asked, "in-local", PS_CAUSE_ONE_ADDRESS,
          "<code><loop times='20'><node name='x' class='a'/><node name='y' class='atomic.local.c3' "
          "after='x'/></loop>" MERGED("y"));
}

/* As many sums as a group has threads are a request of each warp, three times as many are three;
 * these are beside each other, wherever each thread found its own. */
static void test_many_sums(void)
{
#define MANY(share)                                                                                \
    "<code><loop times='20'><node name='x' class='a'/><node name='y' "                             \
    "class='atomic.global.s20' after='x' bytes='4' l1='5' device='0' spot='count_0' turns='0.5' "  \
    "meet='3' distinct='" share "'/></loop></code>"
#define ADDED(loop, end)                                                                           \
    "<code><loop times='20'><node name='x' class='a'/><node name='y' class='atomic.local.c3' "     \
    "after='x'/></loop><node name='m' class='barrier' after='y'/>" loop                            \
    "<node name='n' class='atomic.global' after='m' bytes='4' l1='1' device='0' spot='count_0' "   \
    "turns='0.5'/>" end "</code>"
    g_auto(Asked) each = asked_levels(LAUNCH, MANY("0.05"));
    gives(&each, "in-local", PS_CAUSE_ONE_ADDRESS, ADDED("", ""));
    g_auto(Asked) three = asked_levels(LAUNCH, MANY("0.15"));
    gives(&three, "in-local", PS_CAUSE_ONE_ADDRESS, ADDED("<loop times='3'>", "</loop>"));
#undef ADDED
#undef MANY
}

/* What an atomic gives back is more than a sum: places of their own then. */
static void test_own_places(void)
{
    g_auto(Asked) asked = asked_levels(
        LAUNCH,
        "<code><loop times='20'><node name='y' class='atomic.global' bytes='4' l1='0.25' "
        "device='0' spot='count_0' meet='32'/><node name='z' class='b' after='y'/></loop></code>");
    gives(&asked, "own-places", PS_CAUSE_ONE_ADDRESS,
          "<code><loop times='20'><node name='y' class='atomic.global' bytes='4' l1='0.25' "
          "device='0'/><node name='z' class='b' after='y'/></loop></code>");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/access/once", test_once);
    g_test_add_func("/answer-access/set-traffic", test_set_traffic);
    g_test_add_func("/answer-access/wider", test_wider);
    g_test_add_func("/answer-access/vector", test_vector);
    g_test_add_func("/answer-access/apart", test_apart);
    g_test_add_func("/answer-access/no-strips", test_no_strips);
    g_test_add_func("/answer-access/wide-store", test_wide_store);
    g_test_add_func("/answer-access/wide-wavefronts", test_wide_wavefronts);
    g_test_add_func("/answer-access/wide-rows", test_wide_rows);
    g_test_add_func("/answer-access/aligned", test_aligned);
    g_test_add_func("/answer-access/one-more", test_one_more);
    g_test_add_func("/answer-access/coalesced-together", test_coalesced_together);
    g_test_add_func("/answer-access/registers", test_registers);
    g_test_add_func("/answer-access/raised", test_raised);
    g_test_add_func("/answer-access/tile", test_tile);
    g_test_add_func("/answer-access/no-tile", test_no_tile);
    g_test_add_func("/answer-access/idle-unit", test_idle_unit);
    g_test_add_func("/answer-access/sums/registers", test_sums_in_registers);
    g_test_add_func("/answer-access/sums/local", test_sums_in_local);
    g_test_add_func("/answer-access/sums/many", test_many_sums);
    g_test_add_func("/answer-access/own-places", test_own_places);
    return g_test_run();
}
