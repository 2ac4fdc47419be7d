/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reads of instructions from the two banks of registers (docs/reference/model.md, R10): even
 * registers lie in one, odd ones in the other. An operand that the compiler marked (.reuse) stays
 * in the cache of its bank at its place among the operands, until an instruction reads another
 * register of that bank there, or does not mark it again.
 *
 * A place is where the instruction's word has the operand: bits 24 to 31, 32 to 39, 64 to 71. The
 * cache is taken to be empty where ways of the program meet and part.
 */
#include "sass/table.h"

#include <string.h>

#define PLACES 3
#define NOTHING (-1)

typedef struct {
    int at[PLACES]; /* the register, or NOTHING */
} Places;

typedef struct {
    int kept[PS_SASS_REGISTER_BANKS][PLACES]; /* register, or NOTHING */
} Cache;

static const PsSassInstruction *instruction_at(const PsSassCode *code, guint i)
{
    return &g_array_index(code->listing->instructions, PsSassInstruction, i);
}

static void forget_all(Cache *cache)
{
    memset(cache->kept, 0xff, sizeof cache->kept);
}

static int byte_at(const PsSassInstruction *instruction, guint place)
{
    static const guint from[PLACES] = {24, 32, 64};
    return (int)(instruction->word[from[place] / 64] >> (from[place] % 64) & 0xff);
}

/* The place of a register that the instruction reads, behind the places of earlier operands. */
static guint place_of(const PsSassInstruction *instruction, int reg, guint from)
{
    while (from < PLACES && byte_at(instruction, from) != reg)
        from++;
    return from;
}

/* Finds the places of register operands, except the first, which is written. */
static void find_places(const PsSassInstruction *instruction, Places *places)
{
    g_auto(GStrv) texts = NULL;
    g_autoptr(GArray) operands = ps_sass_operands(instruction->operands, &texts);
    guint next = 0;
    memset(places->at, 0xff, sizeof places->at);
    for (guint o = 1; o < operands->len; o++) {
        const PsSassOperand *operand = &g_array_index(operands, PsSassOperand, o);
        if (operand->kind != PS_SASS_REGISTER || operand->reg == PS_SASS_ZERO)
            continue;
        const guint place = place_of(instruction, operand->reg, next);
        if (place == PLACES)
            return;
        places->at[place] = operand->reg;
        next = place + 1;
    }
}

/* TRUE if the instruction only reads registers at its places, and none as part of a pair or of an
 * address. */
static gboolean is_all(const PsSassUse *use, const Places *places)
{
    for (guint f = 0; f < use->n_from; f++) {
        gboolean known = use->from[f] >= PS_SASS_FIRST_UNIFORM;
        for (guint p = 0; p < PLACES; p++)
            known = known || places->at[p] == use->from[f];
        if (!known)
            return FALSE;
    }
    return TRUE;
}

/* TRUE if results come after a fixed time: other instructions read when the banks are idle. */
static gboolean is_fixed(const PsSassCode *code, guint i)
{
    const PsSassRow *row = g_array_index(code->uses, PsSassUse, i).row;
    const PsSassInstruction *instruction = instruction_at(code, i);
    return row && instruction->control.write == PS_SASS_NO_BARRIER &&
           ps_sass_latency(row, instruction->opcode, code->capability) == PS_SASS_FIXED;
}

static gboolean is_kept(const Cache *cache, const Places *places, int reg)
{
    for (guint p = 0; p < PLACES; p++)
        if (places->at[p] == reg && cache->kept[reg % PS_SASS_REGISTER_BANKS][p] == reg)
            return TRUE;
    return FALSE;
}

/* Each register counts once, at however many places it stands. */
static PsSassReads count(const Cache *cache, const Places *places)
{
    PsSassReads reads = {{0}, {0}};
    for (guint p = 0; p < PLACES; p++) {
        const int reg = places->at[p];
        gboolean again = reg == NOTHING;
        for (guint q = 0; q < p; q++)
            again = again || places->at[q] == reg;
        if (again)
            continue;
        reads.of[reg % PS_SASS_REGISTER_BANKS]++;
        reads.kept[reg % PS_SASS_REGISTER_BANKS] += is_kept(cache, places, reg);
    }
    return reads;
}

/* The cache's content behind the instruction; one that reads pairs or addresses clears the places
 * of its registers. */
static void pass(Cache *cache, const PsSassInstruction *instruction, const PsSassUse *use,
                 const Places *places, gboolean all)
{
    for (guint p = 0; p < PLACES; p++) {
        const int reg = places->at[p];
        if (reg != NOTHING)
            cache->kept[reg % PS_SASS_REGISTER_BANKS][p] =
                (instruction->control.reuse >> p & 1) != 0 ? reg : NOTHING;
        for (guint f = 0; !all && f < use->n_from; f++)
            if (byte_at(instruction, p) == use->from[f])
                for (guint bank = 0; bank < PS_SASS_REGISTER_BANKS; bank++)
                    cache->kept[bank][p] = NOTHING;
    }
}

/* TRUE for instructions at which paths meet or part, without those behind the code. */
static gboolean *find_joints(const PsSassCode *code)
{
    gboolean *joints = g_new0(gboolean, code->n + 1);
    for (guint e = 0; e < code->edges->len; e++) {
        const PsSassEdge *edge = &g_array_index(code->edges, PsSassEdge, e);
        joints[MIN(edge->from + 1, code->n)] = TRUE;
        joints[MIN(edge->to, code->n)] = TRUE;
    }
    return joints;
}

PsSassReads *ps_sass_bank_reads(const PsSassCode *code)
{
    PsSassReads *reads = g_new0(PsSassReads, code->listing->instructions->len + 1);
    g_autofree gboolean *joints = find_joints(code);
    Cache cache;
    forget_all(&cache);
    for (guint i = 0; i < code->n; i++) {
        const PsSassUse *use = &g_array_index(code->uses, PsSassUse, i);
        Places places;
        if (joints[i])
            forget_all(&cache);
        find_places(instruction_at(code, i), &places);
        const gboolean all = is_all(use, &places);
        if (all && is_fixed(code, i))
            reads[i] = count(&cache, &places);
        pass(&cache, instruction_at(code, i), use, &places, all);
    }
    return reads;
}
