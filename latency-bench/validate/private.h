/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files around validation share. Internal to the library.
 */
#ifndef PIPESIM_LATENCY_BENCH_VALIDATE_PRIVATE_H
#define PIPESIM_LATENCY_BENCH_VALIDATE_PRIVATE_H

#include "latency-bench/validate.h"

/* The layout of a kernel's work, and the quantity over which its launches vary. */
typedef enum {
    PS_SHAPE_MATRIX,    /* a product of matrices: every occupancy */
    PS_SHAPE_STREAM,    /* through all memory once: occupancies */
    PS_SHAPE_MIX,       /* the same, up to 512 trips */
    PS_SHAPE_VECTOR,    /* an element for each thread: group sizes */
    PS_SHAPE_SUM,       /* through all memory once: group sizes */
    PS_SHAPE_TRANSPOSE, /* sizes of the matrix */
    PS_SHAPE_VOLUME,    /* occupancies */
} PsShape;

typedef struct {
    const char *name;
    const char *graph; /* its text */
    PsShape shape;
    gint64 tile;          /* of a matrix */
    gint64 group_size;    /* threads; 0: varied */
    gint64 local_memory;  /* bytes that a group works in; of a sum it is 4 for each thread */
    const char *defines;  /* for the source */
    const char *piece[2]; /* of the source; the second may be NULL */
    /* Parameters of the graph, as functions of length and step: "size", "8*length". */
    const char *bind[4];
    gboolean untimed;
    PsBenchGrid grids; /* grids up to this one have it; PS_GRID_FULL is the smallest number */
} PsWhole;

/* The table of all kernels. */
const PsWhole *ps_whole_all(guint *n);

#endif
