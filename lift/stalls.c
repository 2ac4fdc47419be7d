/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How closely the compiler schedules: of each class the fewest cycles that stall counts put between
 * an instruction of fixed latency and the first that reads its result. Hardware does not check, so
 * the result is there by then.
 *
 * Instructions are taken in the order of the code, through branches that may be passed, up to those
 * that never go on: whatever the distance is along that way, the compiler has to keep it. Writer
 * and reader compute, in registers of 32 bits: memory reads what it is given later than others, and
 * predicates and the uniform registers of a warp have latencies of their own, which no description
 * states. Which latencies are fixed the table of instructions says.
 */
#include "lift/build-private.h"

#include "sass/table.h"

#include <string.h>

#define NOBODY G_MAXUINT

typedef struct {
    const PsFacts *facts;
    const GArray *instructions;         /* PsSassInstruction */
    guint *points;                      /* [executed instruction]: its point, or PS_PTX_NOWHERE */
    guint *times;                       /* issue time if there were only stall counts */
    guint writers[PS_SASS_N_REGISTERS]; /* [register]: writer without a reader so far, or NOBODY */
    GHashTable *found;                  /* class -> PsBuildStall */
} Stalls;

static const PsSassInstruction *instruction_at(const Stalls *stalls, guint i)
{
    return &g_array_index(stalls->instructions, PsSassInstruction, i);
}

static const char *class_at(const Stalls *stalls, guint i)
{
    return stalls->facts->facts[stalls->points[i]].name;
}

/* TRUE for an executed instruction that computes in a fixed time. */
static gboolean is_fixed(const Stalls *stalls, guint i)
{
    const PsSassCode *code = stalls->facts->machine;
    const PsSassRow *row = g_array_index(code->uses, PsSassUse, i).row;
    const PsSassInstruction *instruction = instruction_at(stalls, i);
    return stalls->points[i] != PS_PTX_NOWHERE && row &&
           stalls->facts->facts[stalls->points[i]].class.kind == PS_CLASS_COMPUTE &&
           instruction->control.write == PS_SASS_NO_BARRIER &&
           ps_sass_latency(row, instruction->opcode, code->capability) == PS_SASS_FIXED;
}

static void forget_all(Stalls *stalls)
{
    for (guint reg = 0; reg < PS_SASS_N_REGISTERS; reg++)
        stalls->writers[reg] = NOBODY;
}

static void note(const Stalls *stalls, guint writer, guint reader)
{
    const char *class_name = class_at(stalls, writer);
    const guint cycles = stalls->times[reader] - stalls->times[writer];
    PsBuildStall *stall = g_hash_table_lookup(stalls->found, class_name);
    if (!stall) {
        stall = g_new0(PsBuildStall, 1);
        stall->class_name = g_strdup(class_name);
        stall->cycles = G_MAXUINT;
        g_hash_table_insert(stalls->found, stall->class_name, stall);
    }
    if (cycles < stall->cycles) {
        stall->cycles = cycles;
        stall->writer = writer * PS_SASS_BYTES;
        stall->reader = reader * PS_SASS_BYTES;
    }
    stall->adjacent = stall->adjacent || reader == writer + 1;
    stall->pairs++;
}

/* Notes the first reader of each result, then the instruction's own results. */
static void pass(Stalls *stalls, guint i)
{
    const PsSassUse *use = &g_array_index(stalls->facts->machine->uses, PsSassUse, i);
    const gboolean fixed = is_fixed(stalls, i);
    for (guint r = 0; r < use->n_from; r++) {
        const guint reg = use->from[r], writer = stalls->writers[reg];
        if (writer != NOBODY && fixed && reg < PS_SASS_FIRST_UNIFORM)
            note(stalls, writer, i);
        stalls->writers[reg] = NOBODY;
    }
    for (guint r = 0; r < use->n_to; r++)
        stalls->writers[use->to[r]] = fixed ? i : NOBODY;
}

/* TRUE if control never goes on behind it. */
static gboolean is_end(const PsSassInstruction *instruction)
{
    static const char *const opcodes[] = {"BRA", "BRX", "JMP", "JMX", "CALL", "RET", "EXIT", NULL};
    g_autofree char *opcode = g_strndup(instruction->opcode, strcspn(instruction->opcode, "."));
    return !instruction->guard && g_strv_contains(opcodes, opcode);
}

static void find_points(Stalls *stalls)
{
    const PsFacts *facts = stalls->facts;
    for (guint i = 0; i < stalls->instructions->len; i++)
        stalls->points[i] = PS_PTX_NOWHERE;
    for (guint p = 0; p < facts->code->n_points; p++) {
        const PsSassOrigin *origin = &g_array_index(facts->machine->origins, PsSassOrigin, p);
        if (origin->stands && facts->facts[p].role != PS_ROLE_ABSENT)
            stalls->points[origin->machine] = p;
    }
}

static int by_name(gconstpointer a, gconstpointer b)
{
    return strcmp((*(PsBuildStall *const *)a)->class_name, (*(PsBuildStall *const *)b)->class_name);
}

static void stall_free(gpointer data)
{
    PsBuildStall *stall = data;
    g_free(stall->class_name);
    g_free(stall);
}

GPtrArray *ps_build_stalls(const PsFacts *facts)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(stall_free);
    if (!facts->machine)
        return list;
    const GArray *instructions = facts->machine->listing->instructions;
    g_autofree guint *points = g_new(guint, instructions->len + 1);
    g_autofree guint *times = g_new0(guint, instructions->len + 1);
    g_autoptr(GHashTable) found = g_hash_table_new(g_str_hash, g_str_equal);
    Stalls stalls = {facts, instructions, points, times, {0}, found};
    find_points(&stalls);
    forget_all(&stalls);
    for (guint i = 0; i < instructions->len; i++) {
        const PsSassInstruction *instruction = instruction_at(&stalls, i);
        pass(&stalls, i);
        times[i + 1] = times[i] + MAX(instruction->control.stall, 1);
        if (is_end(instruction))
            forget_all(&stalls);
    }
    GHashTableIter iter;
    gpointer stall;
    g_hash_table_iter_init(&iter, found);
    while (g_hash_table_iter_next(&iter, NULL, &stall))
        g_ptr_array_add(list, stall);
    g_ptr_array_sort(list, by_name);
    return list;
}
