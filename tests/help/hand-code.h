/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's code written by hand, for who listens to a run without one: points, each with what
 * its instruction is called, its target and its loop.
 */
#ifndef PIPESIM_TESTS_HELP_HAND_CODE_H
#define PIPESIM_TESTS_HELP_HAND_CODE_H

#include "ptx/run/run.h"

#define NOWHERE PS_PTX_NOWHERE

typedef struct {
    const char *mnemonic; /* "ld.global.nc.f32" */
    guint target;         /* a point, or NOWHERE */
    guint loop;           /* innermost, or NOWHERE */
} HandPoint;

/* Loops as in the code, outer ones first. Free with hand_code_free. */
PsPtxCode *hand_code(const HandPoint *points, guint n_points, const PsPtxLoop *loops,
                     guint n_loops);
void hand_code_free(PsPtxCode *code);

#endif
