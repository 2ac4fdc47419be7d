/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/hand-code.h"

#include <string.h>

/* The instruction of that name, without operands; one piece of memory for all that it needs but
 * the texts. */
typedef struct {
    PsPtxInstruction instruction;
    PsPtxMnemonic mnemonic;
    char **parts;
} HandInstruction;

static PsPtxSpace space_of(const char *part)
{
    for (PsPtxSpace space = PS_PTX_GLOBAL; space < PS_PTX_N_SPACES; space++)
        if (!strcmp(part, ps_ptx_space_name(space)))
            return space;
    return PS_PTX_GENERIC;
}

static const PsPtxInstruction *instruction_new(const char *text)
{
    HandInstruction *hand = g_new0(HandInstruction, 1);
    hand->parts = g_strsplit(text, ".", -1);
    hand->mnemonic.text = text;
    hand->mnemonic.opcode = hand->parts[0];
    hand->mnemonic.parts = (const char *const *)(gpointer)(hand->parts + 1);
    for (guint i = 1; hand->parts[i] && hand->mnemonic.space == PS_PTX_GENERIC; i++)
        hand->mnemonic.space = space_of(hand->parts[i]);
    hand->instruction.mnemonic = &hand->mnemonic;
    hand->instruction.guard = -1;
    return &hand->instruction;
}

PsPtxCode *hand_code(const HandPoint *points, guint n_points, const PsPtxLoop *loops, guint n_loops)
{
    PsPtxCode *code = g_new0(PsPtxCode, 1);
    code->n_points = n_points;
    code->points = g_new0(PsPtxPoint, n_points);
    for (guint i = 0; i < n_points; i++) {
        code->points[i].instruction = instruction_new(points[i].mnemonic);
        code->points[i].target = points[i].target;
        code->points[i].meet = NOWHERE;
        code->points[i].loop = points[i].loop;
    }
    code->n_loops = n_loops;
    code->loops = g_memdup2(loops, n_loops * sizeof(PsPtxLoop));
    return code;
}

void hand_code_free(PsPtxCode *code)
{
    for (guint i = 0; i < code->n_points; i++) {
        HandInstruction *hand = (HandInstruction *)code->points[i].instruction;
        g_strfreev(hand->parts);
        g_free(hand);
    }
    g_free(code->points);
    g_free(code->loops);
    g_free(code);
}
