/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CSV of a sweep that grows row by row, and can be gone on with wherever it was cut off. What is
 * there already is compared with the points of this sweep; only when all of it fits is the file
 * changed: a row without an end is taken off, and what is missing follows.
 */
#ifndef PIPESIM_SWEEP_RESUME_H
#define PIPESIM_SWEEP_RESUME_H

#include "sweep/csv.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsSweepResume PsSweepResume;

/* Opens the file, which is made where there is none, and compares its header. Path and csv are
 * borrowed. NULL and *error where it is of another sweep, no plain file, or in use. */
PsSweepResume *ps_sweep_resume_open(const char *path, const PsSweepCsv *csv, GError **error);
void ps_sweep_resume_free(PsSweepResume *resume);

typedef enum {
    PS_SWEEP_RESUME_THERE,
    PS_SWEEP_RESUME_FAILED,  /* the row is there, and says that the point failed */
    PS_SWEEP_RESUME_MISSING, /* neither this row nor one behind it is there */
    PS_SWEEP_RESUME_ERROR,   /* another row is there */
} PsSweepResumeState;

/* Compares the next row with this point, which comes after those that were there before. */
PsSweepResumeState ps_sweep_resume_next(PsSweepResume *resume, const PsSweepPoint *point,
                                        GError **error);

/* After the last point: whether the file ends here, too; what a power cut has left behind its last
 * row is taken off. FALSE and *error where it goes on. */
gboolean ps_sweep_resume_end(PsSweepResume *resume, GError **error);

/* The path, borrowed. */
const char *ps_sweep_resume_path(const PsSweepResume *resume);

/* Whether the header is there. */
gboolean ps_sweep_resume_has_header(const PsSweepResume *resume);

/* Cuts off what is no whole row: the file, which stands behind its last row (fclose). NULL and
 * *error where that fails. */
FILE *ps_sweep_resume_stream(PsSweepResume *resume, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepResume, ps_sweep_resume_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
