/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock that a limit of power leaves a launch that keeps tensor cores busy
 * (docs/reference/model.md, R13).
 */
#include "answer/answer-private.h"
#include "answer/figures.h"

/* For which share of the time the tensor cores of all CUs are busy, were that time so many seconds.
 */
static double busy_share(const PsAnswer *answer, double seconds)
{
    const double ops = answer->roofline.metrics.value[PS_M_OPS_TENSOR],
                 peak = answer->roofline.peaks.value[PS_T_TENSOR];
    return ops > 0 && peak > 0 && seconds > 0 ? MIN(ops / peak / seconds, 1) : 0;
}

/* The highest whole clock up to `most` (MHz) at which power, which goes with its cube and with what
 * is busy, is no more than at `full` with all tensor cores at work. */
static gint64 clock_left(double full, double share, gint64 most)
{
    gint64 low = 1, high = most;
    while (low < high) {
        const gint64 middle = (low + high + 1) / 2;
        const double ratio = (double)middle / full;
        if (ratio * ratio * ratio * share <= 1)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

gboolean ps_question_by_power(const PsQuestion *question, const gint *cancel, PsQuestion *slower)
{
    const PsRational full = question->gpu->power_clock;
    PsQuestion sketch = *question;
    if (question->clock.num || !full.num)
        return FALSE;
    (void)ps_question_sketch(&sketch);
    sketch.hurry = NULL;
    g_autoptr(PsAnswer) answer = ps_answer_prepare(&sketch, NULL);
    if (!answer)
        return FALSE;
    const gint64 usual = (gint64)ps_rational_to_double(answer->clock);
    const double mhz = ps_rational_to_double(full),
                 most = busy_share(answer, answer->roofline.prediction.ceiling_seconds);
    if (clock_left(mhz, most, usual) == usual ||
        !ps_answer_time(answer, &sketch, NULL, 0, cancel, NULL))
        return FALSE;
    const gint64 left = clock_left(mhz, busy_share(answer, ps_answer_execution(answer)), usual);
    *slower = *question;
    slower->clock = PS_RATIONAL_INT(left);
    return left < usual;
}
