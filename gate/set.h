/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of a file or a folder, with what each needs of a GPU: the assembler's figures, which
 * no launch changes.
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
    double seconds; /* so much */
    char *words, *file;
    gint64 line;
} PsGateSlow;

typedef struct {
    const PsSassImage *image;
    const PsSassKernel *kernel;
    const char *file; /* the folder's: its path from there on; else as it was given */
    double figures[PS_GATE_N_FIGURES]; /* NaN: not known */
    PsSassMix mix;
    gint64 group_size; /* threads of a group that the occupancy is for; 0: not known */
    gint64 groups;     /* so many of these a compute unit holds; 0: not known */
    guint limited_by;  /* PsLimitBits: what allows no more */
    PsNextStep next;   /* to more warps at once; groups is 0 where there is none */
    double slower;     /* per cent that its launches may take longer; NaN: it has none */
    PsGateSlow slow;
    char *cannot_start; /* why not even one group fits; NULL: one does, or it is not known */
} PsGateKernel;

typedef struct {
    char *path;
    GPtrArray *kernels;  /* PsGateKernel, by name and architecture */
    GPtrArray *warnings; /* texts: what was left out, and why */
    GPtrArray *images, *files;
} PsGateSet;

typedef struct {
    const PsCodeOptions *code;
    const PsGpu *gpu;  /* its code is taken, and its occupancy told; NULL: nobody asked */
    gint64 group_size; /* threads of a group, where a kernel does not state them; 0: not known */
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
