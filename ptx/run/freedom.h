/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out from a kernel's code which other launches do the same work: where a thread uses nothing
 * of its place but its number in the whole grid, groups may be of any size.
 */
#ifndef PIPESIM_PTX_RUN_FREEDOM_H
#define PIPESIM_PTX_RUN_FREEDOM_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* What ties the threads of a group together. */
typedef enum {
    PS_PTX_TIE_NONE,
    PS_PTX_TIE_INDEX,   /* in this direction a thread's or group's number, or how many there are, is
                           used in another way than as ctaid * ntid + tid or nctaid * ntid */
    PS_PTX_TIE_BARRIER, /* threads wait for each other */
    PS_PTX_TIE_SHARED,  /* they share the group's own memory */
    PS_PTX_TIE_WARP,    /* those of a warp exchange values */
    PS_PTX_TIE_SIZE,    /* the kernel requires groups of one size */
    PS_PTX_TIE_UNKNOWN  /* the code is too large to tell */
} PsPtxTieKind;

/* The freedom in one direction. */
typedef struct PsPtxFreedom {
    PsPtxTieKind tie; /* NONE: groups may be of any size, as long as the number of threads is the
                         same, and each thread does the same */
    guint point;      /* point of the code that shows the tie first; PS_PTX_NOWHERE: none does */
    gboolean counted; /* the kernel asks for the number of groups, so that fewer may do the work of
                         more */
} PsPtxFreedom;

/* The freedom in x, y and z. In machine code so many bytes of the group's memory are the system's,
 * not the kernel's. The time grows with points times registers. */
void ps_ptx_freedom(const PsPtxCode *code, guint64 system, PsPtxFreedom freedom[3]);

G_END_DECLS

#endif
