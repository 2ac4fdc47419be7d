/* SPDX-License-Identifier: BSD-3-Clause */
/* What a launch computes: operations of the threads that come to a node. */
#include "tests/help/ask.h"

#include <string.h>

/* 4 groups of 64 threads: 256 that add, and a quarter of these multiply and add nine times. */
static void test_lanes(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='4' group-size='64'",
                  "<code><node name='x' class='a' ops='1' type='fp32'/><loop times='9'>"
                  "<node name='y' class='a' ops='2' type='fp32' lanes='0.25' side='1'/>"
                  "<node name='z' class='a' ops='1' type='int' lanes='0.25' side='1'/>"
                  "</loop></code>");
    const GArray *operations = ask(&asked)->operations;
    g_assert_cmpuint(operations->len, ==, 2);
    const PsOperations *floats = &g_array_index(operations, PsOperations, 0);
    const PsOperations *whole = &g_array_index(operations, PsOperations, 1);
    g_assert_cmpstr(floats->type, ==, "fp32");
    assert_close(floats->count, 256 + 64 * 9 * 2);
    assert_close(whole->count, 64 * 9);
    assert_close(asked.answer->flops, 256 + 64 * 9 * 2);
}

/* A wave of 64 of PTX has the operations of its two warps, of which one adds three times as often;
 * the roofline counts whole waves, and warns as the simulation does where nothing joins. */
static void test_waves(void)
{
    static const struct {
        const char *line;
        gboolean joins;
    } cases[] = {{"1", TRUE}, {"2", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *codes = g_strdup_printf(
            "<code warps='0'><loop times='3'><node name='x' class='a' ops='1' type='fp32' "
            "line='4'/></loop><node name='v' class='barrier' line='1'/></code>"
            "<code warps='1'><loop times='1'><node name='x' class='a' ops='1' type='fp32' "
            "line='4'/></loop><node name='v' class='barrier' line='%s'/></code>",
            cases[i].line);
        g_auto(Asked) asked = asked_new("", "groups='4' group-size='64'", codes);
        asked.idg->of_ptx = TRUE;
        asked.gpu->warp_size = 64;
        const GArray *operations = ask(&asked)->operations;
        assert_close(g_array_index(operations, PsOperations, 0).count,
                     cases[i].joins ? 4 * 32 * (3 + 1) : 4 * 64 * 3);
        PsMetrics metrics;
        g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(GError) error = NULL;
        const PsWavesOf of = {.idg = asked.idg, .wave = 64};
        g_assert_true(ps_launch_count(&of, &metrics, warnings, &error));
        assert_close(metrics.value[PS_M_FP32], 4 * 64 * 3);
        g_assert_cmpuint(warnings->len, ==, cases[i].joins ? 0 : 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/operations/lanes", test_lanes);
    g_test_add_func("/answer/operations/waves", test_waves);
    return g_test_run();
}
