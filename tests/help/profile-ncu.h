/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of Nsight Compute in its long form, spelled row by row.
 */
#ifndef PIPESIM_TESTS_HELP_PROFILE_NCU_H
#define PIPESIM_TESTS_HELP_PROFILE_NCU_H

#include "tests/help/profile.h"

#define LONG                                                                                       \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define ROW(id, process, kernel, metric, unit, value)                                              \
    "\"" id "\",\"" process "\",\"" kernel "\",\"" metric "\",\"" unit "\",\"" value "\"\n"
#define FP32 "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"
#define READ "dram__bytes_read.sum"
#define TIME "gpu__time_duration.sum"

#endif
