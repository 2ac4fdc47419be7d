/* SPDX-License-Identifier: BSD-3-Clause */
/* printf in kernels: a format, and its arguments as they lie in a thread's memory. */
#ifndef PIPESIM_PTX_RUN_PRINT_H
#define PIPESIM_PTX_RUN_PRINT_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

/* A lane's call. The addresses are generic ones. */
typedef struct {
    guint lane;
    guint64 format;
    guint64 arguments; /* each at a multiple of its size; 0: there are none */
} PsPtxPrint;

/* Appends the text to the launch's `printed`. Returns the number of arguments that the format
 * takes, as devices do; -1: there is no format. A conversion whose argument lies in no memory, or
 * that C does not know, stays as it is written. A format or string that lies in no memory sets the
 * warp's error. */
gint ps_ptx_print(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxPrint *print);

G_END_DECLS
#endif
