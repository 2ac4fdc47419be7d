/* SPDX-License-Identifier: BSD-3-Clause */
/* What the time does when an input changes, as a table. */
#include "cli/page/page.h"

#include "cli/report/markup.h"
#include "pipesim-private.h"

#include <math.h>

/* Inputs that are told; those with the largest effect. */
#define MAX_ROWS 20

static void put_change(GString *out, const char *of, double seconds, double now)
{
    if (!isfinite(seconds) || !(now > 0)) {
        markup_number(out, of, g_strdup("-"));
        return;
    }
    g_autofree char *time = ps_format_time(seconds);
    const double change = 100 * (seconds / now - 1);
    markup_number(out, of,
                  fabs(change) < 0.05 ? g_strdup(time)
                                      : g_strdup_printf("%s (%+.1f %%)", time, change));
}

static void put_row(const PsAnswer *answer, const PsSensitivity *row, GString *out)
{
    static const char *const factors[PS_SENSITIVITY_FACTORS] = {"half", "10 % more", "double"};
    g_string_append(out, "<tr>");
    g_autofree char *name = ps_idg_class_words(answer->idg, row->class_name);
    markup_take(out, "th scope='row'",
                g_strdup_printf("%s%s%s", name ? name : "", name ? ": " : "",
                                ps_varies_words(answer, row->varies)));
    markup_number(out, "now", ps_sensitivity_value(row));
    for (guint i = 0; i < PS_SENSITIVITY_FACTORS; i++)
        put_change(out, factors[i], row->seconds[i], answer->seconds);
    markup_number(out, "elasticity", ps_format_elasticity(row->elasticity));
    g_string_append(out, "</tr>\n");
}

void page_put_sensitivity(const Page *page, GString *out)
{
    const PsAnswer *answer = page->report->answer;
    const PsSensitivities *all = answer->sensitivities;
    if (!all || !all->rows->len)
        return;
    markup_fold(out, "Sensitivity");
    g_string_append(
        out, "<p class='quiet'>The time if one input "
             "changes, each simulated. Elasticity: by how many per cent the time grows "
             "where the input does by one.</p>\n<div class='scroll'><table class='figures'>\n");
    markup_head(out, "|now|half|10 % more|double|elasticity");
    g_string_append(out, "<tbody>\n");
    for (guint i = 0; i < MIN(all->rows->len, MAX_ROWS); i++)
        put_row(answer, all->rows->pdata[i], out);
    g_string_append(out, "</tbody></table></div>\n");
    if (all->rows->len > MAX_ROWS)
        markup_take(out, "p class='quiet'",
                    g_strdup_printf("%u others, which change the time no more than the last of "
                                    "these, are not shown.",
                                    all->rows->len - MAX_ROWS));
    markup_unfold(out);
}
