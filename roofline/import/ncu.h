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

/* The formulas' counter for a launch's cycles, under whichever name the file has them; it is no
 * metric's name. */
#define PS_NCU_CYCLES "cycles of the launch"

/* The metrics that somebody needs: counters, and the rates that counts can be computed from. */
typedef struct PsNcu PsNcu;

/* Both borrowed, for its life. */
PsNcu *ps_ncu_new(const PsImport *import, PsCollector *collector);
void ps_ncu_free(PsNcu *ncu);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsNcu, ps_ncu_free)

/* The number of the metric of that name, with "sm__" and "smsp__" alike: a sum over all units of
 * either kind is the same; -1: it is not needed. */
int ps_ncu_find(const PsNcu *ncu, const char *name);

/* Whether it is the collector's counter of that number. */
gboolean ps_ncu_is_counter(const PsNcu *ncu, int metric);

/* Does as ps_import_put, for the launch that was begun. */
gboolean ps_ncu_put(PsNcu *ncu, int metric, int column, const char *unit_name, GError **error);

/* Computes counts from the rates of the launch that was begun. It must be called before the next
 * launch is begun. */
void ps_ncu_end_launch(PsNcu *ncu);

/* Ends the last launch, and with it the collector. */
gboolean ps_ncu_finish(PsNcu *ncu, GError **error);

/* The treatment of a table: start looks for the columns of a header and returns that of kernels'
 * names, or -1 and *error; row takes a row below it. */
typedef struct {
    int (*start)(gpointer self, GError **error);
    gboolean (*row)(gpointer self, GError **error);
} PsNcuTable;

/* Reads to the file's end, and frees ncu. Tables one after the other are taken for one, and what
 * programs print between rows is passed over. */
gboolean ps_ncu_read(PsImport *import, PsNcu *ncu, const PsNcuTable *table, gpointer self,
                     GError **error);

/* The column of kernels' names, under any of its names; -1: none. */
int ps_ncu_name_column(const PsHeader *header);

/* The compute capability in the column "CC" of this row; 0 if there is none. */
guint ps_ncu_capability(const PsImport *import);

/* The kernel's name in this row; NULL and *error if it is empty. */
const char *ps_ncu_name(const PsImport *import, int column, GError **error);

#endif
