/* SPDX-License-Identifier: BSD-3-Clause */
/* See trust-record.h. */
#include "tell/trust-record.h"

#include "answer/figures.h"
#include "tell/format.h"

#include <string.h>

/* A base clock below this share of the boost clock is far below it: cards with little power, and
 * those of laptops, leave their boost clock when they are busy. */
#define FAR_BELOW 0.75
/* The least share of the time at which a clock is worth a word. */
#define CLOCK_LEAST 0.1

void ps_trust_append_base(GString *out, const PsAnswer *answer, double share)
{
    const PsGpu *gpu = answer->gpu;
    if (gpu->load_clock.num || !gpu->boost_clock.num || answer->by_power ||
        ps_rational_cmp(answer->clock, gpu->boost_clock) != 0 || share < CLOCK_LEAST)
        return;
    const double ratio =
        ps_rational_to_double(gpu->clock) / ps_rational_to_double(gpu->boost_clock);
    if (ratio >= FAR_BELOW)
        return;
    g_autofree char *base = ps_format_rational(gpu->clock);
    g_autofree char *time = ps_format_time(answer->seconds * (1 - share + share / ratio));
    g_string_append_printf(out,
                           ", and a card that is warm or short of power does not hold its boost "
                           "clock: at the base clock of %s MHz it takes about %s",
                           base, time);
}

void ps_trust_append_strangers(GString *out, const PsAnswer *answer)
{
    static const char *const words[][2] = {
        {"device", "limited by device memory"},
        {"latency", "waiting for results"},
        {"lines", "whose lanes have lines of their own"},
        {"stand-in", "of GPUs of AMD, for whose code PTX stands "
                     "in, not limited by device memory"},
        {"scattered", "limited by memory, which their lanes access out of order"},
        {"turns", "whose atomics take turns at one place"},
        {"unit", "limited by a pipeline or a cache"}};
    const PsStrangers record = ps_answer_strangers(answer);
    if (record.questions == 0)
        return;
    const char *kind = ps_strangers_kind(answer);
    const char *what = "";
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i][0], kind) == 0)
            what = words[i][1];
    g_autofree char *least = ps_format_time(record.least * answer->seconds);
    g_autofree char *most = ps_format_time(record.most * answer->seconds);
    /* The interval always contains the time itself, which may lie outside of the measured range. */
    g_autofree char *from =
        record.least < 1 ? g_strdup_printf("%.3g to ", record.least) : g_strdup("up to ");
    g_autofree char *near = record.near ? g_strdup_printf("%u", record.near) : g_strdup("no");
    g_string_append_printf(
        out,
        "; people asked in public about %u %s %s: %s %s within 25 %%; the kernels "
        "took %s%.3g times the predicted time, here %s to %s",
        record.questions, record.questions == 1 ? "kernel" : "kernels", what, near,
        record.near > 1 ? "answers were" : "answer was", from, record.most, least, most);
}
