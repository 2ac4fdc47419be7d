/* SPDX-License-Identifier: BSD-3-Clause */
/* See format.h. */
#include "tell/format.h"

#include "base/kernel-name.h"

#include "gpu/rows.h"

#include <math.h>
#include <string.h>

/* Puts a space between groups of three digits in the integer part at the text's begin. */
static char *group_digits(const char *text)
{
    GString *out = g_string_new(NULL);
    if (*text == '-')
        g_string_append_c(out, *text++);
    const gsize digits = strspn(text, "0123456789");
    for (gsize i = 0; text[i]; i++) {
        if (i > 0 && i < digits && (digits - i) % 3 == 0)
            g_string_append_c(out, ' ');
        g_string_append_c(out, text[i]);
    }
    return g_string_free(out, FALSE);
}

char *ps_format_count(gint64 n)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, n);
    return group_digits(text);
}

char *ps_format_cycles(PsRational cycles)
{
    g_autofree char *text = ps_rational_format(cycles);
    return group_digits(text);
}

char *ps_format_number(double x)
{
    const double size = fabs(x);
    if (size >= 999.95 && size < 1e15) {
        g_autofree char *text = g_strdup_printf("%.0f", x);
        return group_digits(text);
    }
    return x == 0 ? g_strdup("0") : g_strdup_printf("%#.4g", x);
}

char *ps_format_latency(PsRational cycles)
{
    g_autofree char *exact = ps_rational_format(cycles);
    const char *point = strchr(exact, '.');
    return strchr(exact, '/') || (point && strlen(point) > 5)
               ? ps_format_number(ps_rational_to_double(cycles))
               : g_steal_pointer(&exact);
}

/* cycles.num / cycles.den rounded to the nearest, halves up. Nothing overflows. */
static gint64 nearest(PsRational cycles)
{
    const gint64 rest = cycles.num % cycles.den;
    return cycles.num / cycles.den + (rest >= cycles.den - rest ? 1 : 0);
}

char *ps_format_rounded_cycles(PsRational cycles)
{
    const gboolean is_whole = cycles.den == 1 || cycles.num / cycles.den >= 1000;
    return is_whole ? ps_format_count(nearest(cycles))
                    : ps_format_number(ps_rational_to_double(cycles));
}

typedef struct {
    double size;
    const char *unit;
} Scale;

static const Scale *scale_of(double seconds)
{
    static const Scale scale[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    guint i = 0;
    /* 0.99995 of a unit rounds up to four digits of it. */
    while (i + 1 < G_N_ELEMENTS(scale) && seconds < 0.99995 * scale[i].size)
        i++;
    return &scale[i];
}

char *ps_format_time(double seconds)
{
    const Scale *scale = scale_of(seconds);
    g_autofree char *number = ps_format_number(seconds / scale->size);
    return g_strdup_printf("%s %s", number, scale->unit);
}

char *ps_format_interval(double seconds, double half_width)
{
    const double half = half_width / scale_of(seconds)->size;
    g_autofree char *time = ps_format_time(seconds);
    if (!(half_width > 0))
        return g_steal_pointer(&time);
    return half < 99.5 ? g_strdup_printf("%s +- %.2g", time, half)
                       : g_strdup_printf("%s +- %.0f", time, half);
}

PsTimeScale ps_time_scale(double most)
{
    static const PsTimeScale units[] = {
        {"s", 1, 0}, {"ms", 1e-3, 0}, {"us", 1e-6, 0}, {"ns", 1e-9, 0}};
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && most < units[i].size)
        i++;
    const double number = most / units[i].size;
    return (PsTimeScale){units[i].unit, units[i].size, number < 10 ? 4 : number < 100 ? 3 : 2};
}

static char *format_signed(double x, int decimals)
{
    char *text = g_strdup_printf("%+.*f", decimals, x);
    if (strspn(text, "+-0.") == strlen(text))
        memmove(text, text + 1, strlen(text));
    return text;
}

char *ps_format_on_scale(const PsTimeScale *scale, double seconds, gboolean with_sign)
{
    const double number = seconds / scale->size;
    return with_sign ? format_signed(number, scale->decimals)
                     : g_strdup_printf("%.*f", scale->decimals, number);
}

char *ps_format_signed_share(double share)
{
    g_autofree char *number = format_signed(100 * share, 1);
    return g_strconcat(number, " %", NULL);
}

char *ps_format_share(double share)
{
    return g_strdup_printf("%.1f %%", 100 * share);
}

char *ps_format_elasticity(double x)
{
    if (!isfinite(x))
        return g_strdup("-");
    return g_strdup_printf("%.2f", fabs(x) < 0.005 ? 0 : x);
}

char *ps_format_scaled(double x)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    guint i = 0;
    if (!isfinite(x))
        return g_strdup(isinf(x) ? "infinite" : "-");
    /* 999.95 rounds up to the next prefix, too. */
    for (; i + 1 < G_N_ELEMENTS(prefixes) && fabs(x) >= 999.95; i++)
        x /= 1000;
    g_autofree char *number = ps_format_number(x);
    return g_strconcat(number, prefixes[i], NULL);
}

char *ps_format_noun(gint64 n, const char *noun)
{
    g_autofree char *count = ps_format_count(n);
    return g_strdup_printf("%s %s%s", count, noun, n == 1 ? "" : "s");
}

char *ps_format_clock(const PsGpu *gpu, PsRational clock)
{
    g_autofree char *mhz = ps_rational_format(clock);
    const char *name = ps_gpu_clock_name(gpu, clock);
    return g_strdup_printf("%s MHz%s%s", mhz, name ? " " : "", name ? name : "");
}

char *ps_format_chip(const PsGpu *gpu, PsRational clock)
{
    g_autofree char *units = ps_format_noun(gpu->compute_units, "CU");
    g_autofree char *mhz = ps_format_clock(gpu, clock);
    return g_strdup_printf("%s, %s", units, mhz);
}

char *ps_format_plain(double x)
{
    g_autofree char *text = g_strdup_printf("%.10g", x);
    return g_strconcat(text, strpbrk(text, ".en") ? "" : ".0", NULL);
}

char *ps_format_exact(double x)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    for (int digits = 15; digits <= 17; digits++) {
        g_snprintf(text, sizeof text, "%.*g", digits, x);
        if (g_ascii_strtod(text, NULL) == x)
            break;
    }
    return g_strdup(text);
}

char *ps_format_rational(PsRational value)
{
    g_autofree char *text = ps_rational_format(value);
    return strchr(text, '/') ? ps_format_plain(ps_rational_to_double(value))
                             : g_steal_pointer(&text);
}

char *ps_format_cut(const char *text, guint width)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    const glong length = g_utf8_strlen(valid, -1), tail = ((glong)width - 3) / 2;
    if (length <= (glong)width)
        return g_steal_pointer(&valid);
    g_autofree char *first = g_utf8_substring(valid, 0, (glong)width - 3 - tail);
    return g_strconcat(first, "...", g_utf8_offset_to_pointer(valid, length - tail), NULL);
}

char *ps_format_kernel_name(const char *name, guint width)
{
    g_autofree char *scoped = ps_kernel_short_name(name, TRUE);
    g_autofree char *bare = ps_kernel_short_name(name, FALSE);
    const char *const names[] = {name, scoped, bare};
    guint i = 0;
    while (i < 2 && g_utf8_strlen(names[i], -1) > (glong)width)
        i++;
    return ps_format_cut(names[i], width);
}
