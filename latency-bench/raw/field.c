/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values and their texts in raw files, in both directions in one file, so that a value is read back
 * as it was written: numbers have as many digits as that takes.
 */
#include "base/cell.h"
#include "latency-bench/raw/private.h"

#include <math.h>
#include <string.h>

/* Integers are compared and multiplied as doubles later. */
#define LARGE (G_GINT64_CONSTANT(1) << 53)
#define SMALL (1 << 20)

#define COLUMN(name, type, field) name, PS_RAW_##type, G_STRUCT_OFFSET(PsRawRow, field)
#define DEVICE(name, type, field) name, PS_RAW_##type, G_STRUCT_OFFSET(PsRaw, field)

const PsRawField ps_raw_columns[PS_RAW_N_COLUMNS] = {
    {COLUMN("kernel", NAME, kernel), 0, 0},
    {COLUMN("class", CLASS, class_name), 0, 0},
    {COLUMN("kind", KIND, kind), 0, 0},
    {COLUMN("ilp", INT, ilp), 0, SMALL},
    {COLUMN("unroll", INT, unroll), 0, SMALL},
    {COLUMN("operations", AMOUNT, operations), 0, 0},
    {COLUMN("groups", INT, launch.groups), 0, LARGE},
    {COLUMN("group_size", INT, launch.group_size), 0, SMALL},
    {COLUMN("local_memory", INT, launch.local_memory), 0, LARGE},
    {COLUMN("warps", INT, launch.warps), 0, SMALL},
    {COLUMN("length", INT, launch.length), 0, LARGE},
    {COLUMN("memory", INT, launch.memory), 0, LARGE},
    {COLUMN("step", INT, launch.step), 0, LARGE},
    {COLUMN("repeat", INT, launch.repeat), 0, SMALL},
    {COLUMN("cycles", SAMPLE, sample.cycles), 0, 0},
    {COLUMN("seconds", SAMPLE, sample.seconds), 0, 0},
    {COLUMN("mhz", SAMPLE, sample.mhz), 0, 0},
    {COLUMN("problem", TEXT, problem), 0, 0},
    {COLUMN("bytes", INT, footprint.bytes), 0, LARGE},
    {COLUMN("lines", INT, footprint.lines), 0, LARGE},
    {COLUMN("sectors", INT, footprint.sectors), 0, LARGE},
    {COLUMN("reuse", INT, footprint.reuse), 0, LARGE},
};

const PsRawField ps_raw_device[PS_RAW_N_DEVICE] = {
    {DEVICE("name", NAME, info.name), 0, 0},
    {DEVICE("backend", NAME, info.backend), 0, 0},
    {DEVICE("vendor", TEXT, info.vendor), 0, 0},
    {DEVICE("architecture", TEXT, info.architecture), 0, 0},
    {DEVICE("driver", TEXT, info.driver), 0, 0},
    {DEVICE("compute_units", INT, info.compute_units), 1, SMALL},
    {DEVICE("warp_size", INT, info.warp_size), 1, SMALL},
    {DEVICE("schedulers", INT, info.schedulers), 0, SMALL},
    {DEVICE("clock", RATIONAL, info.clock), 0, 0},
    {DEVICE("boost_clock", RATIONAL, info.boost_clock), 0, 0},
    {DEVICE("limits_warps", INT, info.limits.warps), 0, SMALL},
    {DEVICE("limits_groups", INT, info.limits.groups), 0, SMALL},
    {DEVICE("limits_group_size", INT, info.limits.group_size), 0, SMALL},
    {DEVICE("limits_registers", INT, info.limits.registers), 0, LARGE},
    {DEVICE("limits_registers_per_thread", INT, info.limits.registers_per_thread), 0, LARGE},
    {DEVICE("limits_register_unit", INT, info.limits.register_unit), 0, LARGE},
    {DEVICE("limits_warp_unit", INT, info.limits.warp_unit), 0, LARGE},
    {DEVICE("limits_local_memory", INT, info.limits.local_memory), 0, LARGE},
    {DEVICE("limits_local_memory_per_group", INT, info.limits.local_memory_per_group), 0, LARGE},
    {DEVICE("limits_local_memory_unit", INT, info.limits.local_memory_unit), 0, LARGE},
    {DEVICE("limits_local_memory_reserved", INT, info.limits.local_memory_reserved), 0, LARGE},
    {DEVICE("memory", INT, info.memory), 0, LARGE},
    {DEVICE("l2", INT, info.l2), 0, LARGE},
    {DEVICE("counter", FLAG, info.counter), 0, 0},
    {DEVICE("fp64", FLAG, info.fp64), 0, 0},
    {DEVICE("fp16", FLAG, info.fp16), 0, 0},
    {DEVICE("when", NAME, when), 0, 0},
};

static const char *const kinds[] = {
    [PS_BENCH_CHAIN] = "chain",   [PS_BENCH_LOCAL] = "local",
    [PS_BENCH_GLOBAL] = "global", [PS_BENCH_STREAM] = "stream",
    [PS_BENCH_PEAK] = "peak",     [PS_BENCH_INTENSITY] = "intensity",
    [PS_BENCH_MIX] = "mix",       [PS_BENCH_LEVEL] = "level",
    [PS_BENCH_WHOLE] = "whole",   NULL,
};

char *ps_raw_clean(const char *text)
{
    if (!text)
        return NULL;
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    char *clean = ps_text_clean(valid);
    if (strlen(clean) > PS_RAW_MAX_TEXT) {
        char *end = clean + PS_RAW_MAX_TEXT;
        if (((guchar)*end & 0xC0) == 0x80)
            end = g_utf8_find_prev_char(clean, end);
        *end = '\0';
    }
    return clean;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put_text(GString *row, const char *text)
{
    g_autofree char *clean = ps_raw_clean(text ? text : "");
    ps_cell_put(row, clean, FALSE);
}

/* Writes the shortest text that is read back as the same number. */
static void put_double(GString *row, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    for (int digits = 15; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, value);
        if (g_ascii_strtod(text, NULL) == value)
            break;
    }
    g_string_append(row, text);
}

void ps_raw_put(GString *row, const void *of, const PsRawField *field)
{
    const void *value = (const char *)of + field->offset;
    g_autofree char *text = NULL;
    switch (field->type) {
    case PS_RAW_NAME:
    case PS_RAW_CLASS:
    case PS_RAW_TEXT:
        put_text(row, *(char *const *)value);
        break;
    case PS_RAW_KIND:
        g_string_append(row, kinds[*(const PsBenchKind *)value]);
        break;
    case PS_RAW_INT:
        g_string_append_printf(row, "%" G_GINT64_FORMAT, *(const gint64 *)value);
        break;
    case PS_RAW_AMOUNT:
        put_double(row, *(const double *)value);
        break;
    case PS_RAW_SAMPLE:
        if (isfinite(*(const double *)value) && *(const double *)value > 0)
            put_double(row, *(const double *)value);
        break;
    case PS_RAW_RATIONAL:
        text = ps_rational_format(*(const PsRational *)value);
        g_string_append(row, text);
        break;
    case PS_RAW_FLAG:
        g_string_append(row, *(const gboolean *)value ? "yes" : "no");
        break;
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

void ps_raw_put_header(GString *out)
{
    g_string_append(out, "record");
    for (guint i = 0; i < PS_RAW_N_COLUMNS; i++)
        g_string_append_printf(out, ",%s", ps_raw_columns[i].name);
    g_string_append_c(out, '\n');
}

void ps_raw_put_device(GString *out, const PsRaw *raw, guint i)
{
    g_string_append_printf(out, "device,%s,", ps_raw_device[i].name);
    ps_raw_put(out, raw, &ps_raw_device[i]);
    g_string_append_c(out, '\n');
}

void ps_raw_put_run(GString *out, const PsRawRow *row)
{
    g_string_append(out, "run");
    for (guint i = 0; i < PS_RAW_N_COLUMNS; i++) {
        g_string_append_c(out, ',');
        ps_raw_put(out, row, &ps_raw_columns[i]);
    }
    g_string_append_c(out, '\n');
}

/* ---- reading ------------------------------------------------------------------------------- */

static char *take_text(const char *text, char **value, PsRawType type)
{
    if (strlen(text) > PS_RAW_MAX_TEXT)
        return g_strdup_printf("is longer than %d bytes", PS_RAW_MAX_TEXT);
    if (!g_utf8_validate(text, -1, NULL))
        return g_strdup("is no UTF-8 text");
    g_autofree char *clean = ps_text_clean(text);
    if (strcmp(clean, text) != 0)
        return g_strdup("holds a control character");
    if (type != PS_RAW_TEXT && !*text)
        return g_strdup("is empty");
    if (type == PS_RAW_CLASS && !g_regex_match_simple("^[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*$", text,
                                                      G_REGEX_DOLLAR_ENDONLY, 0))
        return g_strdup("is no name of a class, such as local.load");
    *value = *text ? g_steal_pointer(&clean) : NULL;
    return NULL;
}

static char *take_kind(const char *text, PsBenchKind *kind)
{
    for (guint i = 0; kinds[i]; i++)
        if (strcmp(text, kinds[i]) == 0) {
            *kind = (PsBenchKind)i;
            return NULL;
        }
    g_autofree char *list = g_strjoinv(", ", (char **)kinds);
    return g_strdup_printf("is no kind of benchmark; there are %s", list);
}

static char *take_int(const char *text, gint64 *value, const PsRawField *field)
{
    gint64 result = 0;
    if (g_ascii_isdigit(*text) &&
        g_ascii_string_to_signed(text, 10, field->min, field->max, &result, NULL)) {
        *value = result;
        return NULL;
    }
    return g_strdup_printf("is no integer from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                           field->min, field->max);
}

static char *take_double(const char *text, double *value, PsRawType type)
{
    if (type == PS_RAW_SAMPLE && !*text) {
        *value = NAN;
        return NULL;
    }
    char *end = NULL;
    const gboolean is_plain =
        g_ascii_isdigit(*text) && strspn(text, "0123456789.eE+-") == strlen(text);
    const double number = is_plain ? g_ascii_strtod(text, &end) : NAN;
    if (!is_plain || *end)
        return g_strdup("is no number");
    if (!isfinite(number))
        return g_strdup("is too large for a number");
    if (type == PS_RAW_SAMPLE && number <= 0)
        return g_strdup("is not above 0: where nothing was measured the field is empty");
    *value = number;
    return NULL;
}

/* "1506.5", or "3/7", which is no decimal. */
static char *take_rational(const char *text, PsRational *value)
{
    PsRational result;
    g_auto(GStrv) parts = g_strsplit(text, "/", 2);
    gint64 num = 0, den = 0;
    const gboolean is_fraction =
        parts[0] && parts[1] && g_ascii_string_to_signed(parts[0], 10, 0, G_MAXINT64, &num, NULL) &&
        g_ascii_string_to_signed(parts[1], 10, 1, G_MAXINT64, &den, NULL) &&
        ps_rational_make(num, den, &result);
    if (!is_fraction && (!ps_rational_parse(text, &result) || result.num < 0))
        return g_strdup("is no decimal number from 0 on");
    *value = result;
    return NULL;
}

static char *take_flag(const char *text, gboolean *value)
{
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return g_strdup("is neither yes nor no");
    *value = *text == 'y';
    return NULL;
}

char *ps_raw_take(const char *text, void *of, const PsRawField *field)
{
    void *value = (char *)of + field->offset;
    switch (field->type) {
    case PS_RAW_NAME:
    case PS_RAW_CLASS:
    case PS_RAW_TEXT:
        return take_text(text, value, field->type);
    case PS_RAW_KIND:
        return take_kind(text, value);
    case PS_RAW_INT:
        return take_int(text, value, field);
    case PS_RAW_AMOUNT:
    case PS_RAW_SAMPLE:
        return take_double(text, value, field->type);
    case PS_RAW_RATIONAL:
        return take_rational(text, value);
    case PS_RAW_FLAG:
        return take_flag(text, value);
    }
    return NULL;
}
