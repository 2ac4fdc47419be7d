/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms of PTX instructions: the parts behind an opcode, types of operands, and the oldest
 * .target that has them, as the PTX ISA states it and NVIDIA's assembler demands it.
 */
#ifndef PIPESIM_PTX_FORM_H
#define PIPESIM_PTX_FORM_H

#include "ptx/instruction.h"

G_BEGIN_DECLS

typedef struct {
    const char *opcode;
    const char *operands; /* a letter for each; form-table.c explains them */
    guint target;         /* 80: .target sm_80 or later; 0: any */
    const char *parts;    /* parts that may stand behind the opcode; NULL: any */
    const char *types;    /* for each type in turn the allowed ones, with | between; NULL: types are
                             among the parts */
} PsPtxForm;

extern const PsPtxForm ps_ptx_forms[];
extern const guint ps_ptx_n_forms;

/* The form of that spelling; NULL: no form of the opcode has these parts. */
const PsPtxForm *ps_ptx_form(const PsPtxMnemonic *mnemonic);

/* Why an assembler would not take the instruction, whose form is given, as a sentence without an
 * end (g_free); NULL: it would. */
char *ps_ptx_form_wrong(const PsPtxForm *form, const PsPtxFunction *function,
                        const PsPtxInstruction *instruction);

/* The module's .target: 90 of "sm_90a"; 0: none. */
guint ps_ptx_target(const PsPtxModule *module);

/* The reason why the module's target does not have a spelling yet, in the same words; NULL: it
 * has. */
char *ps_ptx_form_too_new(const PsPtxForm *form, const PsPtxModule *module,
                          const PsPtxMnemonic *mnemonic);

G_END_DECLS
#endif
