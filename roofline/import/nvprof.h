/* SPDX-License-Identifier: BSD-3-Clause */
/* The meaning of nvprof's counters; nvprof.c reads its tables. */
#ifndef PIPESIM_ROOFLINE_IMPORT_NVPROF_H
#define PIPESIM_ROOFLINE_IMPORT_NVPROF_H

#include "roofline/import/import.h"

extern const PsFormulas ps_nvprof_formulas;

/* The counter of a column, by the metric's name or its description; -1: it is not needed. */
int ps_nvprof_counter(const PsCollector *collector, const char *column);

#endif
