/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the importers of Nsight Compute's tables share:
 *
 *     long      a row per launch and metric; --csv with --metrics, or the details page
 *     wide      a row per launch, below the header a row of units; --csv --page raw
 *     summary   a row per kernel and metric, with the average; --csv --print-summary per-kernel
 */
#ifndef PIPESIM_ROOFLINE_IMPORT_NCU_H
#define PIPESIM_ROOFLINE_IMPORT_NCU_H

#include "roofline/import/import.h"

extern const PsFormulas ps_ncu_formulas;

/* The counter of that name, with "sm__" and "smsp__" alike: a sum over all units of either kind is
 * the same; -1: nobody needs it. */
int ps_ncu_counter(const PsCollector *collector, const char *name);

/* The column of kernels' names, under any of its names; -1: none. */
int ps_ncu_name_column(const PsHeader *header);

/* Whether this row is the header again, as in tables that were written one after the other. */
gboolean ps_ncu_is_header(const PsImport *import, int name_column);

/* The kernel's name on this row; NULL and *error where it is empty. */
const char *ps_ncu_name(const PsImport *import, int column, GError **error);

#endif
