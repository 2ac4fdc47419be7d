/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CSV of a sweep that grows row by row, and can be continued wherever it was cut off. Existing
 * rows are compared with the points of this sweep. Only if all of them fit is the file changed: an
 * incomplete row is removed, and missing rows follow.
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

/* After the last point: checks that the file ends here, too; remains of a power cut behind its last
 * row are removed. FALSE and *error if it goes on. */
gboolean ps_sweep_resume_end(PsSweepResume *resume, GError **error);

/* The path, borrowed. */
const char *ps_sweep_resume_path(const PsSweepResume *resume);

/* Whether the header is there. */
gboolean ps_sweep_resume_has_header(const PsSweepResume *resume);

/* Cuts off an incomplete row and returns the file, behind its last row (fclose). NULL and *error if
 * that fails. */
FILE *ps_sweep_resume_stream(PsSweepResume *resume, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepResume, ps_sweep_resume_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
