/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts that shards of a sweep made (PsSweepAsked.shard), joined to the CSV that one sweep
 * would have written. Every part is read row by row, all at the same time, so that memory does not
 * grow with the points; each point must be there once, in its place, and of the same sweep.
 */
#ifndef PIPESIM_SWEEP_MERGE_H
#define PIPESIM_SWEEP_MERGE_H

#include "base/progress.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* All is borrowed. */
typedef struct {
    char **files;                                     /* of the parts; NULL ends them */
    gboolean (*begin)(gpointer data, GError **error); /* the parts fit: rows will be put */
    gboolean (*put)(const char *text, gpointer data, GError **error); /* takes a row */
    gpointer data;                                                    /* of both */
    const char *prefix; /* of options' names in messages: "--" */
    PsHearer hearer;    /* ends it */
} PsSweepMerge;

/* Joins them. All are open at once. FALSE and *error (PS_ERROR_READ, _SYNTAX, _VALUE) for a file
 * that is no part, or is not all there, and for parts that are not all of one sweep; what begin and
 * put say; PS_ERROR_CANCELLED. */
gboolean ps_sweep_merge(const PsSweepMerge *merge, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
