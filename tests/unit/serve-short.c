/* SPDX-License-Identifier: BSD-3-Clause */
/* What tools are asked beside a question. */
#include "serve/short.h"

#include "serve/arguments.h"

/* A measured time is above zero, and in microseconds. */
static void test_measured(void)
{
    static const struct {
        const char *json;
        double seconds; /* below 0: it is refused */
    } cases[] = {{"{}", 0},
                 {"{\"measured_us\":\"2.5\"}", 2.5e-6},
                 {"{\"measured_us\":\"0\"}", -1},
                 {"{\"measured_us\":\"-2\"}", -1},
                 {"{\"measured_us\":\"soon\"}", -1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsArguments) arguments =
            ps_arguments_read(cases[i].json, PS_TAKES_MEASURED, &error);
        g_assert_no_error(error);
        const PsToolCall call = {.arguments = arguments};
        double seconds = -1;
        g_assert_true(ps_call_measured(&call, &seconds, &error) == (cases[i].seconds >= 0));
        g_assert_cmpfloat(seconds, ==, cases[i].seconds);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/serve-short/measured", test_measured);
    return g_test_run();
}
