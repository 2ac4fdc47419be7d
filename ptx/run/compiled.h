/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's code that is compiled for this processor once it was executed for a while. All
 * machines of the kernel's launches share it. Groups whose instructions somebody listens to are
 * executed step by step, as are kernels of machine code, clusters, and instructions that are
 * watched (watch.h). A warp whose registers were all written has code without watches.
 */
#ifndef PIPESIM_PTX_RUN_COMPILED_H
#define PIPESIM_PTX_RUN_COMPILED_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct PsPtxCompiled PsPtxCompiled;

/* A kernel is compiled after so many executed warp instructions for each point of its code, so that
 * small launches never wait for it. The compiled code outlives its launches. */
PsPtxCompiled *ps_ptx_compiled_new(guint64 after);
void ps_ptx_compiled_free(PsPtxCompiled *compiled);

/* How many executed warp instructions take about as long as compiling a point. */
#define PS_PTX_COMPILED_AFTER 20000

/* Is not 0 once compiled code has executed something. */
guint64 ps_ptx_compiled_executed(const PsPtxCompiled *compiled);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPtxCompiled, ps_ptx_compiled_free)

G_END_DECLS
#endif
