/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A value is kept by its origins: parameters, addresses that it begins at, memory that it was
 * loaded from, and a thread's place. Sums and products with numbers keep the slope from one thread
 * or group to the next. Values of registers are followed through the blocks of the code until
 * nothing changes; then the code is passed once more, and uses are noted.
 */
#include "ptx/run/uses.h"

#include "ptx/code/expand.h"
#include "ptx/code/walk.h"
#include "ptx/run/uses-value.h"
#include "ptx/run/values.h"

#include <string.h>

/* Most threads of a group. */
#define MOST_BLOCK 1024

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
    guint64 behind[3][MOST_BLOCK / 64];
} Search;

/* ---- values ---------------------------------------------------------------------------------- */

static guint number_of(Search *search, const PsUseValue *value)
{
    return ps_values_number(&search->values, value);
}

static PsUseValue value_at(const Search *search, guint number)
{
    return *(const PsUseValue *)ps_values_at(&search->values, number);
}

static guint join(gpointer user, guint x, guint y)
{
    Search *search = user;
    if (x == y || !y)
        return x;
    if (!x)
        return y;
    const PsUseValue a = value_at(search, x), b = value_at(search, y);
    const PsUseValue both = ps_use_join(&a, &b);
    return number_of(search, &both);
}

/* ---- notes ----------------------------------------------------------------------------------- */

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

static void note(Search *search, const PsUseValue *number, PsPtxUse seen)
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

/* Notes a comparison of a place with a number, or of a value without a place. In a loop that value
 * may be a constant that a counter comes down to. */
static void note_comparison(Search *search, guint point, const PsUseValue *place,
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

/* Notes a product: the number of a row is multiplied by the length of rows, that of a plane by its
 * rows. */
static void note_product(Search *search, const PsUseValue *place, const PsUseValue *number)
{
    const guint all = ps_use_place(place);
    const guint direction = all & 1 ? 1 : all & 2 || !all ? 0 : 1;
    const PsPtxUse seen = {.kind = PS_PTX_USE_STRIDE, .directions = 1U << direction};
    if (!place->constant && !place->loaded)
        note(search, number, seen);
}

/* Notes the threads of a group, from the distance between groups of a fixed size. */
static void note_block(Search *search, const PsUseValue *sum)
{
    for (guint d = 0; search->notes && d < 3; d++) {
        const gint64 step = sum->step[d], apart = sum->apart[d];
        guint *block = &search->uses->block[d];
        if (step > 0 && apart > step && apart % step == 0 && apart / step <= MOST_BLOCK &&
            (!*block || apart / step < *block))
            *block = (guint)(apart / step);
    }
}

/* Notes a place that lies a number of places behind a thread's, in groups of a fixed size. */
static void note_behind(Search *search, const PsUseValue *place, const PsUseValue *by)
{
    for (guint d = 0; search->notes && by->constant && d < 3; d++) {
        const gint64 step = place->step[d];
        if (step <= 0 || place->apart[d] <= step || by->number <= 0 || by->number % step)
            continue;
        const gint64 behind = by->number / step;
        if (behind < MOST_BLOCK)
            search->behind[d][behind / 64] |= (guint64)1 << behind % 64;
    }
}

static gboolean is_behind(const Search *search, guint d, guint by)
{
    return (search->behind[d][by / 64] >> by % 64 & 1) != 0;
}

/* Finds the threads of a group where each thread has several of the group's places, one after
 * another: the number of threads is the distance between two places of one thread. Neighbours that
 * a stencil reads do not form such a row. */
static void settle_block(const Search *search, guint d)
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

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

static const PsPtxVariable *param_at(const Search *search, guint p)
{
    return search->code->kernel->params->pdata[p];
}

/* The parameters that an address begins at; of several, those that the code says to be
 * addresses. */
static guint64 bases_of(const Search *search, const PsUseValue *address)
{
    guint64 stated = 0;
    for (guint64 rest = address->bases; rest; rest &= rest - 1)
        if (param_at(search, (guint)__builtin_ctzll(rest))->pointer)
            stated |= rest & -rest;
    return stated ? stated : address->bases;
}

/* The space of the address in operand i. A copy names the source's space behind the
 * destination's. */
static PsPtxSpace space_of(const PsPtxInstruction *instruction, guint i)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    return is(instruction, "cp") && i == 1 && ps_ptx_has(mnemonic, "global") ? PS_PTX_GLOBAL
                                                                             : mnemonic->space;
}

/* TRUE if an address without a named space may lie in global memory. */
static gboolean is_global(const PsPtxInstruction *instruction, guint i)
{
    const PsPtxSpace space = space_of(instruction, i);
    return space == PS_PTX_GLOBAL || space == PS_PTX_GENERIC;
}

/* The bytes of the largest array of shared memory. */
static guint64 largest_shared(const Search *search)
{
    const PsPtxCode *code = search->code;
    guint64 most = search->dynamic;
    for (guint i = 0; i < code->shared->len; i++)
        most = MAX(most, ((const PsPtxVariable *)code->shared->pdata[i])->size);
    return most;
}

/* Notes most threads: none of them reaches behind its array, or behind the largest one where the
 * array is not known. */
static void note_room(Search *search, const PsUseValue *address, gint64 offset)
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

static void note_base(Search *search, guint point, guint p, gboolean alone)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    PsPtxUse *use = &search->uses->params[p];
    const gboolean loads = !is(instruction, "st") && !is(instruction, "red");
    use->pointer |= alone || param_at(search, p)->pointer;
    use->loaded |= loads;
    use->stored |= !is(instruction, "ld") && !is(instruction, "ldu") && !is(instruction, "cp");
    if (loads && use->type == PS_PTX_NO_TYPE && mnemonic->n_types > 0)
        use->type = mnemonic->types[0];
}

static void note_access(Search *search, guint point, guint i, const PsUseValue *address)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const guint64 bases = bases_of(search, address);
    const gboolean global = is_global(instruction, i) && !address->variable;
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

/* ---- operands -------------------------------------------------------------------------------- */

static PsUseValue special(const Search *search, gint64 which)
{
    PsUseValue value = {.reached = TRUE};
    const guint d = (guint)(which % 3);
    if (which >= PS_PTX_TID_X && which <= PS_PTX_TID_Z) {
        value.threads = 1U << d;
        value.step[d] = 1;
    } else if (which >= PS_PTX_CTAID_X && which <= PS_PTX_CTAID_Z) {
        value.groups = 1U << d;
        value.apart[d] = 1;
        value.group = TRUE;
    } else if (which >= PS_PTX_NTID_X && which <= PS_PTX_NTID_Z) {
        value.size = d + 1;
    }
    if (search->notes && ps_use_place(&value))
        search->uses->place[d] = TRUE;
    return value;
}

static PsUseValue read_register(const Search *search, guint point, gint32 reg)
{
    const PsPtxPoint *at = &search->code->points[point];
    PsUseValue value = value_at(search, search->walk.now[ps_ptx_code_register(at, reg)]);
    value.reached = TRUE;
    return value;
}

/* Machine code names no variable, and the size of dynamic shared memory is the launch's. */
static void add_variable(PsUseValue *value, const PsPtxOperand *operand)
{
    const gboolean known = operand->variable && operand->variable->size > 0;
    value->variable = TRUE;
    value->bytes = known ? operand->variable->size : G_MAXUINT64;
}

/* The value of an operand; for a list, the mixed values of its members. */
static PsUseValue read_operand(const Search *search, guint point, const PsPtxOperand *operand)
{
    PsUseValue value = {.reached = TRUE};
    switch (operand->kind) {
    case PS_PTX_OPERAND_REGISTER:
    case PS_PTX_OPERAND_ADDRESS:
        if (operand->reg >= 0)
            value = read_register(search, point, operand->reg);
        else
            add_variable(&value, operand);
        return value;
    case PS_PTX_OPERAND_IMMEDIATE:
        value.constant = operand->literal == PS_PTX_INTEGER;
        value.number = value.constant ? operand->value : 0;
        return value;
    case PS_PTX_OPERAND_SPECIAL:
        return special(search, operand->value);
    case PS_PTX_OPERAND_VARIABLE:
        add_variable(&value, operand);
        return value;
    case PS_PTX_OPERAND_VECTOR:
    case PS_PTX_OPERAND_LIST:
        for (guint i = 0; i < operand->n_members; i++) {
            const PsUseValue member = read_operand(search, point, &operand->members[i]);
            value = i ? ps_use_mix(&value, &member) : member;
            value.bases |= member.bases;
        }
        return value;
    default:
        return value;
    }
}

static void write_operand(Search *search, guint point, const PsPtxOperand *to,
                          const PsUseValue *value)
{
    const PsPtxPoint *at = &search->code->points[point];
    if (to->kind == PS_PTX_OPERAND_REGISTER) {
        guint *now = &search->walk.now[ps_ptx_code_register(at, to->reg)];
        const guint number = number_of(search, value);
        *now = at->instruction->guard >= 0 ? join(search, *now, number) : number;
    }
    for (guint i = 0; to->kind == PS_PTX_OPERAND_VECTOR && i < to->n_members; i++)
        write_operand(search, point, &to->members[i], value);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Number of the parameter that the address names; -1: it names none. */
static int param_of(const Search *search, const PsPtxOperand *address)
{
    const GPtrArray *params = search->code->kernel->params;
    for (guint i = 0; address->reg < 0 && i < params->len; i++)
        if (address->variable == params->pdata[i])
            return (int)i;
    return -1;
}

static void load_param(Search *search, guint point, guint p)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxType type = instruction->mnemonic->types[0];
    PsUseValue value = {.reached = TRUE, .params = (guint64)1 << p, .times = 1};
    if (param_at(search, p)->size == 8)
        value.bases = value.params;
    if (search->notes && (type == PS_PTX_F32 || type == PS_PTX_F64))
        search->uses->params[p].fraction = TRUE;
    write_operand(search, point, &instruction->operands[0], &value);
}

/* TRUE if the instruction accesses memory of a thread or its group. */
static gboolean is_own(const PsPtxInstruction *instruction)
{
    const PsPtxSpace space = instruction->mnemonic->space;
    return space != PS_PTX_GLOBAL && space != PS_PTX_CONST && space != PS_PTX_PARAM;
}

/* Follows loads, stores and atomics of any form: the value that they read comes from the memory
 * they point to. */
static void access(Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    PsUseValue found = {.reached = TRUE};
    guint64 kept = 0;
    for (guint i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        const PsUseValue value = read_operand(search, point, operand);
        if (operand->kind != PS_PTX_OPERAND_ADDRESS) {
            kept |= i || is(instruction, "st") ? value.loaded : 0;
            continue;
        }
        const int p = param_of(search, operand);
        if (p >= 0 && is(instruction, "ld")) {
            load_param(search, point, (guint)p);
            return;
        }
        note_access(search, point, i, &value);
        found.loaded |= is_global(instruction, i) ? bases_of(search, &value) : 0;
    }
    kept |= is(instruction, "cp") ? found.loaded : 0;
    if (is_own(instruction) && !is(instruction, "ld")) {
        search->grows |= (kept & ~search->shared) != 0;
        search->shared |= kept;
    }
    found.loaded |= is_own(instruction) ? search->shared : 0;
    for (guint i = 0; i < ps_ptx_n_destinations(instruction); i++)
        write_operand(search, point, &instruction->operands[i], &found);
}

static gboolean is_fraction(PsPtxType type)
{
    return type >= PS_PTX_F16 && type <= PS_PTX_F64;
}

/* Notes fractions: arithmetic on them reads no whole numbers, but conversions of whole numbers
 * do. */
static void note_fractions(Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (!search->notes || !mnemonic->n_types ||
        !is_fraction(mnemonic->types[mnemonic->n_types - 1]))
        return;
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++) {
        const PsUseValue value = read_operand(search, point, &instruction->operands[i]);
        const int p = only_param(&value);
        if (p >= 0 && value.times == 1)
            search->uses->params[p].fraction = TRUE;
    }
}

static PsUseValue multiply(Search *search, const PsUseValue *x, const PsUseValue *y)
{
    note_product(search, x, y);
    note_product(search, y, x);
    return ps_use_multiply(x, y);
}

static PsUseValue sum(Search *search, const PsUseValue *x, const PsUseValue *y, gint64 times)
{
    const PsUseValue value = ps_use_add(x, y, times);
    note_block(search, &value);
    if (times == 1) {
        note_behind(search, x, y);
        note_behind(search, y, x);
    }
    return value;
}

/* The value of any other instruction's result, which depends on all that it reads. */
static PsUseValue mix_all(const Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    PsUseValue all = {.reached = TRUE};
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++) {
        const PsUseValue value = read_operand(search, point, &instruction->operands[i]);
        all = ps_use_mix(&all, &value);
    }
    return all;
}

static gboolean is_whole(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    return mnemonic->n_types > 0 && !is_fraction(mnemonic->types[0]) && !ps_ptx_has(mnemonic, "hi");
}

/* TRUE for a mask that keeps all bits of a thread's place, in a group whose size the code has. */
static gboolean is_whole_place(const Search *search, const PsUseValue *x, const PsUseValue *mask)
{
    const guint threads = search->code->kernel->required[0];
    return threads && mask->constant && x->step[0] == 1 && x->threads == 1 && !x->groups &&
           !x->params && !x->loaded && mask->number >= (gint64)threads - 1 &&
           !(mask->number & (mask->number + 1));
}

/* Computes arithmetic on n whole numbers, at least two, whose result is followed: FALSE for any
 * other. */
static gboolean compute_whole(Search *search, const PsPtxInstruction *instruction,
                              const PsUseValue *of, guint n, PsUseValue *result)
{
    if (is(instruction, "add") || is(instruction, "addc") ||
        (is(instruction, "or") && ps_use_apart(&of[0], &of[1])))
        *result = sum(search, &of[0], &of[1], 1);
    else if (is(instruction, "sub"))
        *result = sum(search, &of[0], &of[1], -1);
    else if (is(instruction, "mul"))
        *result = multiply(search, &of[0], &of[1]);
    else if (is(instruction, "shl"))
        *result = ps_use_shift(&of[0], &of[1]);
    else if (is(instruction, "shr") || is(instruction, "div"))
        *result = ps_use_divide(&of[0], &of[1], is(instruction, "shr"));
    else if (is(instruction, "and") && is_whole_place(search, &of[0], &of[1]))
        *result = of[0];
    else if (is(instruction, "mad") && n == 3) {
        const PsUseValue product = multiply(search, &of[0], &of[1]);
        *result = sum(search, &product, &of[2], 1);
    } else
        return FALSE;
    return TRUE;
}

/* TRUE for a conversion between whole numbers and fractions: the result is no argument as it was
 * passed. */
static gboolean changes_kind(const PsPtxMnemonic *mnemonic)
{
    return mnemonic->n_types > 1 &&
           is_fraction(mnemonic->types[0]) != is_fraction(mnemonic->types[mnemonic->n_types - 1]);
}

/* Computes the result of any instruction. */
static gboolean compute(Search *search, guint point, PsUseValue *result)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    PsUseValue of[3] = {{0}};
    const guint n = MIN(instruction->n_operands, 4) - 1;
    for (guint i = 0; i < n; i++)
        of[i] = read_operand(search, point, &instruction->operands[i + 1]);
    if ((is(instruction, "mov") || is(instruction, "cvt") || is(instruction, "cvta")) && n == 1)
        *result = of[0];
    else if (is(instruction, "selp") && n == 3)
        *result = ps_use_choose(&of[0], &of[1], &of[2]);
    else
        return is_whole(instruction) && n >= 2 && compute_whole(search, instruction, of, n, result);
    if (changes_kind(instruction->mnemonic))
        result->times = 0;
    return TRUE;
}

static void compare(Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const guint first = ps_ptx_n_destinations(instruction);
    if (instruction->n_operands < first + 2)
        return;
    const PsUseValue x = read_operand(search, point, &instruction->operands[first]),
                     y = read_operand(search, point, &instruction->operands[first + 1]);
    note_comparison(search, point, &x, &y);
    note_comparison(search, point, &y, &x);
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

static void note_guard(Search *search, guint point)
{
    const PsPtxPoint *at = &search->code->points[point];
    if (!search->notes || at->instruction->guard < 0)
        return;
    const guint64 loaded = read_register(search, point, at->instruction->guard).loaded;
    each(loaded, search->uses, set_branch, point);
    if (may_end_loop(search->code, point))
        each(loaded, search->uses, set_loop, point);
}

static gboolean is_access(const PsPtxInstruction *instruction)
{
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS)
            return TRUE;
    return FALSE;
}

static void pass(gpointer user, guint point)
{
    Search *search = user;
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    PsUseValue result;
    note_guard(search, point);
    if (!instruction->n_operands)
        return;
    if (is_access(instruction)) {
        access(search, point);
        return;
    }
    note_fractions(search, point);
    if (is(instruction, "setp") || is(instruction, "set"))
        compare(search, point);
    if (!compute(search, point, &result))
        result = mix_all(search, point);
    for (guint i = 0; i < ps_ptx_n_destinations(instruction); i++)
        write_operand(search, point, &instruction->operands[i], &result);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void pass_all(Search *search)
{
    do {
        search->grows = FALSE;
        ps_ptx_walk_settle(&search->walk);
        ps_ptx_walk_all(&search->walk, TRUE);
    } while (search->grows || ps_ptx_walk_settle(&search->walk));
    search->notes = TRUE;
    ps_ptx_walk_all(&search->walk, FALSE);
}

gboolean ps_ptx_uses(const PsPtxCode *code, guint64 dynamic, PsPtxUses *uses, GError **error)
{
    const guint n = code->kernel->params->len;
    Search search = {.code = code, .dynamic = dynamic, .uses = uses};
    const PsPtxWalker walker = {pass, join, &search};
    if (n > PS_PTX_MOST_USES || !ps_ptx_walk_init(&search.walk, code, walker)) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the code of this kernel is too large to tell what its arguments are for");
        return FALSE;
    }
    *uses = (PsPtxUses){.n = n, .params = g_new0(PsPtxUse, n + 1)};
    for (guint i = 0; i < n; i++)
        uses->params[i].loop = uses->params[i].chased = PS_PTX_NOWHERE;
    search.values = ps_values_new(sizeof(PsUseValue));
    pass_all(&search);
    for (guint d = 0; d < 3; d++)
        settle_block(&search, d);
    ps_values_clear(&search.values);
    ps_ptx_walk_clear(&search.walk);
    return TRUE;
}
