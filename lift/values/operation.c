/* SPDX-License-Identifier: BSD-3-Clause */
/* See operation.h. */
#include "lift/values/operation.h"

#include "base/class-name.h"
#include "lift/values/idiom.h"
#include "lift/values/wide.h"

#include <string.h>

#define MOST_DEPTH 8

/* ---- the same in all threads --------------------------------------------------------------- */

static gboolean is_uniform(const PsFacts *facts, guint point, const PsPtxOperand *operand,
                           int depth);

/* TRUE if a point's result depends on arguments and the launch alone. */
static gboolean makes_uniform(const PsFacts *facts, guint point, int depth)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    if (strcmp(instruction->mnemonic->opcode, "ld") == 0)
        return instruction->mnemonic->space == PS_PTX_PARAM && facts->facts[point].n_from == 0;
    for (guint i = 1; i < instruction->n_operands; i++)
        if (!is_uniform(facts, point, &instruction->operands[i], depth))
            return FALSE;
    return facts->facts[point].class.kind == PS_CLASS_COMPUTE && instruction->guard < 0;
}

static gboolean is_uniform(const PsFacts *facts, guint point, const PsPtxOperand *operand,
                           int depth)
{
    if (operand->kind == PS_PTX_OPERAND_SPECIAL)
        return (operand->value >= PS_PTX_NTID_X && operand->value <= PS_PTX_NTID_Z) ||
               (operand->value >= PS_PTX_NCTAID_X && operand->value <= PS_PTX_NCTAID_Z);
    if (operand->kind != PS_PTX_OPERAND_REGISTER)
        return operand->kind == PS_PTX_OPERAND_IMMEDIATE;
    const guint reg = ps_ptx_code_register(&facts->code->points[point], operand->reg);
    const guint from = ps_facts_definition(facts, reg);
    return from != PS_PTX_NOWHERE && depth < MOST_DEPTH && makes_uniform(facts, from, depth + 1);
}

/* The divisor of an integer division (g_free); NULL: threads may differ in it. */
static char *divisor_of(const PsSymbols *symbols, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(symbols->facts, point);
    if (instruction->n_operands < 3 ||
        !is_uniform(symbols->facts, point, &instruction->operands[2], 0))
        return NULL;
    PsSymbol symbol = ps_symbol_of_operand(symbols, point, 2, PS_PTX_NOWHERE);
    return symbol.text ? symbol.text : g_strdup(PS_UNIFORM);
}

/* ---- what is recognised -------------------------------------------------------------------- */

struct PsOperationTable {
    const PsSymbols *symbols;
    const PsSpots *spots;
    GPtrArray *steps; /* PsCodeStep, with operations found */
    guint *step;      /* [point]: its step, counted from 1; 0: none */
    guint *whole;     /* [spot]: the spot with the result of its operation; PS_NO_SPOT: none */
};

static const PsCodeStep *step_of(const PsOperationTable *table, guint spot)
{
    const PsSpot *at = ps_spot(table->spots, spot);
    const guint step = at->kind == PS_SPOT_STEP ? table->step[at->point] : 0;
    return step ? ps_step(table->steps, step - 1) : NULL;
}

/* Sets the spots of results: for steps before the result in the code the next one, for steps behind
 * it the last. */
static void set_wholes(PsOperationTable *table, gboolean backwards)
{
    const guint n = table->spots->spots->len;
    g_autofree guint *seen = g_new0(guint, table->steps->len); /* [step]: its spot + 1 */
    for (guint k = 0; k < n; k++) {
        const guint i = backwards ? n - 1 - k : k;
        const PsCodeStep *step = step_of(table, i);
        if (!step)
            continue;
        const guint number = table->step[ps_spot(table->spots, i)->point] - 1;
        if (step->op && ps_spot_is_node(table->spots, i))
            seen[number] = i + 1;
        if (step->whole != PS_NO_STEP && seen[step->whole] && (number < step->whole) == backwards)
            table->whole[i] = seen[step->whole] - 1;
    }
}

PsOperationTable *ps_operation_table_new(const PsSymbols *symbols, const PsSpots *spots)
{
    PsOperationTable *table = g_new0(PsOperationTable, 1);
    table->symbols = symbols;
    table->spots = spots;
    table->steps = ps_idioms_find(spots->facts, &symbols->options->launch);
    if (spots->facts->machine)
        ps_wide_find(spots->facts, table->steps);
    table->step = g_new0(guint, spots->facts->code->n_points);
    table->whole = g_new(guint, spots->spots->len + 1);
    for (guint i = 0; i < table->steps->len; i++)
        table->step[ps_step(table->steps, i)->point] = i + 1;
    for (guint i = 0; i < spots->spots->len; i++)
        table->whole[i] = PS_NO_SPOT;
    set_wholes(table, FALSE);
    set_wholes(table, TRUE);
    return table;
}

void ps_operation_table_free(PsOperationTable *table)
{
    if (!table)
        return;
    g_ptr_array_unref(table->steps);
    g_free(table->step);
    g_free(table->whole);
    g_free(table);
}

const char *ps_operation_table_whole(const PsOperationTable *table, guint spot)
{
    const PsCodeStep *step = step_of(table, spot);
    const guint whole = step && step->op ? spot : table->whole[spot];
    return whole == PS_NO_SPOT ? NULL : ps_spot(table->spots, whole)->name;
}

gboolean ps_operation_table_is_of_integers(const PsOperationTable *table, guint spot)
{
    const PsCodeStep *step = step_of(table, spot);
    const guint whole = step && step->op ? spot : table->whole[spot];
    const char *type = whole == PS_NO_SPOT ? NULL : strrchr(step_of(table, whole)->op, '.');
    return type && (type[1] == 'u' || type[1] == 's');
}

/* TRUE if the node belongs to an operation. */
static gboolean state_found(const PsOperationTable *table, guint spot, PsIdgItem *node)
{
    const PsCodeStep *step = step_of(table, spot);
    const char *whole = ps_operation_table_whole(table, spot);
    if (!whole)
        return FALSE;
    node->op = g_strdup(step->op);
    node->by = g_strdup(step->by);
    if (!step->op)
        node->part = g_strdup(whole);
    return TRUE;
}

/* -------------------------------------------------------------------------------------------- */

/* TRUE for a conversion between numbers; one of integers is part of its reader, or a move. */
static gboolean converts(const PsPtxMnemonic *mnemonic, const char *class_name)
{
    return strcmp(mnemonic->opcode, "cvt") == 0 && mnemonic->types[0] != PS_PTX_OPAQUE &&
           !ps_class_covers("logic", class_name);
}

void ps_operation_table_state(const PsOperationTable *table, guint spot, PsIdgItem *node)
{
    const PsSpots *spots = table->spots;
    const guint point = ps_spot(spots, spot)->point;
    const PsFact *fact = ps_spot_fact(spots, spot);
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(spots->facts, point)->mnemonic;
    if (state_found(table, spot, node) ||
        !(fact->sequence ? !fact->class.unit : converts(mnemonic, fact->name)))
        return;
    node->op = g_strdup(mnemonic->text);
    if (strcmp(fact->class.name, "idiv") == 0)
        node->by = divisor_of(table->symbols, point);
}
