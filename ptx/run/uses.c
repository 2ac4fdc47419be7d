/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A value is kept by its origins: parameters, addresses that it begins at, memory that it was
 * loaded from, and a thread's place. Sums and products with numbers keep the slope from one thread
 * or group to the next. Values of registers are followed through the blocks of the code until
 * nothing changes; then the code is passed once more, and uses are noted.
 */
#include "ptx/run/uses-private.h"

/* ---- values ---------------------------------------------------------------------------------- */

static guint number_of(PsUseSearch *search, const PsUseValue *value)
{
    return ps_values_number(&search->values, value);
}

static PsUseValue value_at(const PsUseSearch *search, guint number)
{
    return *(const PsUseValue *)ps_values_at(&search->values, number);
}

static guint join(gpointer user, guint x, guint y)
{
    PsUseSearch *search = user;
    if (x == y || !y)
        return x;
    if (!x)
        return y;
    const PsUseValue a = value_at(search, x), b = value_at(search, y);
    const PsUseValue both = ps_use_join(&a, &b);
    return number_of(search, &both);
}

/* ---- operands -------------------------------------------------------------------------------- */

static PsUseValue special(const PsUseSearch *search, gint64 which)
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

static PsUseValue read_register(const PsUseSearch *search, guint point, gint32 reg)
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
static PsUseValue read_operand(const PsUseSearch *search, guint point, const PsPtxOperand *operand)
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

static void write_operand(PsUseSearch *search, guint point, const PsPtxOperand *to,
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
static int param_of(const PsUseSearch *search, const PsPtxOperand *address)
{
    const GPtrArray *params = search->code->kernel->params;
    for (guint i = 0; address->reg < 0 && i < params->len; i++)
        if (address->variable == params->pdata[i])
            return (int)i;
    return -1;
}

static void load_param(PsUseSearch *search, guint point, guint p)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxType type = instruction->mnemonic->types[0];
    PsUseValue value = {.reached = TRUE, .params = (guint64)1 << p, .times = 1};
    if (ps_use_param(search, p)->size == 8)
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
static void access(PsUseSearch *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    PsUseValue found = {.reached = TRUE};
    guint64 kept = 0;
    for (guint i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        const PsUseValue value = read_operand(search, point, operand);
        if (operand->kind != PS_PTX_OPERAND_ADDRESS) {
            kept |= i || ps_use_is(instruction, "st") ? value.loaded : 0;
            continue;
        }
        const int p = param_of(search, operand);
        if (p >= 0 && ps_use_is(instruction, "ld")) {
            load_param(search, point, (guint)p);
            return;
        }
        ps_use_note_access(search, point, i, &value);
        found.loaded |= ps_use_is_global(instruction, i) ? ps_use_bases(search, &value) : 0;
    }
    kept |= ps_use_is(instruction, "cp") ? found.loaded : 0;
    if (is_own(instruction) && !ps_use_is(instruction, "ld")) {
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
static void note_fractions(PsUseSearch *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (!search->notes || !mnemonic->n_types ||
        !is_fraction(mnemonic->types[mnemonic->n_types - 1]))
        return;
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++) {
        const PsUseValue value = read_operand(search, point, &instruction->operands[i]);
        ps_use_note_fraction(search, &value);
    }
}

static PsUseValue multiply(PsUseSearch *search, const PsUseValue *x, const PsUseValue *y)
{
    ps_use_note_product(search, x, y);
    ps_use_note_product(search, y, x);
    return ps_use_multiply(x, y);
}

static PsUseValue sum(PsUseSearch *search, const PsUseValue *x, const PsUseValue *y, gint64 times)
{
    const PsUseValue value = ps_use_add(x, y, times);
    ps_use_note_block(search, &value);
    if (times == 1) {
        ps_use_note_behind(search, x, y);
        ps_use_note_behind(search, y, x);
    }
    return value;
}

/* The value of any other instruction's result, which depends on all that it reads. */
static PsUseValue mix_all(const PsUseSearch *search, guint point)
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
static gboolean is_whole_place(const PsUseSearch *search, const PsUseValue *x,
                               const PsUseValue *mask)
{
    const guint threads = search->code->kernel->required[0];
    return threads && mask->constant && x->step[0] == 1 && x->threads == 1 && !x->groups &&
           !x->params && !x->loaded && mask->number >= (gint64)threads - 1 &&
           !(mask->number & (mask->number + 1));
}

/* Computes arithmetic on n whole numbers, at least two, whose result is followed: FALSE for any
 * other. */
static gboolean compute_whole(PsUseSearch *search, const PsPtxInstruction *instruction,
                              const PsUseValue *of, guint n, PsUseValue *result)
{
    if (ps_use_is(instruction, "add") || ps_use_is(instruction, "addc") ||
        (ps_use_is(instruction, "or") && ps_use_apart(&of[0], &of[1])))
        *result = sum(search, &of[0], &of[1], 1);
    else if (ps_use_is(instruction, "sub"))
        *result = sum(search, &of[0], &of[1], -1);
    else if (ps_use_is(instruction, "mul"))
        *result = multiply(search, &of[0], &of[1]);
    else if (ps_use_is(instruction, "shl"))
        *result = ps_use_shift(&of[0], &of[1]);
    else if (ps_use_is(instruction, "shr") || ps_use_is(instruction, "div"))
        *result = ps_use_divide(&of[0], &of[1], ps_use_is(instruction, "shr"));
    else if (ps_use_is(instruction, "and") && is_whole_place(search, &of[0], &of[1]))
        *result = of[0];
    else if (ps_use_is(instruction, "mad") && n == 3) {
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
static gboolean compute(PsUseSearch *search, guint point, PsUseValue *result)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    PsUseValue of[3] = {{0}};
    const guint n = MIN(instruction->n_operands, 4) - 1;
    for (guint i = 0; i < n; i++)
        of[i] = read_operand(search, point, &instruction->operands[i + 1]);
    if ((ps_use_is(instruction, "mov") || ps_use_is(instruction, "cvt") ||
         ps_use_is(instruction, "cvta")) &&
        n == 1)
        *result = of[0];
    else if (ps_use_is(instruction, "selp") && n == 3)
        *result = ps_use_choose(&of[0], &of[1], &of[2]);
    else
        return is_whole(instruction) && n >= 2 && compute_whole(search, instruction, of, n, result);
    if (changes_kind(instruction->mnemonic))
        result->times = 0;
    return TRUE;
}

static void compare(PsUseSearch *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const guint first = ps_ptx_n_destinations(instruction);
    if (instruction->n_operands < first + 2)
        return;
    const PsUseValue x = read_operand(search, point, &instruction->operands[first]),
                     y = read_operand(search, point, &instruction->operands[first + 1]);
    ps_use_note_comparison(search, point, &x, &y);
    ps_use_note_comparison(search, point, &y, &x);
}

static void note_guard(PsUseSearch *search, guint point)
{
    const gint32 guard = search->code->points[point].instruction->guard;
    if (guard >= 0)
        ps_use_note_guard(search, point, read_register(search, point, guard).loaded);
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
    PsUseSearch *search = user;
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
    if (ps_use_is(instruction, "setp") || ps_use_is(instruction, "set"))
        compare(search, point);
    if (!compute(search, point, &result))
        result = mix_all(search, point);
    for (guint i = 0; i < ps_ptx_n_destinations(instruction); i++)
        write_operand(search, point, &instruction->operands[i], &result);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void pass_all(PsUseSearch *search)
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
    PsUseSearch search = {.code = code, .dynamic = dynamic, .uses = uses};
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
        ps_use_settle_block(&search, d);
    ps_values_clear(&search.values);
    ps_ptx_walk_clear(&search.walk);
    return TRUE;
}
