/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a pipeline is busy because of device memory: from three quarters of its time on. */
#include "answer/traffic.h"
#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

/* A warp's 128 bytes take 8 cycles of the pipeline, and at device memory's peak as long. */
static Asked streaming(const char *bytes)
{
    g_autofree char *code = g_strdup_printf("<code><loop times='20'><node name='x' "
                                            "class='global.load' %s/></loop></code>",
                                            bytes);
    return asked_new("", "groups='64' group-size='64'", code);
}

static void test_share(void)
{
    static const double shares[] = {1, 0.5, 0.25};
    for (guint i = 0; i < G_N_ELEMENTS(shares); i++) {
        g_autofree char *bytes = g_strdup_printf("bytes='4' device='%g'", shares[i]);
        g_auto(Asked) asked = streaming(bytes);
        const PsAnswer *answer = ask(&asked);
        assert_close(ps_traffic_of_pipeline(answer, answer->machine->classes[0].pipeline),
                     shares[i]);
    }
    g_auto(Asked) asked = streaming("bytes='4'");
    const PsAnswer *answer = ask(&asked);
    g_assert_true(isnan(ps_traffic_of_pipeline(answer, answer->machine->classes[0].pipeline)));
}

static gboolean is_bandwidth(const char *bytes)
{
    g_auto(Asked) asked = streaming(bytes);
    const PsAnswer *answer = ask(&asked);
    const gboolean of_class = ps_traffic_is_of_class(answer, 0);
    const guint pipeline = answer->machine->classes[0].pipeline;
    g_assert_cmpint(of_class, ==, ps_traffic_is_of_pipeline(answer, pipeline, 0));
    return of_class;
}

static void test_border(void)
{
    g_assert_true(is_bandwidth("bytes='4' device='0.76'"));
    g_assert_false(is_bandwidth("bytes='4' device='0.74'"));
    g_assert_false(is_bandwidth("bytes='4' device='0'"));
    g_assert_true(is_bandwidth("bytes='4'"));
}

/* What is no access to global memory never reaches it. */
static void test_others(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='64'",
                                    "<code><loop times='20'><node name='x' class='a'/></loop>"
                                    "</code>");
    g_assert_false(ps_traffic_is_of_class(ask(&asked), 0));
    g_assert_true(ps_traffic_may_be("global.load"));
    g_assert_true(ps_traffic_may_be("memory"));
    g_assert_false(ps_traffic_may_be("local.load"));
}

/* Seconds of what no cache keeps, of 10 accesses of 64 warps, as a share of what a line for each
 * lane takes; *of is the class of most. */
static double unkept(const char *file, const char *class_name, const char *shares, char **of)
{
    g_autofree char *text = g_strdup_printf(
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='x'><launch groups='32' group-size='64'/>"
        "<code><loop times='10'><node name='x' class='%s' bytes='4' %s/></loop></code></idg>",
        class_name, shares);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(file, &error);
    g_assert_no_error(error);
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    const char *most = NULL;
    const double seconds = ps_traffic_unkept(answer, &most);
    *of = g_strdup(most);
    const double expected = 64 * 10 * 32 * 128 / answer->roofline.peaks.value[PS_B_MEM];
    ps_answer_free(answer);
    return seconds / expected;
}

/* On AMD's GPUs each lane's line, each time that it asks. On others 64 bytes of each sector that a
 * load asks for at its first cache, and twice the sectors of a store, where something is kept, and
 * no more than sectors' words and their neighbours. */
static void test_unkept(void)
{
#define KEPT "l1='8' l2='1' device='1'"
    static const struct {
        const char *gpu, *class_name, *shares;
        double share;
    } cases[] = {{"gpus/rx6900xt.xml", "global.load.s32", KEPT, 1},
                 {"gpus/rx6900xt.xml", "global.load.s8", KEPT, 0.25},
                 {"gpus/rx6900xt.xml", "global.load.s4", KEPT, 0},
                 {"gpus/rx6900xt.xml", "global.load", KEPT, 0},
                 {"gpus/rx6900xt.xml", "global.store.s32", KEPT, 0},
                 {"gpus/rtx2070.xml", "global.load.s32", KEPT, 0.5},
                 {"gpus/rtx2070.xml", "global.load.s16", "l1='4' l2='1' device='0.5'", 0.25},
                 {"gpus/rtx2070.xml", "global.load.s4", KEPT, 0},
                 {"gpus/rtx2070.xml", "global.load.s32", "l1='8' l2='8' device='8'", 0},
                 {"gpus/rtx2070.xml", "global.load.s32", "l1='8' l2='8' device='0.5'", 0.5},
                 {"gpus/rtx2070.xml", "global.load.s32", "l1='8' l2='8' device='0.45'", 0},
                 {"gpus/rtx2070.xml", "global.load.s32", "l2='8' device='1'", 0.5},
                 {"gpus/rtx2070.xml", "global.store.s32", "l1='8' l2='8' device='1'", 0.5},
                 {"gpus/rtx2070.xml", "global.load.s32", "", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *of = NULL;
        g_test_message("%s: %s %s", cases[i].gpu, cases[i].class_name, cases[i].shares);
        assert_close(unkept(cases[i].gpu, cases[i].class_name, cases[i].shares, &of),
                     cases[i].share);
        g_assert_cmpstr(of, ==, cases[i].share > 0 ? cases[i].class_name : NULL);
    }
#undef KEPT
}

/* The loads that a compiler makes of one of the source are one access: the first brings what the
 * others find. Another line's, or one that is in no loop, is another access. */
static void test_unrolled(void)
{
#define OTHER(line)                                                                                \
    "<node name='y' class='global.load.s32' bytes='4' l1='8' l2='0' device='0' line='" line "'/>"
    static const char first[] = "l1='8' l2='8' device='8' line='5'/>";
    static const struct {
        const char *others;
        double share;
    } cases[] = {
        {OTHER("5"), 1}, {OTHER("6"), 0}, {"", 0}, {"</loop><loop times='2'>" OTHER("5"), 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *of = NULL;
        g_autofree char *shares =
            g_strconcat(first, cases[i].others, "<node name='z' class='fadd'", NULL);
        g_test_message("%s", cases[i].others);
        assert_close(unkept("gpus/rtx2070.xml", "global.load.s32", shares, &of), cases[i].share);
    }
#undef OTHER
}

/* Bytes that L1 has lost, of what such a graph asks for. */
static double lost(const char *nodes, gboolean kept)
{
    g_autofree char *text = g_strdup_printf(
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='x'><launch groups='32' group-size='64'/>"
        "<code><loop times='10'>%s</loop></code></idg>",
        nodes);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/v100.xml", &error);
    g_assert_no_error(error);
    gpu->cache.l1_global = kept;
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    const double bytes = ps_traffic_lost(answer);
    ps_answer_free(answer);
    return bytes / (32 * 64 * 10 * 4);
}

/* Loads that say what is new to their group count. Those of a loop that bring less make up for
 * those that bring more, since what is new is a mean of theirs. */
static void test_lost(void)
{
#define LOAD(name, l2, more)                                                                       \
    "<node name='" name "' class='global.load' bytes='4' l1='1' l2='" l2 "' device='0' " more "/>"
    assert_close(lost(LOAD("x", "1", "distinct='0.1'"), TRUE), 0.9);
    assert_close(lost(LOAD("x", "1", "distinct='0.1'"), FALSE), 0);
    assert_close(lost(LOAD("x", "1", ""), TRUE), 0);
    assert_close(lost(LOAD("x", "0.1", "distinct='0.1'"), TRUE), 0);
    assert_close(lost(LOAD("x", "0.1", "distinct='0.5'") LOAD("y", "1", "distinct='0.5'"), TRUE),
                 0.1);
    assert_close(lost(LOAD("x", "0.1", "distinct='0.5'"), TRUE), 0);
    assert_close(
        lost("<node name='x' class='atomic' bytes='4' l1='1' l2='1' device='0' distinct='0.1'/>",
             TRUE),
        0);
    assert_close(lost("<node name='x' class='global.load.own' bytes='4' l1='1' l2='0.3' "
                      "device='0'/>",
                      TRUE),
                 0.3);
    assert_close(lost("<node name='x' class='global.store.own' bytes='4' l1='1' l2='0.3' "
                      "device='0'/>",
                      TRUE),
                 0);
#undef LOAD
}

/* Cycles of a node's stores to L2. */
static double stored_on(const char *file, guint threads, const char *node)
{
    g_autofree char *text =
        g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='x'><launch groups='4096' "
                        "group-size='%u'/>"
                        "<code><loop times='10'><node name='x' device='0' %s/></loop></code></idg>",
                        threads, node);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(file, &error);
    g_assert_no_error(error);
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    const double cycles = ps_rational_to_double(answer->result.cycles);
    ps_answer_free(answer);
    return cycles;
}

/* Those of groups of 40 threads, of which a mean warp has 20. */
static double stored(const char *share)
{
    g_autofree char *node = g_strdup_printf("class='global.store' bytes='4' l2='%s'", share);
    return stored_on("gpus/a100.xml", 40, node);
}

/* The 128 bytes of a whole warp fill their sectors, though a mean warp has 80. Sectors that are
 * written in part take 1.4 times as long, and 1.61 brings not a hundredth more of them. */
static void test_partial(void)
{
    g_assert_cmpfloat(1.2 * stored("1.6"), <, stored("1.61"));
}

/* One lane asks for all bytes of a copy, which fill their sectors; those of a store do not. */
static void test_copies(void)
{
    static const char *const classes[] = {"copy.store", "global.store"};
    double cycles[2][2];
    for (guint i = 0; i < 2; i++)
        for (guint k = 0; k < 2; k++) {
            g_autofree char *node = g_strdup_printf("class='%s' bytes='4' l2='1' lanes='%s'",
                                                    classes[i], k ? "0.03125" : "1");
            cycles[i][k] = stored_on("gpus/h100.xml", 256, node);
            g_test_message("%s: %g cycles", node, cycles[i][k]);
        }
    g_assert_cmpfloat(cycles[0][1], ==, cycles[0][0]);
    g_assert_cmpfloat(cycles[1][1], >, 1.2 * cycles[1][0]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/traffic/share", test_share);
    g_test_add_func("/answer/traffic/border", test_border);
    g_test_add_func("/answer/traffic/others", test_others);
    g_test_add_func("/answer/traffic/unkept", test_unkept);
    g_test_add_func("/answer/traffic/unrolled", test_unrolled);
    g_test_add_func("/answer/traffic/lost", test_lost);
    g_test_add_func("/answer/traffic/partial", test_partial);
    g_test_add_func("/answer/traffic/copies", test_copies);
    return g_test_run();
}
