/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search for uses. uses.c follows values through the code, uses-note.c notes what they are used
 * for. Nothing is noted before `notes`, when values have settled.
 */
#ifndef PIPESIM_PTX_RUN_USES_PRIVATE_H
#define PIPESIM_PTX_RUN_USES_PRIVATE_H

#include "ptx/code/walk.h"
#include "ptx/run/uses-value.h"
#include "ptx/run/uses.h"
#include "ptx/run/values.h"

#include <string.h>

/* Most threads of a group. */
#define PS_USE_MOST_BLOCK 1024

typedef struct {
    const PsPtxCode *code;
    guint64 dynamic; /* bytes of shared memory that the launch adds */
    PsValues values; /* PsUseValue; 0 is for code that no way has reached */
    PsPtxWalk walk;  /* follows numbers of values */
    guint64 shared;  /* pointers whose memory was copied into shared memory or a thread's own */
    gboolean grows;  /* `shared` has grown */
    PsPtxUses *uses;
    gboolean notes; /* uses are noted now */
    /* for direction d, bit b: some thread reaches a place b places behind its own, too */
    guint64 behind[3][PS_USE_MOST_BLOCK / 64];
} PsUseSearch;

static inline const PsPtxVariable *ps_use_param(const PsUseSearch *search, guint p)
{
    return search->code->kernel->params->pdata[p];
}

static inline gboolean ps_use_is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

/* The parameters that an address begins at; of several, those that the code says to be
 * addresses. */
guint64 ps_use_bases(const PsUseSearch *search, const PsUseValue *address);

/* TRUE if the address in operand i, without a named space, may lie in global memory. */
gboolean ps_use_is_global(const PsPtxInstruction *instruction, guint i);

/* Notes a comparison of a place with a number, or of a value without a place. In a loop that value
 * may be a constant that a counter comes down to. */
void ps_use_note_comparison(PsUseSearch *search, guint point, const PsUseValue *place,
                            const PsUseValue *number);

/* Notes a product: the number of a row is multiplied by the length of rows, that of a plane by its
 * rows. */
void ps_use_note_product(PsUseSearch *search, const PsUseValue *place, const PsUseValue *number);

/* Notes the threads of a group, from the distance between groups of a fixed size. */
void ps_use_note_block(PsUseSearch *search, const PsUseValue *sum);

/* Notes a place that lies a number of places behind a thread's, in groups of a fixed size. */
void ps_use_note_behind(PsUseSearch *search, const PsUseValue *place, const PsUseValue *by);

/* Finds the threads of a group where each thread has several of the group's places, one after
 * another: the number of threads is the distance between two places of one thread. Neighbours that
 * a stencil reads do not form such a row. */
void ps_use_settle_block(const PsUseSearch *search, guint d);

/* Notes the address in operand i: what it begins at, and what was loaded to make it. */
void ps_use_note_access(PsUseSearch *search, guint point, guint i, const PsUseValue *address);

/* Notes the guard of an instruction, which was loaded from where these parameters point. */
void ps_use_note_guard(PsUseSearch *search, guint point, guint64 loaded);

/* Notes that arithmetic of fractions reads the value: its parameter is a fraction, if the value is
 * that parameter as it was passed. */
void ps_use_note_fraction(PsUseSearch *search, const PsUseValue *value);

#endif
