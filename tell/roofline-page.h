/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels on GPUs by the quantitative roofline, for people: a table of them all; a kernel alone on
 * one GPU has a page with every value on the way to its time. Kernels come in order, one at a time.
 */
#ifndef PIPESIM_TELL_ROOFLINE_PAGE_H
#define PIPESIM_TELL_ROOFLINE_PAGE_H

#include "tell/paper.h"
#include "tell/roofline-kernel.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Members are the page's own; the first three are given. */
typedef struct {
    PsPaper paper;
    const GArray *gpus; /* PsRooflineGpu, borrowed */
    gboolean apart;     /* TRUE: kernels are single launches, maybe very many */
    GPtrArray *held;    /* PsRooflineKernel that are not yet written */
    guint written;      /* tables so far */
    GHashTable *files;  /* of each kernel's name the path of its file; "" of names in several */
    double seconds;     /* the sum of the measured times of all kernels so far */
    guint64 others;     /* kernels that take less time than those on the page */
    gboolean is_measured, is_half_known; /* some kernel in them */
} PsRooflinePage;

void ps_roofline_page_init(PsRooflinePage *page, PsPaper paper, const GArray *gpus, gboolean apart);
void ps_roofline_page_clear(PsRooflinePage *page);

/* A kernel of that name is to come from that file: tables tell names of several files apart. */
void ps_roofline_page_expect(PsRooflinePage *page, const char *path, const char *name);

/* Adds the next kernel. The caller may take text from the paper after it. */
void ps_roofline_page_kernel(PsRooflinePage *page, PsRooflineKernel *kernel);
void ps_roofline_page_end(PsRooflinePage *page, const GPtrArray *warnings);

/* The page of one kernel on one GPU. */
void ps_roofline_page_one(PsRooflineKernel *kernel, const GArray *gpus, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
