/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The accesses of mmul in another campaign: kernels that do nothing but the loads of matrix A or B,
 * each of which needs the one before, timed as a whole over occupancy:
 *
 *     kernel,pattern,matrix=A;block=8;active=4;warps=8;loads_per_thread=128;mhz=1700,median_ms,0.5
 *
 * Groups are tiles of block by block threads, of a matrix with block * loads_per_thread elements in
 * each direction. In the time of a link each of the active warps loads once: from the time of the
 * whole, without what an empty launch takes, and the loads of the CU that has most groups follows
 * the time of one.
 */
#include "latency-bench/raw/campaign.h"

#include <math.h>
#include <string.h>

static gboolean is_of(const PsCsv *csv, const char *name)
{
    return strcmp(csv->fields[0].text, "kernel") == 0 && strcmp(csv->fields[1].text, name) == 0 &&
           strcmp(csv->fields[3].text, "median_ms") == 0;
}

/* What a launch costs by itself, of one group: what more groups cost is a part of their work. */
static gboolean read_empty(PsCampaign *reader, GError **error)
{
    gint64 groups = 0;
    double milliseconds = NAN;
    if (!ps_campaign_key(reader, "groups", 1, &groups, error) ||
        !ps_campaign_value(reader, &milliseconds, error))
        return FALSE;
    if (groups == 1 && !(reader->launch <= milliseconds / 1e3))
        reader->launch = milliseconds / 1e3;
    return TRUE;
}

typedef struct {
    gint64 block, active, warps, loads, mhz;
    char matrix; /* 'A' or 'B' */
} Pattern;

static gboolean read_keys(const PsCampaign *reader, Pattern *pattern, GError **error)
{
    const struct {
        const char *key;
        gint64 *to;
    } keys[] = {{"block", &pattern->block},
                {"active", &pattern->active},
                {"warps", &pattern->warps},
                {"loads_per_thread", &pattern->loads},
                {"mhz", &pattern->mhz}};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        if (!ps_campaign_key(reader, keys[i].key, 1, keys[i].to, error))
            return FALSE;
    g_autofree char *matrix = ps_raw_campaign_key(reader->csv, "matrix");
    const gboolean is_matrix = g_strcmp0(matrix, "A") == 0 || g_strcmp0(matrix, "B") == 0;
    if (is_matrix)
        pattern->matrix = *matrix;
    const gint64 threads = pattern->block <= 32 ? pattern->block * pattern->block : 0;
    if (is_matrix && threads * pattern->active == 32 * pattern->warps && pattern->loads <= 1 << 20)
        return TRUE;
    ps_csv_error(reader->csv, 2, PS_ERROR_VALUE, error,
                 is_matrix ? "these keys make no launch: active groups of block * block threads "
                             "have other warps, or loads_per_thread is above 1048576"
                           : "matrix: it is neither A nor B");
    return FALSE;
}

static gboolean read_pattern(PsCampaign *reader, GError **error)
{
    Pattern pattern = {.matrix = '\0'};
    double milliseconds = NAN;
    if (!read_keys(reader, &pattern, error) || !ps_campaign_value(reader, &milliseconds, error))
        return FALSE;
    const gint64 threads = pattern.block * pattern.block, units = reader->raw->info.compute_units,
                 groups = pattern.loads * pattern.loads, fullest = (groups + units - 1) / units;
    g_autofree char *klass =
        g_strdup_printf("global.load.%c.%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT, pattern.matrix,
                        pattern.block, pattern.block);
    g_autofree char *kernel = g_strdup_printf("pattern-%c-%" G_GINT64_FORMAT,
                                              g_ascii_tolower(pattern.matrix), pattern.block);
    const PsRawRow from = {
        .kernel = kernel,
        .klass = klass,
        .kind = PS_BENCH_GLOBAL,
        .ilp = 1,
        .launch = {.groups = groups, .group_size = threads, .warps = pattern.warps, .step = 1},
        .sample = {NAN, NAN, (double)pattern.mhz}};
    const double launch = isnan(reader->launch) ? 0 : reader->launch,
                 cycles = (milliseconds / 1e3 - launch) * (double)pattern.mhz * 1e6,
                 links = (double)(MAX(fullest, pattern.active) * pattern.loads) /
                         (double)pattern.active;
    return ps_campaign_add(reader, &from, cycles / links, error);
}

gboolean ps_campaign_pattern(PsCampaign *reader, GError **error)
{
    if (is_of(reader->csv, "empty"))
        return read_empty(reader, error);
    if (!is_of(reader->csv, "pattern"))
        return TRUE;
    if (reader->raw->info.compute_units > 0)
        return read_pattern(reader, error);
    ps_csv_error(reader->csv, 0, PS_ERROR_VALUE, error,
                 "the row of the device must come before those of the section pattern");
    return FALSE;
}
