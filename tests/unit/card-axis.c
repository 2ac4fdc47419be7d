/* SPDX-License-Identifier: BSD-3-Clause */
/* Bars of what streams did over time: of 400 s a column is one. */
#include "card/axis.h"

#include "card/summary.h"

#include <string.h>

/* A column has a colour where at least half of it is busy, and a launch begins in its own. */
static void test_columns(void)
{
    static const struct {
        double begin, seconds;
    } launches[] = {{100, 0.6}, {200, 0.4}, {399, 1}};
    PsCardRead read = {.launches = g_array_new(FALSE, TRUE, sizeof(PsCardLaunched)),
                       .copies = g_array_new(FALSE, TRUE, sizeof(PsCardCopied))};
    for (guint i = 0; i < G_N_ELEMENTS(launches); i++) {
        const PsCardLaunched launch = {
            .kernel = "k", .begin = launches[i].begin, .seconds = launches[i].seconds};
        g_array_append_val(read.launches, launch);
    }
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(&read, &all);
    g_autoptr(GString) out = g_string_new(NULL);
    ps_card_put_axis(&read, rows, out);
    g_assert_nonnull(strstr(out->str, "busy 0.5 % of the time"));
    g_assert_nonnull(strstr(
        out->str, "<span style='width:25.00%'></span><span class='c0' style='width:0.25%'></span>"
                  "<span style='width:74.50%'></span><span class='c0' style='width:0.25%'></span>"
                  "</div>"));
    g_array_unref(read.launches);
    g_array_unref(read.copies);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/card-axis/columns", test_columns);
    return g_test_run();
}
