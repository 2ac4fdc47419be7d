/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CSV of a sweep that grows row by row, and can be gone on with wherever it was cut off. What is
 * there already is compared with the points of this sweep; only when all of it fits is the file
 * changed: a row without an end is taken off, and what is missing follows.
 */
#ifndef PIPESIM_CLI_SWEEP_RESUME_H
#define PIPESIM_CLI_SWEEP_RESUME_H

#include "cli/system/output.h"
#include "cli/sweep/csv.h"

typedef struct Resume Resume;

/* Opens the file, which is made where there is none, and compares its header. Path and csv are
 * borrowed. NULL and *error where it is of another sweep, no plain file, or in use. */
Resume *resume_open(const char *path, const SweepCsv *csv, GError **error);
void resume_free(Resume *resume);

typedef enum {
    RESUME_THERE,
    RESUME_FAILED,  /* the row is there, and says that the point failed */
    RESUME_MISSING, /* neither this row nor one behind it is there */
    RESUME_ERROR,   /* another row is there */
} ResumeState;

/* Compares the next row with this point, which comes after those that were there before. */
ResumeState resume_next(Resume *resume, const Point *point, GError **error);

/* After the last point: whether the file ends here, too; what a power cut has left behind its last
 * row is taken off. FALSE and *error where it goes on. */
gboolean resume_end(Resume *resume, GError **error);

/* Whether the header is there. */
gboolean resume_has_header(const Resume *resume);

/* Cuts off what is no whole row, and goes on behind it. NULL and *error where that fails. */
Output *resume_output(Resume *resume, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Resume, resume_free)

#endif
