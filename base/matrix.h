/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What classes of matrix products are called: tensor.TYPE.RESULT.sparse.SHAPE, of which a graph and
 * a description may leave out parts from the end. The type is the factors'; docs/build.md has all.
 */
#ifndef PIPESIM_BASE_MATRIX_H
#define PIPESIM_BASE_MATRIX_H

#include "base/error.h"

G_BEGIN_DECLS

/* Elements of a part such as "m16n8k16": rows and columns of the result, and depth. FALSE where it
 * is no shape. */
gboolean ps_matrix_shape(const char *part, guint *m, guint *n, guint *k);

/* FALSE and *error (PS_ERROR_VALUE) where a class of matrix products has a shape that no GPU's
 * instructions have: it would be taken for another shape, and cost what that costs. */
gboolean ps_matrix_check(const char *klass, PsPlace place, GError **error);

G_END_DECLS
#endif
