/* SPDX-License-Identifier: BSD-3-Clause */
/* See uses-private.h. Notes the uses of parameters, and sizes of groups. */
#include "ptx/run/uses-private.h"

#include "ptx/code/expand.h"

/* The only parameter in a number; -1: there is none, or something else is in the number, too. */
static int only_param(const PsUseValue *value)
{
    const guint64 one = value->params;
    return one && !(one & (one - 1)) && !value->loaded && !ps_use_place(value)
               ? __builtin_ctzll(one)
               : -1;
}

/* TRUE if the first use tells more than the other: a place in one direction tells more than one in
 * several. */
static gboolean tells_more(const PsPtxUse *seen, const PsPtxUse *known)
{
    return seen->kind > known->kind ||
           (seen->kind == known->kind &&
            __builtin_popcount(seen->directions) < __builtin_popcount(known->directions));
}

static void note(PsUseSearch *search, const PsUseValue *number, PsPtxUse seen)
{
    const int p = only_param(number);
    if (!search->notes || p < 0)
        return;
    PsPtxUse *use = &search->uses->params[p];
    use->loops |= seen.kind == PS_PTX_USE_LOOP;
    if (!tells_more(&seen, use))
        return;
    use->kind = seen.kind;
    use->directions = seen.directions;
    use->step = MAX(seen.step, 1);
    use->apart = seen.apart;
    use->times = number->times > 0 ? number->times : 1;
}

void ps_use_note_comparison(PsUseSearch *search, guint point, const PsUseValue *place,
                            const PsUseValue *number)
{
    const gboolean loops = search->code->points[point].loop != PS_PTX_NOWHERE;
    const guint threads = place->threads, groups = place->groups, all = threads | groups;
    PsPtxUse seen = {.kind = PS_PTX_USE_LOOP};
    if ((place->constant && !loops) || place->loaded)
        return;
    if (all) {
        seen.kind = !threads              ? PS_PTX_USE_GROUPS
                    : (threads & ~groups) ? PS_PTX_USE_MEMBERS
                                          : PS_PTX_USE_THREADS;
        seen.directions = all;
        const gint64 *step = threads ? place->step : place->apart;
        for (guint d = 0; d < 3 && !seen.step; d++)
            seen.step = all & 1U << d ? ABS(step[d]) : 0;
        if (seen.kind == PS_PTX_USE_THREADS && !(all & (all - 1)))
            seen.apart = MAX(place->apart[__builtin_ctz(all)], 0);
    }
    note(search, number, seen);
}

void ps_use_note_product(PsUseSearch *search, const PsUseValue *place, const PsUseValue *number)
{
    const guint all = ps_use_place(place);
    const guint direction = all & 1 ? 1 : all & 2 || !all ? 0 : 1;
    const PsPtxUse seen = {.kind = PS_PTX_USE_STRIDE, .directions = 1U << direction};
    if (!place->constant && !place->loaded)
        note(search, number, seen);
}

void ps_use_note_block(PsUseSearch *search, const PsUseValue *sum)
{
    for (guint d = 0; search->notes && d < 3; d++) {
        const gint64 step = sum->step[d], apart = sum->apart[d];
        guint *block = &search->uses->block[d];
        if (step > 0 && apart > step && apart % step == 0 && apart / step <= PS_USE_MOST_BLOCK &&
            (!*block || apart / step < *block))
            *block = (guint)(apart / step);
    }
}

void ps_use_note_behind(PsUseSearch *search, const PsUseValue *place, const PsUseValue *by)
{
    for (guint d = 0; search->notes && by->constant && d < 3; d++) {
        const gint64 step = place->step[d];
        if (step <= 0 || place->apart[d] <= step || by->number <= 0 || by->number % step)
            continue;
        const gint64 behind = by->number / step;
        if (behind < PS_USE_MOST_BLOCK)
            search->behind[d][behind / 64] |= (guint64)1 << behind % 64;
    }
}

static gboolean is_behind(const PsUseSearch *search, guint d, guint by)
{
    return (search->behind[d][by / 64] >> by % 64 & 1) != 0;
}

void ps_use_settle_block(const PsUseSearch *search, guint d)
{
    guint *block = &search->uses->block[d], step = 1;
    while (step < *block && !is_behind(search, d, step))
        step++;
    if (step < 2 || step >= *block || *block % step)
        return;
    for (guint by = 1; by < *block; by++)
        if (is_behind(search, d, by) != (by % step == 0))
            return;
    *block = step;
}

static void each(guint64 params, PsPtxUses *uses, void (*set)(PsPtxUse *use, guint point),
                 guint point)
{
    for (; params; params &= params - 1)
        set(&uses->params[__builtin_ctzll(params)], point);
}

static void set_index(PsPtxUse *use, guint point)
{
    (void)point;
    use->indexes = TRUE;
}

static void set_branch(PsPtxUse *use, guint point)
{
    (void)point;
    use->branches = TRUE;
}

static void set_loop(PsPtxUse *use, guint point)
{
    use->loop = MIN(use->loop, point);
}

static void set_chased(PsPtxUse *use, guint point)
{
    use->chased = MIN(use->chased, point);
}

guint64 ps_use_bases(const PsUseSearch *search, const PsUseValue *address)
{
    guint64 stated = 0;
    for (guint64 rest = address->bases; rest; rest &= rest - 1)
        if (ps_use_param(search, (guint)__builtin_ctzll(rest))->pointer)
            stated |= rest & -rest;
    return stated ? stated : address->bases;
}

/* The space of the address in operand i. A copy names the source's space behind the
 * destination's. */
static PsPtxSpace space_of(const PsPtxInstruction *instruction, guint i)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    return ps_use_is(instruction, "cp") && i == 1 && ps_ptx_has(mnemonic, "global")
               ? PS_PTX_GLOBAL
               : mnemonic->space;
}

gboolean ps_use_is_global(const PsPtxInstruction *instruction, guint i)
{
    const PsPtxSpace space = space_of(instruction, i);
    return space == PS_PTX_GLOBAL || space == PS_PTX_GENERIC;
}

/* The bytes of the largest array of shared memory. */
static guint64 largest_shared(const PsUseSearch *search)
{
    const PsPtxCode *code = search->code;
    guint64 most = search->dynamic;
    for (guint i = 0; i < code->shared->len; i++)
        most = MAX(most, ((const PsPtxVariable *)code->shared->pdata[i])->size);
    return most;
}

/* Notes most threads: none of them reaches behind its array, or behind the largest one where the
 * array is not known. */
static void note_room(PsUseSearch *search, const PsUseValue *address, gint64 offset)
{
    const gint64 size = (gint64)MIN(address->bytes, largest_shared(search));
    for (guint d = 0; address->variable && offset >= 0 && offset < size && d < 3; d++) {
        const gint64 step = address->step[d];
        guint *room = &search->uses->room[d];
        const gint64 fits = step > 0 ? (size - offset - 1) / step + 1 : 0;
        if (fits > 0 && fits <= 1024 && (!*room || fits < *room))
            *room = (guint)fits;
    }
}

static void note_base(PsUseSearch *search, guint point, guint p, gboolean alone)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    PsPtxUse *use = &search->uses->params[p];
    const gboolean loads = !ps_use_is(instruction, "st") && !ps_use_is(instruction, "red");
    use->pointer |= alone || ps_use_param(search, p)->pointer;
    use->loaded |= loads;
    use->stored |= !ps_use_is(instruction, "ld") && !ps_use_is(instruction, "ldu") &&
                   !ps_use_is(instruction, "cp");
    if (loads && use->type == PS_PTX_NO_TYPE && mnemonic->n_types > 0)
        use->type = mnemonic->types[0];
}

void ps_use_note_access(PsUseSearch *search, guint point, guint i, const PsUseValue *address)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const guint64 bases = ps_use_bases(search, address);
    const gboolean global = ps_use_is_global(instruction, i) && !address->variable;
    if (!search->notes)
        return;
    if (space_of(instruction, i) == PS_PTX_SHARED)
        note_room(search, address, instruction->operands[i].value);
    each(address->loaded, search->uses, bases || !global ? set_index : set_chased, point);
    for (guint64 rest = global ? bases : 0; rest; rest &= rest - 1)
        note_base(search, point, (guint)__builtin_ctzll(rest), !(bases & (bases - 1)));
    for (guint64 rest = address->params & ~bases; rest; rest &= rest - 1) {
        PsPtxUse *use = &search->uses->params[__builtin_ctzll(rest)];
        use->kind = MAX(use->kind, PS_PTX_USE_ADDRESS);
    }
}

/* TRUE if a thread may leave a loop at this point while others stay. */
static gboolean may_end_loop(const PsPtxCode *code, guint point)
{
    const PsPtxPoint *at = &code->points[point];
    if (ps_ptx_leaves(at) != PS_PTX_STAYS)
        return at->loop != PS_PTX_NOWHERE;
    return at->loop != PS_PTX_NOWHERE && at->target != PS_PTX_NOWHERE &&
           ps_ptx_code_may_leave(code, point, at->loop);
}

void ps_use_note_guard(PsUseSearch *search, guint point, guint64 loaded)
{
    if (!search->notes)
        return;
    each(loaded, search->uses, set_branch, point);
    if (may_end_loop(search->code, point))
        each(loaded, search->uses, set_loop, point);
}

void ps_use_note_fraction(PsUseSearch *search, const PsUseValue *value)
{
    const int p = only_param(value);
    if (search->notes && p >= 0 && value->times == 1)
        search->uses->params[p].fraction = TRUE;
}
