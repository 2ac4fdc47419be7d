/* SPDX-License-Identifier: BSD-3-Clause */
/* What the readers of other benchmarks' peaks share. See peaks.c. */
#ifndef PIPESIM_ROOFLINE_IMPORT_PEAKS_H
#define PIPESIM_ROOFLINE_IMPORT_PEAKS_H

#include "roofline/import/import.h"
#include "roofline/params.h"

/* TRUE for a peak in 10^9 per second: above 0, and less than any GPU's. NaN is none. */
gboolean ps_peak_is_one(double value);

/* Replaces the description's figure by this one, in 10^9 per second, measured at that clock
 * (MHz). */
void ps_peak_set(PsGpu *gpu, const char *name, double value, PsRational clock);

/* Reads ERT's roofline.json. FALSE and *error if it is wrong, or has no peaks. */
gboolean ps_peaks_ert_json(PsCsv *csv, PsGpu *gpu, GError **error);

/* TRUE if the line begins the table that ERT makes of its runs ("sum", and its output). */
gboolean ps_peaks_is_ert(const char *line);

/* Reads that table, from that line on. FALSE and *error if it is wrong. */
gboolean ps_peaks_ert_text(PsCsv *csv, PsGpu *gpu, GError **error);

#endif
