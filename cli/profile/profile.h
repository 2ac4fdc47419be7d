/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the verb profile. A program is run once for its launches and their times, and once
 * for counters, since counting makes kernels run again and again and disturbs their times:
 *
 *     profile.c  options
 *     child.c    runs a program as if the shell had started it
 *     cuda.c     CUDA: runs it under our injected library (latency-bench/profile)
 *     hip.c      HIP: drives AMD's profilers
 *
 * What is read of that, joined, said and written is the library's (profile/).
 */
#ifndef PIPESIM_CLI_PROFILE_PROFILE_H
#define PIPESIM_CLI_PROFILE_PROFILE_H

#include "cli/system/output.h"
#include "pipesim-private.h"

typedef struct {
    const char *output; /* path, "-" for standard output */
    gboolean counters, use_ncu;
    const char *record;   /* path of a recording; NULL: none is wanted ... */
    const char *launches; /* ... which of them, as "12,20..30"; NULL: the first ones of each kind */
    guint64 memory;       /* ... and the most bytes of memory that it has */
    char **command;       /* NULL-terminated */
} ProfileOptions;

/* The backends. They return the exit status: the command's own, where it ran. */
int profile_cuda(const ProfileOptions *options);
int profile_hip(const ProfileOptions *options);

#endif
