/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which lines of the source, and of the PTX, machine instructions were made of: what compilers
 * write where they are asked to (-lineinfo).
 */
#ifndef PIPESIM_SASS_LINES_H
#define PIPESIM_SASS_LINES_H

#include "sass/image.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Of an instruction; a line is 0 where it is not known. */
typedef struct {
    guint file; /* of the lines' files, from 1; 0: none */
    int line, ptx_line;
} PsSassPlace;

typedef struct {
    GPtrArray *files; /* names, as the compiler has them: "src/mmul.cu" */
    guint n;
    PsSassPlace *places; /* of each instruction */
} PsSassLines;

/* Of a kernel of the image. Where tables are damaged, they end: nothing is an error. */
PsSassLines *ps_sass_lines_new(const PsSassImage *image, const PsSassKernel *kernel);
void ps_sass_lines_free(PsSassLines *lines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSassLines, ps_sass_lines_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
