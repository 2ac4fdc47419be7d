/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kinds of profiles, in the order in which they are asked whether a header row is theirs. A new
 * kind needs a file with a PsImporter, and a line here.
 */
#include "roofline/import/rocprof.h"
#include "roofline/import/import.h"

const PsImporter *const ps_importers[] = {
    &ps_import_nvprof_metrics,
    &ps_import_nvprof_trace,
    &ps_import_nvprof_summary,
    &ps_import_ncu_summary,
    &ps_import_ncu_long,
    &ps_import_ncu_wide,
    &ps_import_nsys_summary,
    &ps_import_nsys_trace,
    &ps_import_rocprof,
    &ps_import_rocprofv3,
    &ps_import_rocprof_trace,
    &ps_import_rocprof_stats,
    NULL,
};
