/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of a file or a folder, with their needs of a GPU: the assembler's figures, which no
 * launch changes.
 */
#ifndef PIPESIM_GATE_SET_H
#define PIPESIM_GATE_SET_H

#include "code/options.h"
#include "gpu/next-step.h"
#include "sass/mix.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The figures by which kernels are compared, in the order of tables and facts. */
typedef enum {
    PS_GATE_REGISTERS,    /* of a thread */
    PS_GATE_STACK,        /* bytes of a thread's stack */
    PS_GATE_LOCAL,        /* instructions that access a thread's own memory */
    PS_GATE_SHARED,       /* bytes that a group shares, as far as the code states them */
    PS_GATE_INSTRUCTIONS, /* in the code, without padding */
    PS_GATE_OCCUPANCY,    /* share of a compute unit's warps */
    PS_GATE_CONFLICTS,    /* passes that bank conflicts add in launches; NaN: none is known */
    PS_GATE_TIME,         /* seconds of these */
    PS_GATE_N_FIGURES
} PsGateFigure;

/* "registers", as facts and options name it; static. */
const char *ps_gate_figure_name(PsGateFigure figure);

/* The cause of a longer time of a kernel's launches. */
typedef struct {
    double seconds; /* by so many */
    char *words, *file;
    gint64 line;
} PsGateSlow;

typedef struct {
    const PsSassImage *image;
    const PsSassKernel *kernel;
    const char *file;                  /* its path from the folder; otherwise as given */
    double figures[PS_GATE_N_FIGURES]; /* NaN: not known */
    PsSassMix mix;
    gint64 group_size; /* threads of a group for which the occupancy is; 0: unknown */
    gint64 groups;     /* groups of that size that a compute unit holds; 0: unknown */
    guint limited_by;  /* PsLimitBits: what allows no more */
    PsNextStep next;   /* the step to more warps at once; groups is 0: there is none */
    double slower;     /* per cent by which its launches may become slower; NaN: no limit */
    PsGateSlow slow;
    char *cannot_start; /* why not even one group fits; NULL: one does, or it is unknown */
} PsGateKernel;

typedef struct {
    char *path;
    GPtrArray *kernels;  /* PsGateKernel, by name and architecture */
    GPtrArray *warnings; /* texts: files that were left out, and why */
    GPtrArray *images, *files;
} PsGateSet;

typedef struct {
    const PsCodeOptions *code;
    const PsGpu *gpu;  /* GPU for the choice of code and for occupancy; NULL: none */
    gint64 group_size; /* threads of a group, for kernels that do not state them; 0: unknown */
} PsGateReading;

/* Reads a file (code/cubins-of.h), or all of a folder and of folders in it: what has machine code,
 * or where nothing has any, its PTX and CUDA sources. Hidden folders and links stay out. NULL and
 * *error: it cannot be read, or there is no kernel (PS_ERROR_READ); what one file lacks is an error
 * for the whole. */
PsGateSet *ps_gate_set_new(const PsGateReading *reading, const char *path, GError **error);
void ps_gate_set_free(PsGateSet *set);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsGateSet, ps_gate_set_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
