/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a kernel is launched with: groups, threads, and a value for each parameter.
 *
 * Since: 0.1
 */
#ifndef PIPESIM_PTX_RUN_LAUNCH_H
#define PIPESIM_PTX_RUN_LAUNCH_H

#include "ptx/ptx.h"

G_BEGIN_DECLS

/* A buffer's bytes that are made when the first of their block is touched. The caller's. */
#define PS_PTX_BLOCK 65536

/* Memory of the device whose blocks are filled when they are first touched. */
typedef struct {
    guint8 *made; /* for each block of PS_PTX_BLOCK bytes, from the first on, whether it is there */
    void (*make)(gpointer data, gsize block); /* makes it and says so in `made` */
    gpointer data;
} PsPtxBlocks;

/* A buffer whose address is a field of a struct that is passed by value. */
typedef struct {
    const char *name; /* for messages */
    guint64 offset;   /* in the struct */
    guint8 *data;     /* size bytes, read and written; the caller's */
    gsize size;
    PsPtxBlocks *blocks; /* NULL: all bytes are there */
} PsPtxField;

/* The value of one parameter. A buffer's address is passed where data is not NULL; else `bits`, of
 * as many bytes as the parameter has. A parameter of more than 8 bytes (a struct by value) takes
 * `bytes`. */
typedef struct {
    const char *name; /* for messages: what the user called it */
    guint64 bits;
    const guint8 *bytes; /* size bytes of a struct, else NULL */
    guint8 *data;        /* a buffer of size bytes, read and written; the caller's */
    gsize size;
    PsPtxBlocks *blocks; /* of the buffer; NULL: all its bytes are there */
    guint n_fields;      /* of a struct: addresses that replace what bytes or bits have there */
    const PsPtxField *fields;
} PsPtxArgument;

/* What is launched: a kernel with its arguments, on a grid. */
typedef struct {
    const PsPtxFunction *kernel;
    guint grid[3], block[3]; /* groups, and threads per group, in x, y, z */
    guint64 dynamic_shared;  /* bytes */
    guint n_arguments;       /* one per parameter of the kernel */
    const PsPtxArgument *arguments;
    guint64 most_instructions; /* warp instructions per group; 0: 10^9 */
    const char *most_name;     /* for messages: what the user calls that, or NULL; borrowed */
    const char *shared_name;   /* likewise: dynamic_shared */
} PsPtxLaunch;

G_END_DECLS
#endif
