/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the verb roofline writes its kernels: one table of functions per format. Kernels come in
 * order, one at a time; what is in `out` after each may be written and removed.
 */
#ifndef PIPESIM_CLI_ROOFLINE_FORMAT_H
#define PIPESIM_CLI_ROOFLINE_FORMAT_H

#include "cli/options.h"
#include "pipesim-private.h"

typedef struct {
    GString *out;
    PsPaper paper;      /* the same, for people */
    const GArray *gpus; /* PsRooflineGpu */
    gboolean apart;     /* kernels are single launches, of which there may be very many */
    PsJson json;        /* where JSON is written */
    GPtrArray *held;    /* PsRooflineKernel that text has not yet written */
    guint written;      /* tables so far */
    GHashTable *files;  /* of each kernel's name the path of its file; "" of names in several */
    double seconds;     /* that all kernels together were measured to take, so far */
    guint64 others;     /* kernels that take less time than those that were written */
    gboolean is_measured, is_half_known; /* some kernel in them */
} RooflinePage;

typedef struct {
    void (*begin)(RooflinePage *page);
    void (*kernel)(RooflinePage *page, PsRooflineKernel *kernel);
    void (*end)(RooflinePage *page, const GPtrArray *warnings);
    gboolean says_warnings; /* they are part of what is written */
} RooflineFormat;

/* The paper's out and gpus are borrowed. */
void roofline_page_init(RooflinePage *page, PsPaper paper, const GArray *gpus, gboolean apart);
void roofline_page_clear(RooflinePage *page);

const RooflineFormat *roofline_format(Format format);

/* A kernel of that name is to come from that file: tables tell names of several files apart. */
void roofline_page_expect(RooflinePage *page, const char *path, const char *name);

/* Text is in files of its own: the table of many kernels, and all of one kernel on one GPU. */
void roofline_text_kernel(RooflinePage *page, PsRooflineKernel *kernel);
void roofline_text_end(RooflinePage *page, const GPtrArray *warnings);
void roofline_text_one(const PsRooflineKernel *kernel, const PsRooflineGpu *on,
                       const PsPaper *paper);

#endif
