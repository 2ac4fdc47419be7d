/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compilers make of the kernels, in rows for the page: a row for a family of kernels (all but
 * "-ilp4"), a column for each architecture and language, and in a cell the instructions that are
 * counted, or the number of a problem.
 */
#ifndef PIPESIM_LATENCY_BENCH_CODE_PAGE_ROWS_H
#define PIPESIM_LATENCY_BENCH_CODE_PAGE_ROWS_H

#include "latency-bench/code.h"

G_BEGIN_DECLS

/* An architecture, and the language of the kernels that are compiled for it. */
typedef struct {
    const char *architecture, *backend; /* borrowed */
    char *name;                         /* "sm_90", "gfx90a OpenCL" */
    const char *like; /* the backend of the column before, if that is of the same architecture */
    guint n_right, n_all; /* kernels */
} PsCodeColumn;

typedef struct {
    const char *prefix; /* of options' names in messages */
    PsCodeCompilers *compilers;
    char *disassembler;
    GArray *columns; /* PsCodeColumn */
    GPtrArray *kernels;
    GPtrArray *rows;     /* PsCodeRow */
    GPtrArray *problems; /* PsCodeProblem, in the order in which they came */
    guint n_unread;      /* kernels whose machine code could not be made, or not be read */
    GError *unread;      /* why the first could not, or NULL */
} PsCodeWork;

/* Kernels of one family. */
typedef struct {
    char *name;
    GString *members; /* chains: "1 2 4 8" */
    GString *wanted;  /* instructions of a trip: "64 128 256 512" */
    GPtrArray *cells; /* GPtrArray of char *, what differs, for each column */
} PsCodeRow;

typedef struct {
    char *text;
    GPtrArray *where; /* char *: "hadd-ilp2 on sm_80" */
} PsCodeProblem;

/* No column, row or kernel yet; the prefix is borrowed. ps_code_work_clear frees what it holds. */
PsCodeWork ps_code_work_new(const char *prefix);
void ps_code_work_clear(PsCodeWork *work);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsCodeWork, ps_code_work_clear)

PsCodeColumn *ps_code_column(const PsCodeWork *work, guint i);

/* Compiles the kernel for each column that has it, and adds it to its family's row. What goes wrong
 * becomes a problem. */
void ps_code_work_add(PsCodeWork *work, const PsBenchKernel *kernel);

G_END_DECLS
#endif
