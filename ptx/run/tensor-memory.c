/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocates and frees tensor memory, and moves words between it and registers. Every step is
 * complete at once, so waits for loads and stores have nothing to do.
 */
#include "ptx/run/tensor-memory.h"
#include "ptx/code/expand.h"
#include "ptx/run/families.h"
#include "ptx/step/lane.h"
#include "ptx/step/operands.h"
#include "ptx/run/mbarrier.h"
#include <string.h>

#define LEAST_COLUMNS 32
#define WARPS 4U /* each warp has a quarter of the lanes */

/* ---- columns -------------------------------------------------------------------------------- */

PsPtxTensorMemory *ps_ptx_tensor_memory(PsPtxMachine *machine)
{
    if (!machine->tensor)
        machine->tensor = g_new0(PsPtxTensorMemory, 1);
    return machine->tensor;
}

/* Machine code of a pair finds these words in the system's shared memory before it allocates: an
 * mbarrier by which the groups tell each other what was allocated, and the parity of the phase that
 * each waits for next. The even group allocates, and its first wait must not wait. */
enum { PAIR_BARRIER = 0x48, PAIR_PARITY = 0x50, PAIR_END = 0x54 };

static void begin_pair(PsPtxMachine *machine)
{
    const guint64 barrier = ps_ptx_mbarrier_new(1);
    const guint32 parity = machine->rank % 2 == 0;
    if (machine->module->system < PAIR_END || ps_ptx_cluster_size(machine) % 2 != 0)
        return;
    memcpy(machine->shared + PAIR_BARRIER, &barrier, sizeof barrier);
    memcpy(machine->shared + PAIR_PARITY, &parity, sizeof parity);
}

void ps_ptx_tensor_begin(PsPtxMachine *machine)
{
    PsPtxTensorMemory *memory = machine->tensor;
    begin_pair(machine);
    if (!memory)
        return;
    memset(memory->word, 0, sizeof memory->word);
    memset(memory->taken, 0, sizeof memory->taken);
    memset(memory->is_taken, 0, sizeof memory->is_taken);
    memory->relinquished = FALSE;
}

void ps_ptx_tensor_free(PsPtxMachine *machine)
{
    if (machine->tensor)
        g_free(machine->tensor->room);
    g_free(machine->tensor);
}

/* The number of columns that were allocated at that point and are not freed. */
static guint taken_at(const PsPtxTensorMemory *memory, guint point)
{
    guint columns = 0;
    for (guint i = 0; i < PS_PTX_TENSOR_COLUMNS; i++)
        if (memory->taken[i].point == point)
            columns += memory->taken[i].columns;
    return columns;
}

gboolean ps_ptx_tensor_check(const PsPtxMachine *machine, GError **error)
{
    const PsPtxTensorMemory *memory = machine->tensor;
    for (guint i = 0; memory && i < PS_PTX_TENSOR_COLUMNS; i++) {
        if (memory->taken[i].columns == 0)
            continue;
        g_autofree char *where = ps_ptx_code_where(machine->code, memory->taken[i].point);
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: group (%u,%u,%u) ended without freeing %u columns of tensor memory that "
                    "it allocates here (tcgen05.dealloc)",
                    where, machine->group[0], machine->group[1], machine->group[2],
                    taken_at(memory, memory->taken[i].point));
        return FALSE;
    }
    return TRUE;
}

gboolean ps_ptx_tensor_reach(PsPtxWarp *warp, const PsPtxStep *step, const PsPtxTensorPart *part,
                             PsPtxTensorPlace *first)
{
    PsPtxMachine *group = part->group ? part->group : ps_ptx_runner(warp)->machine;
    const PsPtxTensorMemory *memory = ps_ptx_tensor_memory(group);
    const guint lane = (guint)(part->address >> 16 & 0xffff), column = part->address & 0xffff;
    guint free = 0;
    if (lane + part->lanes > PS_PTX_TENSOR_LANES ||
        column + part->columns > PS_PTX_TENSOR_COLUMNS) {
        ps_ptx_fail(warp, step, part->lane,
                    "%s lanes %u to %u and columns %u to %u of tensor memory, which has %u lanes "
                    "and %u columns",
                    part->does, lane, lane + part->lanes - 1, column, column + part->columns - 1,
                    PS_PTX_TENSOR_LANES, PS_PTX_TENSOR_COLUMNS);
        return FALSE;
    }
    for (guint i = 0; i < part->columns; i++)
        free += !memory->is_taken[column + i];
    if (free > 0)
        ps_ptx_fail(warp, step, part->lane,
                    "%s columns %u to %u of tensor memory, of which %u are not allocated",
                    part->does, column, column + part->columns - 1, free);
    *first = (PsPtxTensorPlace){lane, column};
    return free == 0;
}

PsPtxMachine *ps_ptx_tensor_group(const PsPtxMachine *machine, guint part)
{
    return machine->cluster->groups[(machine->rank & ~1U) + part];
}

gboolean ps_ptx_tensor_has_pair(PsPtxWarp *warp, const PsPtxStep *step, guint lane)
{
    const guint groups = ps_ptx_runner(warp)->machine->cluster->n;
    if (groups % 2 == 0)
        return TRUE;
    ps_ptx_fail(warp, step, lane,
                "asks for a pair of groups (cta_group::2), but its cluster has %u group%s", groups,
                groups > 1 ? "s" : "");
    return FALSE;
}

/* The first of `columns` free columns, at a multiple of their number; PS_PTX_TENSOR_COLUMNS: there
 * are none. */
static guint find_free(const PsPtxTensorMemory *memory, guint columns)
{
    for (guint first = 0; first < PS_PTX_TENSOR_COLUMNS; first += columns) {
        guint n = 0;
        while (n < columns && !memory->is_taken[first + n])
            n++;
        if (n == columns)
            return first;
    }
    return PS_PTX_TENSOR_COLUMNS;
}

static void mark(PsPtxTensorMemory *memory, guint first, guint columns, gboolean taken)
{
    guint all = 0;
    for (guint i = 0; i < columns; i++)
        memory->is_taken[first + i] = taken;
    for (guint i = 0; i < PS_PTX_TENSOR_COLUMNS; i++)
        all += memory->is_taken[i];
    memory->most = MAX(memory->most, all);
}

guint ps_ptx_machine_columns(const PsPtxMachine *machine)
{
    return machine->tensor ? machine->tensor->most : 0;
}

/* Machine code counts columns by units. */
#define UNITS (PS_PTX_TENSOR_COLUMNS / LEAST_COLUMNS)

static guint32 columns_of(const PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    return (guint32)warp->slots[step->from[1]][__builtin_ctz(mask)];
}

static gboolean may_take(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask, guint32 columns)
{
    const PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    const guint lane = (guint)__builtin_ctz(mask);
    if (columns < LEAST_COLUMNS || columns > PS_PTX_TENSOR_COLUMNS ||
        (columns & (columns - 1)) != 0) {
        ps_ptx_fail(warp, step, lane,
                    "allocates %u columns of tensor memory; it must be a power of two from %d to "
                    "%d",
                    columns, LEAST_COLUMNS, PS_PTX_TENSOR_COLUMNS);
        return FALSE;
    }
    if (step->kind == 2 && !ps_ptx_tensor_has_pair(warp, step, lane))
        return FALSE;
    if (memory->relinquished)
        ps_ptx_fail(warp, step, lane,
                    "allocates tensor memory after its group has relinquished that");
    return !memory->relinquished;
}

static void take(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    const guint32 columns = columns_of(warp, step, mask), one = mask & (0 - mask);
    guint64 address[PS_PTX_LANES];
    guint8 *to[PS_PTX_LANES];
    if (!may_take(warp, step, mask, columns))
        return;
    const guint32 first = find_free(memory, columns);
    if (first == PS_PTX_TENSOR_COLUMNS) {
        ps_ptx_paths_wait(ps_ptx_runner(warp), PS_PTX_POLLS, step, mask);
        return;
    }
    ps_ptx_addresses(warp, step, address);
    if (!ps_ptx_touch(warp, step, one, address, 4, to))
        return;
    memcpy(to[__builtin_ctz(one)], &first, 4);
    mark(memory, first, columns, TRUE);
    memory->taken[first] = (PsPtxTaken){columns, step->point};
}

gboolean ps_ptx_tensor_waits(const PsPtxStep *step)
{
    return step->execute == take;
}

static void give_back(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    const guint lane = (guint)__builtin_ctz(mask);
    const guint32 columns = columns_of(warp, step, mask);
    const guint32 first = (guint32)warp->slots[step->from[0]][lane] & 0xffff;
    const guint there = first < PS_PTX_TENSOR_COLUMNS ? memory->taken[first].columns : 0;
    if (there != columns || columns == 0) {
        ps_ptx_fail(warp, step, lane,
                    "frees %u columns of tensor memory at column %u, where %u were allocated",
                    columns, first, there);
        return;
    }
    mark(memory, first, columns, FALSE);
    memory->taken[first].columns = 0;
}

/* Marks columns of the group, or of both groups of its pair, which have the same columns. */
static void mark_all(PsPtxWarp *warp, const PsPtxStep *step, guint32 first, guint32 columns)
{
    PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    for (guint part = 0; part < step->kind; part++) {
        PsPtxTensorMemory *memory =
            ps_ptx_tensor_memory(step->kind == 2 ? ps_ptx_tensor_group(machine, part) : machine);
        mark(memory, first, columns, TRUE);
        for (guint i = 0; i < columns; i += LEAST_COLUMNS) /* each unit may be freed by itself */
            memory->taken[first + i] = (PsPtxTaken){LEAST_COLUMNS, step->point};
    }
}

/* tcgen05.alloc.units unit|found, units: machine code asks for units again and again until some are
 * free; only the even group of a pair executes .cta_group::2. */
static void take_units(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    const guint64 units = warp->slots[step->from[0]][__builtin_ctz(mask)];
    const guint32 columns = (guint32)MIN(units, 2 * UNITS) * LEAST_COLUMNS;
    guint64 unit[PS_PTX_LANES], found[PS_PTX_LANES];
    if (!may_take(warp, step, mask, columns))
        return;
    const guint32 first = find_free(memory, columns);
    const gboolean is_free = first < PS_PTX_TENSOR_COLUMNS;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        unit[lane] = is_free ? first / LEAST_COLUMNS : 0;
        found[lane] = is_free;
    }
    ps_ptx_give(warp, step->to[0], unit, mask);
    ps_ptx_give(warp, step->to[1], found, mask);
    if (is_free)
        mark_all(warp, step, first, columns);
}

/* tcgen05.dealloc.units mask: its bits say which units remain taken. */
static void keep_units(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    const guint64 kept = warp->slots[step->from[0]][__builtin_ctz(mask)];
    for (guint unit = 0; unit < UNITS; unit++)
        if ((kept >> unit & 1) == 0) {
            mark(memory, unit * LEAST_COLUMNS, LEAST_COLUMNS, FALSE);
            memory->taken[unit * LEAST_COLUMNS].columns = 0;
        }
}

static void relinquish(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    (void)step;
    (void)mask;
    ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine)->relinquished = TRUE;
}

/* ---- words and registers -------------------------------------------------------------------- */

typedef enum { BY_LANE, TWO, FOUR, EIGHT, SPLIT, LOWER, UPPER } Shape;

typedef struct {
    Shape shape;
    gboolean stores;
    gboolean halves; /* a register has the lower halves of two neighbouring words */
    gint64 split;    /* SPLIT: columns from the first part to the second */
} Move;

/* The lanes and columns of a shape, and the number of registers of a lane for these. */
static const struct {
    const char *name;
    guint lanes, columns, registers;
} shapes[] = {[BY_LANE] = {"32x32b", 32, 1, 1},
              [TWO] = {"16x64b", 16, 2, 1},
              [FOUR] = {"16x128b", 16, 4, 2},
              [EIGHT] = {"16x256b", 16, 8, 4},
              [SPLIT] = {"16x32bx2", 16, 1, 1},
              /* machine code has a part of SPLIT for each half of a warp */
              [LOWER] = {"16dp32bit_t0_t15", 16, 1, 1},
              [UPPER] = {"16dp32bit_t16_t31", 16, 1, 1}};

/* The place of the word in register i of a lane, relative to the first word. */
static PsPtxTensorPlace place_of(const Move *move, guint lane, guint i)
{
    switch (move->shape) {
    case TWO:
        return (PsPtxTensorPlace){lane / 4 + lane % 2 * 8, 2 * i + lane / 2 % 2};
    case FOUR:
        return (PsPtxTensorPlace){lane / 4 + i % 2 * 8, i / 2 * 4 + lane % 4};
    case EIGHT:
        return (PsPtxTensorPlace){lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
    case SPLIT:
    case LOWER:
    case UPPER:
        return (PsPtxTensorPlace){lane % 16, i + lane / 16 * (guint)move->split};
    default:
        return (PsPtxTensorPlace){lane, i};
    }
}

static void move_word(const Move *move, guint32 *word, guint64 *value)
{
    if (move->halves && move->stores) {
        word[0] = *value & 0xffff;
        word[1] = (guint32)(*value >> 16) & 0xffff;
    } else if (move->halves) {
        *value = (word[0] & 0xffff) | (word[1] & 0xffff) << 16;
    } else if (move->stores) {
        *word = (guint32)*value;
    } else {
        *value = *word;
    }
}

/* FALSE, with the warp's error set, where some of the lanes from `lane` on are not the warp's. */
static gboolean has_lanes(PsPtxWarp *warp, const PsPtxStep *step, guint lane, guint lanes)
{
    const guint first = warp->number % WARPS * PS_PTX_LANES;
    if (lane >= first && lane + lanes <= first + PS_PTX_LANES)
        return TRUE;
    ps_ptx_fail(warp, step, 0,
                "accesses lanes %u to %u of tensor memory; warp %u of its group has lanes %u to %u",
                lane, lane + lanes - 1, warp->number, first, first + PS_PTX_LANES - 1);
    return FALSE;
}

static void move_words(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Move *move = step->more;
    PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    const guint words = move->halves ? 2 : 1;
    const guint begin = move->shape == UPPER ? PS_PTX_LANES / 2 : 0;
    const guint end = move->shape == LOWER ? PS_PTX_LANES / 2 : PS_PTX_LANES;
    const guint times = step->n_both / shapes[move->shape].registers;
    const PsPtxTensorPart part = {(guint)__builtin_ctz(mask),
                                  warp->slots[step->from[0]][__builtin_ctz(mask)] +
                                      (guint64)step->offset,
                                  shapes[move->shape].lanes,
                                  shapes[move->shape].columns * times * words + (guint)move->split,
                                  move->stores ? "writes" : "reads",
                                  NULL};
    PsPtxTensorPlace first;
    if (mask != warp->threads)
        ps_ptx_fail(warp, step, part.lane, "moves words of tensor memory with a part of its warp");
    else if (ps_ptx_tensor_reach(warp, step, &part, &first) &&
             has_lanes(warp, step, first.lane, part.lanes))
        for (guint i = 0; i < step->n_both; i++)
            for (guint lane = begin; lane < end; lane++) {
                const PsPtxTensorPlace at = place_of(move, lane, i);
                move_word(move,
                          &memory->word[first.lane + at.lane][first.column + at.column * words],
                          &warp->slots[step->both[i]][lane]);
            }
}

/* Decodes the registers of an operand, in braces or a single one. */
static gboolean decode_list(PsPtxDecode *decode, PsPtxStep *step, guint operand)
{
    const PsPtxOperand *list = &decode->instruction->operands[operand];
    if (list->kind != PS_PTX_OPERAND_REGISTER)
        return ps_ptx_decode_both(decode, step, operand);
    step->both = g_new(guint, 1);
    step->both[step->n_both++] =
        ps_ptx_register_slot(decode->decoder, ps_ptx_code_register(decode->point, list->reg));
    return TRUE;
}

/* tcgen05.ld {...}, [t] and tcgen05.st [t], {...}; SPLIT has a number behind [t]. */
static gboolean decode_move(PsPtxDecode *decode, PsPtxStep *step, gboolean stores)
{
    const PsPtxInstruction *instruction = decode->instruction;
    Move *move = g_new0(Move, 1);
    guint shape = 0;
    step->more = move;
    step->execute = move_words;
    while (shape < G_N_ELEMENTS(shapes) && !ps_ptx_has(decode->mnemonic, shapes[shape].name))
        shape++;
    if (shape == G_N_ELEMENTS(shapes) || ps_ptx_has(decode->mnemonic, "red") ||
        instruction->n_operands != 2U + (shape == SPLIT) ||
        !ps_ptx_decode_from(decode, step, !stores, PS_PTX_U32) || step->n_from != 1 ||
        !decode_list(decode, step, stores ? instruction->n_operands - 1U : 0))
        return FALSE;
    move->shape = (Shape)shape;
    move->stores = stores;
    move->halves = ps_ptx_has(decode->mnemonic, stores ? "unpack::16b" : "pack::16b");
    if (shape != SPLIT)
        return TRUE;
    const PsPtxOperand *split = &instruction->operands[stores ? 1 : 2];
    move->split = split->value;
    return split->kind == PS_PTX_OPERAND_IMMEDIATE && split->value >= 0 &&
           split->value < PS_PTX_TENSOR_COLUMNS;
}

static gboolean decode_columns(PsPtxDecode *decode, PsPtxStep *step, PsPtxExecute execute)
{
    step->execute = execute;
    step->kind = ps_ptx_has(decode->mnemonic, "cta_group::2") ? 2 : 1;
    return ps_ptx_decode_rest(decode, step, 0, PS_PTX_U32) && step->n_from == 2;
}

static gboolean decode_units(PsPtxDecode *decode, PsPtxStep *step)
{
    static const PsPtxType types[] = {PS_PTX_U32};
    if (strcmp(decode->mnemonic->parts[0], "dealloc") == 0) {
        step->execute = keep_units;
        return ps_ptx_decode_from(decode, step, 0, PS_PTX_U32) && step->n_from == 1;
    }
    step->execute = take_units;
    step->kind = ps_ptx_has(decode->mnemonic, "cta_group::2") ? 2 : 1;
    return ps_ptx_decode_typed(decode, step, types, 1) && step->n_from == 1 && step->n_to == 2;
}

gboolean ps_ptx_tensor_take(PsPtxDecode *decode, PsPtxStep *step)
{
    const char *does = decode->mnemonic->parts[0];
    if (!does)
        return FALSE;
    if (strcmp(does, "ld") == 0 || strcmp(does, "st") == 0)
        return decode_move(decode, step, strcmp(does, "st") == 0);
    if (ps_ptx_has(decode->mnemonic, "units"))
        return decode_units(decode, step);
    if (strcmp(does, "alloc") == 0)
        return decode_columns(decode, step, take);
    if (strcmp(does, "dealloc") == 0)
        return decode_columns(decode, step, give_back);
    step->execute = relinquish;
    return strcmp(does, "relinquish_alloc_permit") == 0;
}
