/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How reading another campaign's file is divided: the file and the device (campaign.c), slopes of
 * chains (campaign-series.c), times of mmul's accesses (campaign-pattern.c). Internal to raw/.
 */
#ifndef PIPESIM_LATENCY_BENCH_RAW_CAMPAIGN_H
#define PIPESIM_LATENCY_BENCH_RAW_CAMPAIGN_H

#include "latency-bench/raw/private.h"

/* What reading has come to. NaN for figures that were not there yet. */
typedef struct {
    PsCsv *csv;
    PsRaw *raw;
    PsRawIndex *index;
    double mhz;    /* of the last row of the device */
    double launch; /* seconds of a launch of one group that does nothing */
    double fadd;   /* cycles of an addition of one warp, */
    double pair;   /* and of a reciprocal with an addition */
} PsCampaign;

/* What a row measures. */
typedef struct {
    const char *section, *name, *klass;
    PsBenchKind kind;
    gint64 instructions; /* of the class in each link of the chain */
} PsCampaignSeries;

/* An integer from least on in the third field; FALSE and *error where it is none, or not there. */
gboolean ps_campaign_key(const PsCampaign *reader, const char *key, gint64 least, gint64 *value,
                         GError **error);

/* The last field. */
gboolean ps_campaign_value(const PsCampaign *reader, double *value, GError **error);

/* Two runs of lengths 1 and 2 that have the figure, cycles per link, as their slope. from: kernel
 * and class, which are borrowed, kind, ilp, launch and clock. */
gboolean ps_campaign_add(PsCampaign *reader, const PsRawRow *from, double cycles, GError **error);

/* FALSE and *error where the row is wrong; a row that is not of theirs is none of their business.
 */
gboolean ps_campaign_series(PsCampaign *reader, GError **error);
gboolean ps_campaign_pattern(PsCampaign *reader, GError **error);

#endif
