/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the loads of iterations at once that run together. See copies.h. */
#include "lift/memory/copies.h"

#include "lift/memory/joins.h"

#include <string.h>

/* Registers have settled after so many iterations, unless each needs the one before. */
#define PASSES 3

typedef struct {
    const PsPtxCode *code;
    PsCopy *copies;
    guint *of;    /* [register]: chain of loads that it follows from */
    guint *under; /* [point]: the same for its conditions */
    guint loop, most;
    gboolean changed;
} Body;

static gboolean is_list(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST;
}

static guint of_register(const Body *body, const PsPtxPoint *at, gint reg)
{
    return reg >= 0 ? body->of[ps_ptx_code_register(at, reg)] : 0;
}

static guint of_operand(const Body *body, const PsPtxPoint *at, const PsPtxOperand *operand)
{
    guint most = 0;
    for (guint i = 0; is_list(operand) && i < operand->n_members; i++)
        most = MAX(most, of_operand(body, at, &operand->members[i]));
    if (operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS)
        most = MAX(most, of_register(body, at, operand->reg));
    return most;
}

static void set_operand(Body *body, const PsPtxPoint *at, const PsPtxOperand *operand, guint of)
{
    for (guint i = 0; is_list(operand) && i < operand->n_members; i++)
        set_operand(body, at, &operand->members[i], of);
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        body->of[ps_ptx_code_register(at, operand->reg)] = of;
}

/* Instructions between a branch and the meeting of its lanes wait for its condition. */
static void set_under(Body *body, guint point, guint of)
{
    const PsPtxPoint *at = &body->code->points[point];
    if (strcmp(at->instruction->mnemonic->opcode, "bra") != 0 || at->meet == PS_PTX_NOWHERE)
        return;
    for (guint p = point + 1; p < at->meet; p++)
        body->under[p] = MAX(body->under[p], of);
}

static void pass(Body *body, guint point)
{
    const PsPtxPoint *at = &body->code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const guint n_to = ps_ptx_n_destinations(instruction);
    guint of = MAX(body->under[point], of_register(body, at, instruction->guard));
    for (guint i = n_to; i < instruction->n_operands; i++)
        of = MAX(of, of_operand(body, at, &instruction->operands[i]));
    set_under(body, point, of);
    const gboolean load = ps_joins_is_load(instruction->mnemonic);
    if (load) {
        body->changed = body->changed || body->copies[point].wave != of;
        body->copies[point].wave = of;
        body->most = MAX(body->most, of);
    }
    for (guint i = 0; i < n_to; i++)
        set_operand(body, at, &instruction->operands[i], of + load);
}

static gboolean is_in(const PsPtxCode *code, guint point, guint loop)
{
    return code->points[point].loop == loop;
}

/* TRUE if the next iteration's loads may come before everything in this one. Nothing writes data of
 * the read-only path. */
static gboolean is_free(const PsPtxCode *code, guint loop)
{
    gboolean writes = FALSE, only = TRUE;
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxMnemonic *mnemonic = code->points[p].instruction->mnemonic;
        if (!is_in(code, p, loop))
            continue;
        if (ps_joins_orders(mnemonic))
            return FALSE;
        writes = writes || ps_joins_writes(mnemonic);
        only = only && (!ps_joins_is_load(mnemonic) || ps_ptx_has(mnemonic, "nc"));
    }
    return !writes || only;
}

/* FALSE if each iteration's loads need those of the one before. */
static gboolean find_waves(Body *body)
{
    for (guint i = 0; i < PASSES; i++) {
        body->changed = FALSE;
        for (guint p = 0; p < body->code->n_points; p++)
            if (is_in(body->code, p, body->loop))
                pass(body, p);
    }
    return !body->changed;
}

/* Instructions that are no loads come after all loads. */
static void set_loop(Body *body, guint at_once)
{
    for (guint p = 0; p < body->code->n_points; p++) {
        if (!is_in(body->code, p, body->loop))
            continue;
        PsCopy *copy = &body->copies[p];
        copy->loop = body->loop;
        copy->at_once = MIN(at_once, PS_COPIES_MOST);
        if (!ps_joins_is_load(body->code->points[p].instruction->mnemonic))
            copy->wave = body->most + 1;
    }
}

PsCopy *ps_copies_new(const PsPtxCode *code, const guint *unrolled)
{
    PsCopy *copies = g_new0(PsCopy, MAX(code->n_points, 1));
    g_autofree guint *of = g_new(guint, MAX(code->n_registers, 1));
    g_autofree guint *under = g_new0(guint, MAX(code->n_points, 1));
    for (guint p = 0; p < code->n_points; p++)
        copies[p] = (PsCopy){.loop = PS_PTX_NOWHERE, .point = p};
    for (guint l = 0; l < code->n_loops; l++) {
        Body body = {.code = code, .copies = copies, .of = of, .under = under, .loop = l};
        memset(of, 0, code->n_registers * sizeof(guint));
        if (unrolled[l] > 1 && is_free(code, l) && find_waves(&body))
            set_loop(&body, unrolled[l]);
    }
    return copies;
}
