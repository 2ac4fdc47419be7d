/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two sets of kernels, one before a change and one after, joined by name and architecture; and
 * which of them need more than is allowed. Nothing is measured or simulated: equal files give equal
 * verdicts.
 */
#ifndef PIPESIM_GATE_GATE_H
#define PIPESIM_GATE_GATE_H

#include "gate/set.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* How much more a kernel may need than before; of the occupancy, how much less it may have. */
typedef struct {
    gboolean limited;
    gboolean in_per_cent; /* in per cent of the earlier value */
    double most;          /* in the figure's unit; of the occupancy a share in per cent */
} PsGateLimit;

/* A kernel; NULL on one side: it is new, or gone. */
typedef struct {
    const PsGateKernel *before, *after;
    gboolean fails[PS_GATE_N_FIGURES];
    gboolean failed;
} PsGatePair;

typedef struct {
    const PsGateSet *before, *after; /* borrowed */
    const PsGpu *gpu;                /* as in both sets; or NULL */
    PsGateLimit limits[PS_GATE_N_FIGURES];
    GPtrArray *pairs; /* PsGatePair that differ, by name and architecture */
    guint n_same, n_failed;
} PsGate;

/* The default limits: no kernel gets more stack or accesses to local memory, and none loses
 * occupancy. */
void ps_gate_limits_init(PsGateLimit limits[PS_GATE_N_FIGURES]);

/* Sets the limit that "registers=4", "instructions=3%" or "occupancy=none" states. The time has no
 * limit here, since launches state their own. FALSE and *error (PS_ERROR_USAGE): there is no such
 * figure, or the limit is no number from 0 on. */
gboolean ps_gate_limit_set(PsGateLimit limits[PS_GATE_N_FIGURES], const char *text, GError **error);

/* Compares two sets, which must outlive the result. */
PsGate *ps_gate_new(const PsGateSet *before, const PsGateSet *after,
                    const PsGateLimit limits[PS_GATE_N_FIGURES], const PsGpu *gpu);
void ps_gate_free(PsGate *gate);

/* The limit of the figure for a kernel after the change; for the time, its launches' own. */
PsGateLimit ps_gate_limit_of(const PsGate *gate, const PsGateKernel *after, PsGateFigure figure);

/* The source line of a kernel's figure: for the stack and local memory the line with most accesses
 * to local memory, otherwise the line with which its code begins. 0: its code has no lines
 * (-lineinfo). *file becomes the compiler's name of the file (g_free), *n the number of such
 * accesses in the line. */
int ps_gate_line(const PsGateKernel *kernel, PsGateFigure figure, char **file, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsGate, ps_gate_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
