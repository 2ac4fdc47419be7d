/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and units as profilers print them. See import.h. */
#include "roofline/import/import.h"

#include <math.h>
#include <string.h>

/* Most digits of a number, without its separators: no profiler prints as many. */
#define MAX_DIGITS 64

/* ---- numbers ------------------------------------------------------------------------------- */

/* TRUE for values that are missing. Nsight Compute marks with "(!)" what it could not count; the
 * ratio of two counters, one of them 0, is nan or inf, which Windows calls "-nan(ind)"; nvprof has
 * a word for counters that overflowed. */
static gboolean is_missing(const char *text)
{
    static const char *const words[] = {"n/a",       "nan", "-nan", "nan(ind)",
                                        "-nan(ind)", "inf", "-inf", "<OVERFLOW>"};
    if (g_str_has_prefix(text, "(!)"))
        text += strlen("(!)");
    while (g_ascii_isspace(*text))
        text++;
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_ascii_strcasecmp(text, words[i]) == 0)
            return TRUE;
    return FALSE;
}

/* Separators of thousands besides commas and points, by the user's language: a blank, one that does
 * not break, a narrow or thin one, and apostrophes. */
static const char *const groups[] = {" ", "\u00A0", "\u202F", "\u2009", "'", "\u2019"};

/* A number without its separators, up to the place that is read. */
typedef struct {
    char point;        /* separator before decimals */
    const char *group; /* separator of thousands: a comma or a point until another one is found */
    char text[MAX_DIGITS + 1];
    guint length;
    const char *at;
} Scan;

static void take(Scan *scan)
{
    if (scan->length < MAX_DIGITS)
        scan->text[scan->length++] = *scan->at;
    scan->at++;
}

static guint take_digits(Scan *scan)
{
    const char *begin = scan->at;
    while (g_ascii_isdigit(*scan->at))
        take(scan);
    return (guint)(scan->at - begin);
}

static gboolean is_group(const Scan *scan, const char *group)
{
    if (!g_str_has_prefix(scan->at, group))
        return FALSE;
    const char *at = scan->at + strlen(group);
    return g_ascii_isdigit(at[0]) && g_ascii_isdigit(at[1]) && g_ascii_isdigit(at[2]) &&
           !g_ascii_isdigit(at[3]);
}

/* Takes thousands: all thousands of a number have one separator. */
static void take_thousands(Scan *scan)
{
    for (guint i = 0; i < G_N_ELEMENTS(groups) && !is_group(scan, scan->group); i++)
        if (is_group(scan, groups[i]))
            scan->group = groups[i];
    while (is_group(scan, scan->group)) {
        scan->at += strlen(scan->group);
        take_digits(scan);
    }
}

/* Reads a number; FALSE where there are no digits. */
static gboolean scan_number(Scan *scan)
{
    while (g_ascii_isspace(*scan->at))
        scan->at++;
    if (*scan->at == '-' || *scan->at == '+')
        take(scan);
    guint digits = take_digits(scan);
    if (digits >= 1 && digits <= 3)
        take_thousands(scan);
    if (*scan->at == scan->point) {
        take(scan);
        scan->text[scan->length - 1] = '.';
        digits += take_digits(scan);
    }
    const char *e = scan->at;
    if ((*e == 'e' || *e == 'E') && g_ascii_isdigit(e[1 + (e[1] == '-' || e[1] == '+')])) {
        take(scan);
        take(scan);
        take_digits(scan);
    }
    scan->text[scan->length] = '\0';
    return digits > 0;
}

PsNumberState ps_number_parse(const char *text, gboolean decimal_comma, PsNumber *number,
                              const char **why)
{
    Scan scan = {decimal_comma ? ',' : '.', decimal_comma ? "." : ",", .at = text};
    if (is_missing(text))
        return PS_NUMBER_MISSING;
    if (!scan_number(&scan)) {
        *why = *text ? "is no number" : "is empty where a number is due";
        return PS_NUMBER_BAD;
    }
    const char *behind = scan.at;
    if (strchr(".,'_", *behind) && *behind) {
        *why = decimal_comma
                   ? "is no number: digits go in threes between points, and a comma is before "
                     "decimals, as in other numbers of this table"
                   : "is no number: digits go in threes between commas, and a point is before "
                     "decimals";
        return PS_NUMBER_BAD;
    }
    while (g_ascii_isspace(*behind))
        behind++;
    *number = (PsNumber){g_ascii_strtod(scan.text, NULL), behind};
    if (g_ascii_isdigit(*behind) || scan.length == MAX_DIGITS)
        *why = "is no number";
    else if (isinf(number->value))
        *why = "is too large for a number";
    else
        return PS_NUMBER_OK;
    return PS_NUMBER_BAD;
}

/* ---- units --------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    double scale;
} Unit;

/* Finds a unit; FALSE where the name, without blanks at its end, is not in the table. */
static gboolean find_unit(const Unit *units, guint n, const char *name, double *scale)
{
    gsize length = strlen(name);
    while (length > 0 && g_ascii_isspace(name[length - 1]))
        length--;
    for (guint i = 0; i < n; i++)
        if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0) {
            *scale = units[i].scale;
            return TRUE;
        }
    return FALSE;
}

static const Unit seconds[] = {{"s", 1},     {"second", 1},     {"ms", 1e-3},  {"msecond", 1e-3},
                               {"us", 1e-6}, {"µs", 1e-6},      {"μs", 1e-6},  {"usecond", 1e-6},
                               {"ns", 1e-9}, {"nsecond", 1e-9}, {"seconds", 1}};

static const Unit bytes[] = {{"", 1},         {"B", 1},        {"byte", 1},     {"bytes", 1},
                             {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};

/* Nsight Compute scales by thousands. */
static const Unit prefixes[] = {{"K", 1e3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

/* The things that counts may be of; a unit may have further words, but none of them scaled. */
static const Unit things[] = {{"inst", 1},   {"sector", 1}, {"request", 1},
                              {"thread", 1}, {"warp", 1},   {"block", 1},
                              {"cycle", 1},  {"op", 1},     {"", 1}};

static gboolean find_scaled(const Unit *units, guint n, const char *name, double *scale)
{
    if (find_unit(units, n, name, scale))
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++)
        if (*name == *prefixes[i].name && find_unit(units, n, name + 1, scale)) {
            *scale *= prefixes[i].scale;
            return TRUE;
        }
    return FALSE;
}

/* TRUE for a word that says what was counted, and is neither scaled nor a rate or a share. */
static gboolean is_thing(const char *name)
{
    double scale;
    if (find_unit(seconds, G_N_ELEMENTS(seconds), name, &scale) ||
        find_scaled(bytes, G_N_ELEMENTS(bytes), name, &scale))
        return FALSE;
    for (const char *c = name; *c; c++)
        if (!g_ascii_islower(*c) && *c != '_' && !g_ascii_isspace(*c))
            return FALSE;
    return TRUE;
}

double ps_unit_scale(PsUnit unit, const char *name)
{
    double scale = NAN;
    switch (unit) {
    case PS_UNIT_SECONDS:
        find_unit(seconds, G_N_ELEMENTS(seconds), name, &scale);
        break;
    case PS_UNIT_BYTES:
        find_scaled(bytes, G_N_ELEMENTS(bytes), name, &scale);
        break;
    case PS_UNIT_COUNT:
        if (!find_scaled(things, G_N_ELEMENTS(things), name, &scale) && is_thing(name))
            scale = 1;
        break;
    }
    return scale;
}
