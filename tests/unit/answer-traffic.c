/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a pipeline is busy because of device memory: from three quarters of its time on. */
#include "answer/traffic.h"
#include "tests/help/ask.h"

#include <math.h>

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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/traffic/share", test_share);
    g_test_add_func("/answer/traffic/border", test_border);
    g_test_add_func("/answer/traffic/others", test_others);
    return g_test_run();
}
