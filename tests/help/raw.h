/* SPDX-License-Identifier: BSD-3-Clause */
/* A raw file as a sample, what it is of, and how it is changed. */
#ifndef PIPESIM_TESTS_HELP_RAW_H
#define PIPESIM_TESTS_HELP_RAW_H

#include "tests/help/bench.h"

/* What the sample was measured on. */
extern const PsDeviceInfo raw_device;

/* A run, and what could not be run; texts are borrowed. */
PsRawRow raw_row(gint64 length, gint64 repeat, double cycles, double seconds);
PsRawRow raw_problem(const char *kernel, gint64 groups, const char *problem);

/* Plans (PsBenchPlan) that the sample may be continued with; g_ptr_array_unref. */
GPtrArray *raw_plans(void);

/* Its rows, from that one on, and the whole file. */
void raw_put_rows(PsRawWriter *writer, guint from);
void raw_write_sample(const char *path);

/* A file anew; length: of the text in bytes, -1: all of it. */
void raw_set_contents(const char *path, const char *text, gssize length);

/* Measuring into the file, or with resume going on with it, is refused with that message behind the
 * file's name, and leaves it as it is. */
void raw_check_refused(const char *path, const PsDeviceInfo *info, gboolean resume,
                       const char *message);

#endif
