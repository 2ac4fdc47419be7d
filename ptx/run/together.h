/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes all groups of a launch, by the threads of a process that may be spared for it. */
#ifndef PIPESIM_PTX_RUN_TOGETHER_H
#define PIPESIM_PTX_RUN_TOGETHER_H

#include "ptx/run/run.h"

G_BEGIN_DECLS

/* The threads that execute them, and the listeners. */
typedef struct {
    guint threads; /* at most so many; groups that do not stand apart (apart.h), or have little to
                      do, are executed one after another by the caller alone */
    /* The listener of a group, whose number counts x first; NULL: it has none. Called by all
     * threads. The listener is used by one of them. NULL: nobody listens. */
    const PsPtxListener *(*listener)(gpointer data, guint64 group);
    gpointer data;
    guint64 enough; /* accesses of memory of a group, by warps: soon after so many its listener
                       hears nothing more of it; 0: it hears all */
} PsPtxCrew;

/* The outcome. It does not depend on the number of threads, unless groups race. */
typedef struct {
    guint64 warps, threads; /* instructions of these; 0 if a group failed */
    PsPtxFault fault;       /* why a group failed: the first that did */
    GPtrArray *warnings;    /* char *, as those of a machine; g_ptr_array_unref */
    guint crew;             /* the number of threads; 0: it could not begin */
} PsPtxDone;

/* FALSE and *error: as ps_ptx_machine_new, and as ps_ptx_run_group for the first group that fails.
 * Others behind it may have been executed then. *done is always set. */
gboolean ps_ptx_run_all(const PsPtxModule *module, const PsPtxLaunch *launch, const PsPtxCrew *crew,
                        PsPtxDone *done, GError **error);

G_END_DECLS

#endif
