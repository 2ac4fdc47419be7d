/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far the program is, and how long it will still take, on standard error: only on a terminal,
 * and only when it has worked for a second. A thread draws the line (line.h), whatever this one is
 * busy with.
 */
#ifndef PIPESIM_CLI_SYSTEM_PROGRESS_H
#define PIPESIM_CLI_SYSTEM_PROGRESS_H

#include "pipesim-private.h"

typedef struct Progress Progress;

/* From now on the program works; "working" is all that is known of it. shows: a line may say so,
 * else none ever does. */
Progress *progress_new(gboolean shows);
void progress_free(Progress *progress);

/* What begins now, such as "compiling", "mmul.cu"; the latter may be NULL, and both where it has no
 * name. progress may be NULL, here and below. */
void progress_begin(Progress *progress, const char *what, const char *name);

/* For the library's work, of which a line says how far it is (PsHearer). */
PsHearer progress_hearer(Progress *progress);

#endif
