/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the injected library tells pipesim: one file for each profiled process, in lines whose
 * fields are separated by tabs. Each line is written at once, so that whatever ends the process all
 * lines but the last are whole; cli/profile/parts.c reads them.
 *
 *     pipesim-profile  1  PHASE  PROCESS  START  PROGRAM     the first line; START orders processes
 *     device   DEVICE  MAJOR.MINOR  NAME
 *     launch   DEVICE  CONTEXT  STREAM  ORDER  START  END  GX GY GZ  BX BY BZ  REGISTERS  STATIC
 *              DYNAMIC  GRAPH  KERNEL     times in ns, memory in bytes; GRAPH 0: by no CUDA graph
 *     counts   DEVICE  ORDER  KERNEL  METRIC=VALUE...        blanks between these
 *     failed   WHAT  TEXT                                    WHAT is a word of FAILURES, below
 *     done                                                   the process ended by itself
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_RECORD_H
#define PIPESIM_LATENCY_BENCH_PROFILE_RECORD_H

#include <stddef.h>

#define PS_RECORD_MAGIC "pipesim-profile"
#define PS_RECORD_VERSION "1"

/* How pipesim passes orders to the library. */
#define PS_PROFILE_FOLDER "PIPESIM_PROFILE_FOLDER"
#define PS_PROFILE_PHASE "PIPESIM_PROFILE_PHASE"     /* times or counters */
#define PS_PROFILE_METRICS "PIPESIM_PROFILE_METRICS" /* see ps_counters_begin */

/* FAILURES: "cupti" nothing can be measured, "privileges" counters are forbidden, "counters" they
 * fail otherwise, "lost" some launches are not in the file. */

/* Opens the process's file in the folder, and writes its first line. -1 where that fails. */
int ps_record_open(const char *folder, const char *phase);

/* Writes a line; a text's tabs and line ends must have become blanks (ps_record_clean). */
void ps_record_line(int file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a line that is made already, its line end included. */
void ps_record_put(int file, const char *line, size_t length);

/* A copy of text without control characters, cut to size bytes; "?" for NULL. Returns copy. */
char *ps_record_clean(const char *text, char *copy, size_t size);

#endif
