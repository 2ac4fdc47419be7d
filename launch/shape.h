/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches the same code with the same arguments in another shape: finds numbers of groups and
 * threads that do the same work, and makes the graph of such a launch.
 */
#ifndef PIPESIM_LAUNCH_SHAPE_H
#define PIPESIM_LAUNCH_SHAPE_H

#include "launch/launch.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* In x, y and z. */
typedef struct {
    guint groups[3];
    guint threads[3]; /* of each group */
} PsLaunchShape;

/* Code as it is launched; all borrowed. */
typedef struct PsLaunchCode {
    PsPtxModule *module;         /* the module with the variables to which texts give values */
    const PsPtxFunction *kernel; /* the code with the parameters */
    gboolean outlined; /* the code has parameters alone, since it was made of machine code */
    guint64 system;    /* of machine code: bytes of a group's memory that are the system's */
    PsLaunchTexts texts;
    PsBuildOptions options; /* set up for the launch as it is; its module is what is executed */
} PsLaunchCode;

PsLaunchShape ps_launch_code_shape(const PsLaunchCode *code);

/* The graph of another shape, on fresh arguments, as ps_launch_build gives it; this hearer, not the
 * code's, is told how far it is. NULL and *error. */
PsIdg *ps_launch_code_build(const PsLaunchCode *code, const PsLaunchShape *shape, const PsGpu *gpu,
                            PsHearer hearer, GError **error);

/* The shapes that a launch may have for the same work, as far as known. */
typedef struct PsLaunchFreedom PsLaunchFreedom;

/* Looks at the code alone, at its PTX if there is any, and executes nothing; it borrows the code.
 * NULL and *error as ps_ptx_code_new. */
PsLaunchFreedom *ps_launch_freedom_new(const PsLaunchCode *code, GError **error);
void ps_launch_freedom_free(PsLaunchFreedom *freedom);

/* The limits of direction d (0 to 2) in the code, as ptx/run/freedom.h has them; borrowed. */
typedef struct PsPtxFreedom PsPtxFreedom;
const PsPtxFreedom *ps_launch_freedom_in(const PsLaunchFreedom *freedom, guint d);

/* The place in the code that ties that direction, "FILE:LINE" of the kernel's own file where that
 * is known (g_free); NULL: none. */
char *ps_launch_freedom_where(const PsLaunchFreedom *freedom, guint d);

/* TRUE if the shape does the same work. If it has as many threads in all, that follows from the
 * code. If it has more, or has fewer and the kernel reads the number of groups, some groups of a
 * launch and of one with twice the groups are executed: these must leave the same in all buffers.
 * Groups of more than four million warp instructions are not compared, and such a shape is not
 * allowed. */
gboolean ps_launch_freedom_allows(PsLaunchFreedom *freedom, const PsLaunchShape *shape);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLaunchFreedom, ps_launch_freedom_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
