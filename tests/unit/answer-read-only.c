/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on loads of what the kernel never writes, by the path that L1 keeps: what is told is what
 * the graph with these loads takes. */
#include "tests/help/ask.h"

#include <string.h>

#define LAUNCH "groups='32' group-size='128'"
#define LOADS(of_x, of_y)                                                                          \
    "<code><loop times='20'><node name='x' class='global.load' bytes='4' l1='1' " of_x "/>"        \
    "<node name='y' class='global.load' bytes='4' l1='1' " of_y "/>"                               \
    "<node name='z' class='a' after='x y'/></loop></code>"
#define PLAIN LOADS("l2='1' device='0.25'", "l2='1' device='0.5' read-only='0.125'")

static Asked asked_of(const char *gpu, const char *memory, const char *code)
{
    Asked asked = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *description = g_strdup_printf(
        "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Small' %s><source id='me' "
        "kind='measured'>Made up.</source><chip compute-units='2' clock='1000' warp-size='32'/>"
        "<pipeline name='a'/><pipeline name='global'/><model levels='on'/>"
        "<class name='a' pipeline='a' issue='1' completion='8'/>"
        "<class name='global' pipeline='global' issue='1' completion='8'/>"
        "<memory pipeline='global' %s><level name='l1' bytes='16384' port='128' latency='30'/>"
        "<level name='l2' bytes='65536' port='32' bandwidth='64' latency='200'/>"
        "<level name='device' bandwidth='48' latency='300'/></memory></gpu>",
        gpu, memory);
    g_autofree char *graph =
        g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='small' file='small.cl'>"
                        "<launch " LAUNCH "/>%s</idg>",
                        code);
    asked.gpu = ps_gpu_parse(description, strlen(description), "small.xml", &error);
    g_assert_no_error(error);
    asked.idg = ps_idg_parse(graph, strlen(graph), "small.idg", &error);
    g_assert_no_error(error);
    asked.question = (PsQuestion){.idg = asked.idg, .gpu = asked.gpu};
    return asked;
}

static Asked asked_maxwell(const char *code)
{
    return asked_of("compute-capability='5.2'", "l1-global='off' fetch='64'", code);
}

static void test_told(void)
{
    g_auto(Asked) asked = asked_maxwell(LOADS("l2='1' device='0.25'", "l2='1' device='0.25' "
                                                                      "read-only='0.125'"));
    g_auto(Asked) then = asked_maxwell(LOADS("l2='1' device='0.25'", "l2='0.125' device='0.25'"));
    const PsAdvice *advice = advice_by(ask_advice(&asked), "read-only");
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, PS_CAUSE_READ_ONLY);
    g_assert_cmpuint(advice->node, ==, 1);
    assert_close(advice_figure(advice, "l2_share"), 0.875);
    assert_close(advice->seconds, ask(&then)->seconds);
}

/* One after the other, of few groups: what takes time is how many of x's sectors are fetched. */
#define CHAIN(of_x, of_y)                                                                          \
    "<code><loop times='20'><node name='x' class='global.load' after='z' bytes='4' "               \
    "l1='1' l2='1' " of_x "/><node name='y' class='global.load' after='x' bytes='4' l1='1' " of_y  \
    "/><node name='z' class='a' after='y'/></loop></code>"

/* Two sectors are fetched for each that L2 is asked for, at most: the rest is fetched by others. */
static void test_fetches_stay(void)
{
    g_auto(Asked) asked =
        asked_maxwell(CHAIN("device='0.03125'", "l2='1' device='0.25' read-only='0.03125'"));
    g_auto(Asked) then = asked_maxwell(CHAIN("device='0.21875'", "l2='0.03125' device='0.0625'"));
    const PsAdvice *advice = advice_by(ask_advice(&asked), "read-only");
    g_assert_nonnull(advice);
    assert_close(advice->seconds, ask(&then)->seconds);
}

/* Where L1 keeps all loads, where there is no such path, and where the graph says nothing of it. */
static void test_silent(void)
{
    g_auto(Asked) kept = asked_of("compute-capability='7.0'", "l1-global='on'", PLAIN);
    g_auto(Asked) old = asked_of("compute-capability='3.0'", "l1-global='off'", PLAIN);
    g_auto(Asked) unknown = asked_maxwell(LOADS("l2='1' device='0.25'", "l2='1' device='0.5'"));
    g_assert_null(advice_by(ask_advice(&kept), "read-only"));
    g_assert_null(advice_by(ask_advice(&old), "read-only"));
    g_assert_null(advice_by(ask_advice(&unknown), "read-only"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer-read-only/told", test_told);
    g_test_add_func("/answer-read-only/fetches-stay", test_fetches_stay);
    g_test_add_func("/answer-read-only/silent", test_silent);
    return g_test_run();
}
