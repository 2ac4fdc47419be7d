/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of another campaign: rows of the sections chain, local and global with cycles per
 * operation of one warp, which are slopes already.
 */
#include "latency-bench/raw/campaign.h"

#include <math.h>
#include <string.h>

#define RCP_PAIR "rcp_fadd_pair"

/* Chains of two different instructions one after the other: where both are of one class, each is
 * taken for half. cos is two instructions for whoever writes cos. The rolled loop has a
 * multiply-add in it, which is done before a trip is, as an addition is in ours. Of rcp and fadd
 * see take_off_fadd. */
static const PsCampaignSeries all_series[] = {
    {"chain", "fadd", "fadd", PS_BENCH_CHAIN, 1},
    {"chain", "fmul", "fmul", PS_BENCH_CHAIN, 1},
    {"chain", "ffma", "fmadd", PS_BENCH_CHAIN, 1},
    {"chain", "dadd", "dadd", PS_BENCH_CHAIN, 1},
    {"chain", "dfma", "dfma", PS_BENCH_CHAIN, 1},
    {"chain", "imad", "imad", PS_BENCH_CHAIN, 1},
    {"chain", "iadd_lop_pair", "iadd", PS_BENCH_CHAIN, 2},
    {"chain", "hfma2", "hfma", PS_BENCH_CHAIN, 1},
    {"chain", "cvt_pair", "conversion", PS_BENCH_CHAIN, 2},
    {"chain", "fmul_cos_pair", "cos", PS_BENCH_CHAIN, 1},
    {"chain", "ex2", "exp2", PS_BENCH_CHAIN, 1},
    {"chain", "rsqrt", "rsqrt", PS_BENCH_CHAIN, 1},
    {"chain", RCP_PAIR, "rcp", PS_BENCH_CHAIN, 1},
    {"chain", "sqrt", "sqrt", PS_BENCH_CHAIN, 1},
    {"chain", "fdiv", "fdiv", PS_BENCH_CHAIN, 1},
    {"chain", "ddiv", "ddiv", PS_BENCH_CHAIN, 1},
    {"chain", "shfl", "shuffle", PS_BENCH_CHAIN, 1},
    {"chain", "barrier", "barrier", PS_BENCH_CHAIN, 1},
    {"chain", "loop_with_ffma", "loop", PS_BENCH_CHAIN, 1},
    {"local", "load", "local.load", PS_BENCH_LOCAL, 1},
    {"local", "store", "local.store", PS_BENCH_LOCAL, 1},
    {"local", "atomic", "atomic.local", PS_BENCH_LOCAL, 1},
    {"global", "l1", "global.load.l1", PS_BENCH_GLOBAL, 1},
    {"global", "l2", "global.load.l2", PS_BENCH_GLOBAL, 1},
    {"global", "dram", "global.load", PS_BENCH_GLOBAL, 1},
};

static const PsCampaignSeries *find_series(const PsCsv *csv)
{
    if (strcmp(csv->fields[3].text, "cycles_per_op_of_one_warp") != 0)
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(all_series); i++)
        if (strcmp(csv->fields[0].text, all_series[i].section) == 0 &&
            strcmp(csv->fields[1].text, all_series[i].name) == 0)
            return &all_series[i];
    return NULL;
}

/* The launch as the campaign made it: chains of more than 32 warps in two groups per CU. */
static gboolean read_launch(const PsCampaign *reader, const PsCampaignSeries *series, PsRawRow *row,
                            GError **error)
{
    const PsDeviceInfo *info = &reader->raw->info;
    gint64 sectors = 0;
    row->ilp = 1;
    if (!ps_campaign_key(reader, "warps", 1, &row->launch.warps, error))
        return FALSE;
    if (series->kind == PS_BENCH_CHAIN && !ps_campaign_key(reader, "ilp", 1, &row->ilp, error))
        return FALSE;
    if (series->kind == PS_BENCH_LOCAL &&
        !ps_campaign_key(reader, "conflict", 1, &row->launch.step, error))
        return FALSE;
    if (series->kind == PS_BENCH_GLOBAL && !ps_campaign_key(reader, "sectors", 1, &sectors, error))
        return FALSE;
    if (series->kind == PS_BENCH_GLOBAL)
        row->launch.step = MAX(1, sectors / 8); /* stride in elements of 8 bytes */
    const gint64 groups = row->launch.warps > 32 ? 2 : 1;
    row->launch.groups = groups * MAX(1, info->compute_units);
    row->launch.group_size = row->launch.warps / groups * info->warp_size;
    return TRUE;
}

/* Is it the row of one warp with one chain? */
static gboolean is_first(const PsRawRow *row)
{
    return row->launch.warps == 1 && row->ilp == 1;
}

/* A reciprocal alone undoes itself, so the campaign adds a number after each. Where a chain waits,
 * its links take the addition's latency, too, which is taken off; where the pipeline of reciprocals
 * is full, they do not. NaN where the file does not tell. */
static double take_off_fadd(PsCampaign *reader, const PsRawRow *row, double cycles)
{
    const double hardly = 1.05;
    if (is_first(row))
        reader->pair = cycles;
    if (isnan(reader->pair) || isnan(reader->fadd))
        return NAN;
    return cycles <= hardly * reader->pair ? cycles - reader->fadd : cycles;
}

static gboolean read_series(PsCampaign *reader, const PsCampaignSeries *series, GError **error)
{
    g_autofree char *kernel = NULL;
    PsRawRow from = {.kind = series->kind, .klass = (char *)series->klass};
    double value = NAN;
    if (!read_launch(reader, series, &from, error) || !ps_campaign_value(reader, &value, error))
        return FALSE;
    kernel = g_strdup_printf("%s-%s-ilp%" G_GINT64_FORMAT, series->section, series->name, from.ilp);
    from.kernel = kernel;
    from.sample.mhz = reader->mhz;
    /* In the time of a link a warp issues one operation of each of its chains. */
    double cycles = value * (double)from.ilp / (double)series->instructions;
    if (strcmp(series->name, "fadd") == 0 && is_first(&from))
        reader->fadd = cycles;
    if (strcmp(series->name, RCP_PAIR) == 0)
        cycles = take_off_fadd(reader, &from, cycles);
    return ps_campaign_add(reader, &from, cycles, error);
}

gboolean ps_campaign_series(PsCampaign *reader, GError **error)
{
    const PsCampaignSeries *series = find_series(reader->csv);
    return !series || read_series(reader, series, error);
}
