/* SPDX-License-Identifier: BSD-3-Clause */
/* See option-texts.h. */
#include "answer/option-texts.h"

#include "base/count.h"
#include "base/usage.h"

#include <string.h>

gboolean ps_text_param(const char *prefix, const char *text, PsScope *params, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : NULL;
    PsRational value;
    if (!name || !ps_expr_is_name(name) || !ps_count_parse_rational(equals + 1, &value))
        return ps_usage_error(error, "%sparam '%s': write NAME=VALUE with a plain decimal number",
                              prefix, text);
    ps_scope_set(params, name, value);
    return TRUE;
}

gboolean ps_text_precision(const char *prefix, const char *text, double *precision, GError **error)
{
    PsRational percent;
    g_autofree char *number = g_strndup(text, strlen(text) - g_str_has_suffix(text, "%"));
    if (!g_str_has_suffix(text, "%") || !ps_rational_parse(number, &percent) || percent.num <= 0 ||
        ps_rational_to_double(percent) > 100 * PS_SIM_MAX_PRECISION)
        return ps_usage_error(error,
                              "%sprecision '%s': it must be per cent, above 0%% and at most %g%%, "
                              "such as 0.5%%",
                              prefix, text, 100 * PS_SIM_MAX_PRECISION);
    *precision = ps_rational_to_double(percent) / 100;
    return TRUE;
}

gboolean ps_text_schedulers(const char *prefix, const char *text, gint64 *schedulers,
                            GError **error)
{
    PsRational number;
    if (!text)
        return TRUE;
    if (strcmp(text, "none") == 0) {
        *schedulers = PS_NO_SCHEDULERS;
        return TRUE;
    }
    if (!ps_rational_parse(text, &number) || !ps_rational_is_int(number) || number.num < 1 ||
        number.num > PS_SIM_MAX_SCHEDULERS)
        return ps_usage_error(error,
                              "%sschedulers: '%s' is not a whole number from 1 to %d; none turns "
                              "schedulers off",
                              prefix, text, PS_SIM_MAX_SCHEDULERS);
    *schedulers = number.num;
    return TRUE;
}

/* ---- clocks -------------------------------------------------------------------------------- */

gboolean ps_text_clock(const char *prefix, const char *text, PsAskedClock *clock, GError **error)
{
    PsAskedClock read = {.choice = !text                        ? PS_CLOCK_USUAL
                                   : strcmp(text, "base") == 0  ? PS_CLOCK_BASE
                                   : strcmp(text, "boost") == 0 ? PS_CLOCK_BOOST
                                                                : PS_CLOCK_STATED};
    if (read.choice == PS_CLOCK_STATED &&
        (!ps_rational_parse(text, &read.stated) || read.stated.num <= 0))
        return ps_usage_error(
            error, "%sclock: '%s' is no clock: say base, boost, or MHz, a decimal number above 0",
            prefix, text);
    *clock = read;
    return TRUE;
}

gboolean ps_asked_question_clock(const char *prefix, const PsAskedClock *asked, const PsGpu *gpu,
                                 PsRational *clock, GError **error)
{
    *clock = PS_RATIONAL_INT(0);
    return asked->choice == PS_CLOCK_USUAL || ps_asked_clock(prefix, asked, gpu, clock, error);
}

gboolean ps_asked_clock(const char *prefix, const PsAskedClock *asked, const PsGpu *gpu,
                        PsRational *clock, GError **error)
{
    *clock = asked->choice == PS_CLOCK_STATED  ? asked->stated
             : asked->choice == PS_CLOCK_BASE  ? gpu->clock
             : asked->choice == PS_CLOCK_BOOST ? gpu->boost_clock
                                               : ps_gpu_usual_clock(gpu);
    if (clock->num > 0)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%sclock boost: %s does not state a boost clock; say %sclock MHZ", prefix,
                gpu->path, prefix);
    return FALSE;
}
