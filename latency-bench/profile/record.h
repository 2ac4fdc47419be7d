/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of the injected library to pipesim: one file for each profiled process, in lines
 * whose fields are separated by tabs. Each line is written at once, so that whatever ends the
 * process all lines but the last are whole; profile/traced.c reads them.
 *
 *     pipesim-profile  1  PHASE  PROCESS  START  PROGRAM     the first line; START orders processes
 *     device   DEVICE  MAJOR.MINOR  NAME
 *     launch   DEVICE  CONTEXT  STREAM  ORDER  START  END  GX GY GZ  BX BY BZ  REGISTERS  STATIC
 *              DYNAMIC  GRAPH  KERNEL     times in ns, memory in bytes; GRAPH 0: by no CUDA graph
 *     counts   DEVICE  ORDER  KERNEL  METRIC=VALUE...        blanks between these
 *     failed   WHAT  TEXT                                    WHAT is a word of FAILURES, below
 *     done                                                   the process ended by itself
 *
 * In the phase contents, bytes follow some lines: as many as SIZE says, and a line end. Numbers
 * count from 1, and what a launch begins with stands between `begin` and `taken`:
 *
 *     units    DEVICE  COUNT                                 compute units
 *     program  PATH                                          a file that is loaded: the program,
 * libraries image    SIZE                                          code as the program handed it
 * over module   IMAGE  SIZE                                   machine code that CUDA has loaded, of
 * an image, or 0 page     SIZE                                          what a block of memory
 * holds begin argument SIZE                                          in the order of parameters
 *     piece    ADDRESS  BYTES  KIND  SIZE  NAME              with a number of 32 bits for each
 * block: its page; KIND 0 is the device's memory, 1 managed, 2 the host's, 3 the variable NAME
 *     taken    CALL  N  MODULE  DEVICE  STREAM  GX GY GZ  BX BY BZ  CX CY CZ  SHARED  COOPERATIVE
 *              KERNEL                                        the Nth launch of the kernel; STREAM
 * is its handle, and C the groups of a cluster, 0 as the code says left     CALL  N  WHY  KERNEL
 * ... was wanted, and could not be taken undone   CALL                                          the
 * driver refused that launch
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_RECORD_H
#define PIPESIM_LATENCY_BENCH_PROFILE_RECORD_H

#include <stddef.h>

#define PS_RECORD_MAGIC "pipesim-profile"
#define PS_RECORD_VERSION "1"

/* How pipesim passes orders to the library. */
#define PS_PROFILE_FOLDER "PIPESIM_PROFILE_FOLDER"
#define PS_PROFILE_PHASE "PIPESIM_PROFILE_PHASE"     /* times, counters or contents */
#define PS_PROFILE_METRICS "PIPESIM_PROFILE_METRICS" /* see ps_counters_begin */
#define PS_PROFILE_WANTED "PIPESIM_PROFILE_WANTED"   /* a file: see ps_contents_begin */
#define PS_PROFILE_BYTES "PIPESIM_PROFILE_BYTES"     /* at most so many in pages */

/* Bytes of a block; the last one of a piece may have less. */
#define PS_RECORD_BLOCK 16384

/* The reason why launches are left out when the pages have as many bytes as allowed. */
#define PS_RECORD_TOO_LARGE "the recording would have more memory than it may"

/* FAILURES: "cupti" nothing can be measured, "privileges" counters are forbidden, "counters" they
 * fail otherwise, "lost" some launches are not in the file, "variable" its place is not known. */

/* Opens the process's file in the folder, and writes its first line. -1 if that fails. */
int ps_record_open(const char *folder, const char *phase);

/* Writes a line; a text's tabs and line ends must have become blanks (ps_record_clean). */
void ps_record_line(int file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a line that is made already, its line end included. */
void ps_record_put(int file, const char *line, size_t length);

/* A copy of text without control characters, cut to size bytes; "?" for NULL. Returns copy. */
char *ps_record_clean(const char *text, char *copy, size_t size);

#endif
