/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of classes of matrix products: tensor.wgmma.TYPE.RESULT.sparse.held.SHAPE, or
 * tensor.tcgen05.pair.TYPE.RESULT.sparse.held.SHAPE, of which a graph and a description may leave
 * out parts. The part that tells most of the cost comes first, so that a description states as
 * little as its GPU distinguishes; docs/reference/gpus.md has all.
 */
#ifndef PIPESIM_BASE_MATRIX_H
#define PIPESIM_BASE_MATRIX_H

#include "base/message.h"

G_BEGIN_DECLS

typedef struct {
    gboolean wgmma;     /* four warps do it together */
    const char *factor; /* type of the factors, "f16"; NULL: not said */
    const char *result; /* of the result, where the factors leave that open ("f16", "f32"); NULL */
    gboolean sparse;    /* half of a factor is zeros */
    guint m, n, k;      /* rows and columns of the result, and depth; 0: not said */
    gboolean tcgen05;   /* the result is in tensor memory */
    gboolean pair; /* two compute units do it together, each half of its rows (tcgen05 alone) */
    gboolean held; /* the first factor is in registers (wgmma), or in tensor memory, too */
} PsMatrixName;

/* Reads a class's name as a product of matrices; strings are static. FALSE for other classes. */
gboolean ps_matrix_parse(const char *class_name, PsMatrixName *product);

/* The name of that class (g_free). A result that its factors do not leave open is not said. */
char *ps_matrix_write(const PsMatrixName *product);

/* Bits of an element of a factor of that type; 0: no such type, or NULL. */
guint ps_matrix_bits(const char *factor);

/* The numbers of a part such as "m16n8k16", in names of classes and of PTX. FALSE where it is no
 * shape. */
gboolean ps_matrix_shape(const char *part, guint *m, guint *n, guint *k);

/* FALSE and *error (PS_ERROR_VALUE) where a class of matrix products has a shape that no GPU's
 * instructions have: it would be taken for another shape, and cost what that costs. */
gboolean ps_matrix_check(const char *class_name, PsPlace place, GError **error);

G_END_DECLS
#endif
