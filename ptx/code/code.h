/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel as one straight piece of code: calls are expanded in place (each call has a copy of the
 * callee, with registers and parameters of its own), so that what runs, and what graphs are made
 * of, knows neither frames nor returns. A call through a pointer becomes calls of all functions
 * that it may reach (pointers.h). Recursion cannot be expanded: it is an error that says where.
 *
 * Points are numbered from 0 in the order of the text, a callee's in place of its call; flow.c adds
 * what control flow needs: where lanes that part meet again, and the loops.
 */
#ifndef PIPESIM_PTX_CODE_CODE_H
#define PIPESIM_PTX_CODE_CODE_H

#include "ptx/instruction.h"

G_BEGIN_DECLS

#define PS_PTX_NOWHERE G_MAXUINT

/* One copy of a function. */
typedef struct PsPtxInline PsPtxInline;
struct PsPtxInline {
    const PsPtxFunction *function;
    const PsPtxInline *caller; /* NULL: the kernel */
    guint call;                /* point of the call in the code */
    guint first_register;      /* add to the function's own register numbers */
    GHashTable *addresses;     /* PsPtxVariable (.param, .local of this copy) -> offset in the
                                  thread's own memory, as a pointer-sized number; a callee's
                                  parameters are bound to what the caller passes */
};

typedef struct {
    const PsPtxInstruction *instruction;
    const PsPtxInline *in;
    guint target;    /* of bra: a point; of a callee's ret: the point behind the call; else
                        PS_PTX_NOWHERE */
    GArray *targets; /* of brx.idx: guint points, or NULL; owned */
    guint meet; /* of branches: the point where lanes that part meet again, the nearest one that all
                   ways pass (immediate post-dominator); PS_PTX_NOWHERE: at the end */
    guint loop; /* innermost loop that this point lies in, or PS_PTX_NOWHERE */
    gboolean leader; /* begins a basic block */
} PsPtxPoint;

/* A natural loop (of back edges to one header). Inner loops have larger numbers than outer ones. */
typedef struct {
    guint header; /* a point */
    guint parent; /* the loop around it, or PS_PTX_NOWHERE */
    guint depth;  /* 1: outermost */
} PsPtxLoop;

typedef struct {
    const PsPtxModule *module; /* borrowed */
    const PsPtxFunction *kernel;
    guint n_points;
    PsPtxPoint *points;
    guint n_loops;
    PsPtxLoop *loops;
    guint n_registers; /* of all copies */
    gsize
        thread_bytes;  /* bytes of each thread's own memory: .local variables and .param of calls */
    GPtrArray *shared; /* PsPtxVariable in .shared that the kernel and its callees use ... */
    guint64 *shared_at;   /* ... and the offset of each in the group's memory */
    guint64 shared_bytes; /* bytes of the variables that have a size */
    guint64 dynamic_at;   /* offset of the dynamic memory that a launch adds: behind the variables,
                             aligned */
    GPtrArray *inlines;   /* PsPtxInline */
    GPtrArray *looped;    /* PsPtxFunction of this code alone, with loops (swaps.h) and calls
                             (pointers.h) written out ... */
    GPtrArray *texts;     /* ... and PsPtxModule, which their instructions are from */
} PsPtxCode;

/* Expands a kernel. *error (PS_ERROR_VALUE) for recursion, a function
 * without a body (known ones, such as vprintf and malloc, are left as a call point);
 * PS_ERROR_LIMIT for more than 2^22 points. */
PsPtxCode *ps_ptx_code_new(const PsPtxModule *module, const PsPtxFunction *kernel, GError **error);
/* The same, with the loops that assemblers make of atomic operations written out (swaps.h), as
 * machine code has them. */
PsPtxCode *ps_ptx_code_assembled(const PsPtxModule *module, const PsPtxFunction *kernel,
                                 GError **error);
void ps_ptx_code_free(PsPtxCode *code);

/* TRUE if the loop of that number is, or encloses, the innermost loop of the point. A point behind
 * the code's end, or PS_PTX_NOWHERE, is in none. */
gboolean ps_ptx_code_in_loop(const PsPtxCode *code, guint point, guint loop);

/* TRUE if the point's target, or the point behind it, is outside of the loop. */
gboolean ps_ptx_code_may_leave(const PsPtxCode *code, guint point, guint loop);

/* Register number in the code of an operand's or guard's register at this point. */
static inline guint ps_ptx_code_register(const PsPtxPoint *point, gint reg)
{
    return point->in->first_register + (guint)reg;
}

/* The place of a point in the source, "FILE:LINE", or in the PTX text where no .loc tells it; for
 * machine code with its address, "FILE:LINE (at 0x1a0)" or "CUBIN at 0x1a0". Free with g_free. */
char *ps_ptx_code_where(const PsPtxCode *code, guint point);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPtxCode, ps_ptx_code_free)

G_END_DECLS
#endif
