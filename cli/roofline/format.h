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
    PsRooflinePage text; /* on the same, for people */
    PsJson json;         /* where JSON is written */
} RooflinePage;

typedef struct {
    void (*begin)(RooflinePage *page);
    void (*kernel)(RooflinePage *page, PsRooflineKernel *kernel);
    void (*end)(RooflinePage *page, const GPtrArray *warnings);
    gboolean says_warnings; /* they are part of what is written */
} RooflineFormat;

/* The paper's out and gpus are borrowed. */
void roofline_page_init(RooflinePage *page, PsPaper paper, const GArray *gpus, gboolean apart);

const RooflineFormat *roofline_format(Format format);

#endif
