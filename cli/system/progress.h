/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's progress and remaining time on standard error: only on a terminal, and only after a
 * second of work. A thread draws the line (line.h), whatever the main thread is busy with.
 */
#ifndef PIPESIM_CLI_SYSTEM_PROGRESS_H
#define PIPESIM_CLI_SYSTEM_PROGRESS_H

#include "pipesim-private.h"

typedef struct Progress Progress;

/* Begins with the word "working". shows: a line may be drawn; otherwise none ever is. */
Progress *progress_new(gboolean shows);
void progress_free(Progress *progress);

/* Names the work that begins, such as "compiling", "mmul.cu"; the latter may be NULL, and both if
 * it has no name. progress may be NULL, here and below. */
void progress_begin(Progress *progress, const char *what, const char *name);

/* For the library's work, of which a line says how far it is (PsHearer). */
PsHearer progress_hearer(Progress *progress);

#endif
