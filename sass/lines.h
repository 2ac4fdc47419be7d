/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines of the source, and of the PTX, from which machine instructions were made. Compilers
 * write them with -lineinfo.
 */
#ifndef PIPESIM_SASS_LINES_H
#define PIPESIM_SASS_LINES_H

#include "ptx/ptx.h"
#include "sass/image.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The lines of an instruction; a line is 0 if it is not known. */
typedef struct {
    guint file; /* number among the files of the lines, from 1; 0: none */
    int line, ptx_line;
    guint call; /* number among the calls of the lines: the call by which its function was inlined;
                   0: none */
    gboolean near; /* it has no line of its own: this is the line of what stands before it */
} PsSassPlace;

/* A call by which a function was inlined. */
typedef struct {
    guint file;
    int line;
    guint call; /* always an earlier one: the call by which the function around it was inlined;
                   0: none */
} PsSassCall;

typedef struct {
    GPtrArray *files; /* names, as the compiler has them: "src/mmul.cu" */
    guint n;
    PsSassPlace *places; /* of each instruction */
    GArray *calls;       /* PsSassCall; the first is none */
} PsSassLines;

/* The lines of a kernel of the image. Where tables are damaged, they end: nothing is an error. */
PsSassLines *ps_sass_lines_new(const PsSassImage *image, const PsSassKernel *kernel);
void ps_sass_lines_free(PsSassLines *lines);

/* The files that the image's kernels were compiled from, with headers, as far as its line table
 * tells: names as the compiler has them, each once. Free with g_ptr_array_unref. `stamps`, unless
 * NULL, gets the state of these files at that time: by copies of their names a PsPtxStamp each,
 * g_free. */
GPtrArray *ps_sass_files(const PsSassImage *image, GHashTable *stamps);

/* An instruction's place in the file of that name without folders (or NULL): its own, or that of
 * the innermost call in this file by which it was inlined; if no call is in the file, that of the
 * outermost. */
PsSassPlace ps_sass_place_in(const PsSassLines *lines, guint instruction, const char *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSassLines, ps_sass_lines_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
