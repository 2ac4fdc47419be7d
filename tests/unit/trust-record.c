/* SPDX-License-Identifier: BSD-3-Clause */
/* What How sure says of a lower clock. */
#include "tell/trust-record.h"

#include <string.h>

static char *base_of(double share, gint64 base, gint64 boost, gint64 load, gint64 asked)
{
    PsGpu gpu = {.clock = {base, 1}, .boost_clock = {boost, 1}, .load_clock = {load, 1}};
    PsAnswer answer = {.gpu = &gpu, .clock = {asked, 1}, .seconds = 1e-3};
    GString *out = g_string_new(NULL);
    ps_trust_append_base(out, &answer, share);
    return g_string_free(out, FALSE);
}

/* At half the clock, what goes by the clock takes twice as long: of 1 ms of which 60 % do, 0.6 ms
 * more. */
static void test_base(void)
{
    g_autofree char *text = base_of(0.6, 1000, 2000, 0, 2000);
    g_assert_cmpstr(strstr(text, "at the base"), ==,
                    "at the base clock of 1000 MHz it takes about 1.600 ms");
}

/* Nothing is said where the base clock is near, where the clock decides little, where somebody saw
 * what the card holds, for another clock, and where no boost clock is known. */
static void test_no_base(void)
{
    static const struct {
        double share;
        gint64 base, boost, load, asked;
    } cases[] = {{0.6, 1500, 2000, 0, 2000},
                 {0.09, 1000, 2000, 0, 2000},
                 {0.6, 1000, 2000, 1900, 1900},
                 {0.6, 1000, 2000, 0, 1000},
                 {0.6, 1000, 0, 0, 1000}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            base_of(cases[i].share, cases[i].base, cases[i].boost, cases[i].load, cases[i].asked);
        g_assert_cmpstr(text, ==, "");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trust-record/base", test_base);
    g_test_add_func("/trust-record/no-base", test_no_base);
    return g_test_run();
}
