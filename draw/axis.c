/* SPDX-License-Identifier: BSD-3-Clause */
/* An axis: its range, its unit, and its tics. */
#include "draw/chart.h"

#include <math.h>
#include <stdlib.h>

/* Least extent of a logarithmic axis beyond the values that it must show, in powers of ten and as a
 * share of its range, so that a text has room beyond the last line; and its least range. */
static const struct {
    double margin, share, least_span;
} logs[] = {[PS_SCALE_LOG2] = {0, 0.03, 0.6}, [PS_SCALE_LOG10] = {0.25, 0.07, 1.5}};

/* A linear axis extends this share of its range beyond the values that it must show. */
#define MARGIN_SHARE 0.03

/* A logarithmic axis shorter than this, in powers of ten, has tics at 2 and 5, too; a longer one
 * than the other limit skips powers. */
#define SHORT_SPAN 2.6
#define MOST_POWERS 8

/* An axis with tics beyond these limits writes powers of ten, "10⁻⁶", in place of digits. */
#define LEAST_DIGITS 0.0009
#define MOST_DIGITS 1.1e5

static double position(const PsRuler *ruler, double value)
{
    return ruler->scale == PS_SCALE_LINEAR ? value : log10(value);
}

gboolean ps_ruler_can_show(const PsRuler *ruler, double value)
{
    return ruler->scale == PS_SCALE_LINEAR ? fabs(value) <= PS_CHART_FAR
                                           : value >= PS_CHART_NEAR && value <= PS_CHART_FAR;
}

void ps_ruler_see(PsRuler *ruler, double value)
{
    if (!ps_ruler_can_show(ruler, value))
        return;
    ruler->least = MIN(ruler->least, position(ruler, value));
    ruler->most = MAX(ruler->most, position(ruler, value));
}

/* Rates on a logarithmic axis are in giga, or in tera where no number at a tic then has more than
 * one zero behind its point. All other values with a unit are in the unit of the largest one. */
static void settle_unit(PsRuler *ruler)
{
    if (!ruler->unit)
        return;
    if (ruler->scale == PS_SCALE_LINEAR)
        ruler->prefix = ps_draw_prefix(ruler->most);
    else
        ruler->prefix = ps_draw_prefix(ruler->most >= 12 && ruler->least >= 11 ? 1e12 : 1e9);
}

static void widen_linear(PsRuler *ruler)
{
    ruler->least = MIN(ruler->least, 0);
    if (!(ruler->most > ruler->least))
        ruler->most = ruler->least + 1;
    const double margin = MARGIN_SHARE * (ruler->most - ruler->least);
    ruler->most += margin;
    if (ruler->least < 0)
        ruler->least -= margin;
}

static void widen_log(PsRuler *ruler)
{
    const double margin =
        MAX(logs[ruler->scale].margin, logs[ruler->scale].share * (ruler->most - ruler->least));
    ruler->least -= margin;
    ruler->most += margin;
    const double lack = logs[ruler->scale].least_span - (ruler->most - ruler->least);
    if (lack > 0) {
        ruler->least -= lack / 2;
        ruler->most += lack / 2;
    }
}

void ps_ruler_settle(PsRuler *ruler, double more)
{
    if (ruler->least > ruler->most)
        ruler->least = ruler->most = 0;
    if (ruler->scale == PS_SCALE_LINEAR)
        widen_linear(ruler);
    else
        widen_log(ruler);
    settle_unit(ruler);
    ruler->most += more * (ruler->most - ruler->least);
}

double ps_ruler_share(const PsRuler *ruler, double value)
{
    return (position(ruler, value) - ruler->least) / (ruler->most - ruler->least);
}

double ps_ruler_value(const PsRuler *ruler, double share)
{
    const double at = ruler->least + share * (ruler->most - ruler->least);
    return ruler->scale == PS_SCALE_LINEAR ? at : pow(10, at);
}

char *ps_ruler_label(const PsRuler *ruler)
{
    return ruler->unit
               ? g_strdup_printf("%s (%s%s)", ruler->label, ruler->prefix->text, ruler->unit)
               : g_strdup(ruler->label);
}

static gboolean is_short(const PsRuler *ruler)
{
    return ruler->scale == PS_SCALE_LOG10 && ruler->most - ruler->least < SHORT_SPAN;
}

/* Powers of ten from one tic to the next. */
static int powers_apart(const PsRuler *ruler)
{
    return 1 + (int)((ruler->most - ruler->least) / MOST_POWERS);
}

/* The step of about five tics: 1, 2 or 5 times a power of ten. */
static double step_of(double span)
{
    const double rough = span / 5, power = pow(10, floor(log10(rough))), lead = rough / power;
    return power * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1);
}

/* Adds a tic at this multiple of the unit, if it lies on the axis. */
static void add_tic(const PsRuler *ruler, double at, GArray *tics)
{
    const double share = ps_ruler_share(ruler, at * ruler->prefix->factor);
    if (share > -1e-9 && share < 1 + 1e-9)
        g_array_append_val(tics, at);
}

static void add_linear_tics(const PsRuler *ruler, GArray *tics)
{
    const double factor = ruler->prefix->factor;
    const double step = step_of((ruler->most - ruler->least) / factor);
    for (double i = floor(ruler->least / factor / step); i * step <= ruler->most / factor; i++)
        add_tic(ruler, i * step, tics);
}

/* Adds tics at these digits in every `apart`-th power of ten. */
static void add_log_tics(const PsRuler *ruler, const char *digits, int apart, GArray *tics)
{
    const double shift = log10(ruler->prefix->factor);
    const int last = (int)ceil(ruler->most - shift);
    for (int power = (int)floor(ruler->least - shift); power <= last; power++)
        for (const char *digit = digits; *digit && power % apart == 0; digit++)
            add_tic(ruler, (*digit - '0') * pow(10, power), tics);
}

GArray *ps_ruler_tics(const PsRuler *ruler)
{
    GArray *tics = g_array_new(FALSE, FALSE, sizeof(double));
    if (ruler->scale == PS_SCALE_LINEAR)
        add_linear_tics(ruler, tics);
    else
        add_log_tics(ruler, is_short(ruler) ? "125" : "1", powers_apart(ruler), tics);
    return tics;
}

GArray *ps_ruler_minor_tics(const PsRuler *ruler)
{
    GArray *tics = g_array_new(FALSE, FALSE, sizeof(double));
    if (ruler->scale == PS_SCALE_LOG10)
        add_log_tics(ruler,
                     is_short(ruler)            ? "346789"
                     : powers_apart(ruler) == 1 ? "23456789"
                                                : "1",
                     1, tics);
    return tics;
}

/* "10⁻⁶" */
static char *power_text(double tic)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = (int)rint(log10(tic));
    g_autofree char *plain = g_strdup_printf("%d", abs(power));
    GString *text = g_string_new(power < 0 ? "10⁻" : "10");
    if (power == 0)
        g_string_assign(text, "1");
    for (const char *c = plain; *c && power; c++)
        g_string_append(text, digits[*c - '0']);
    return g_string_free(text, FALSE);
}

char *ps_ruler_tic_text(const PsRuler *ruler, double tic)
{
    const double factor = ruler->prefix->factor;
    const gboolean is_long = ps_ruler_value(ruler, 0) / factor < LEAST_DIGITS ||
                             ps_ruler_value(ruler, 1) / factor > MOST_DIGITS;
    return ruler->scale == PS_SCALE_LOG10 && is_long && !is_short(ruler)
               ? power_text(tic)
               : g_strdup(ps_draw_number(tic, 6).text);
}
