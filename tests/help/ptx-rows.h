/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cases of one instruction: its text, its registers, and a function that says what a row of
 * operands gives.
 */
#ifndef PIPESIM_TESTS_HELP_PTX_ROWS_H
#define PIPESIM_TESTS_HELP_PTX_ROWS_H

#include "tests/help/ptx-run.h"

/* in: a row's sources; option: the case's. */
typedef guint64 (*PtxReference)(const guint64 *in, gint option);

typedef struct {
    const char *body;
    const char *to, *from; /* as ptx_run has them; results are in the first destination */
    PtxReference reference;
    gint option;
} PtxCase;

/* Rows of operands for such registers. Free with g_free. */
guint64 *ptx_rows(guint rows, const char *from, guint32 seed);

/* Runs each case on some thousand rows. */
void ptx_check(const PtxCase *cases, gsize n);

#endif
