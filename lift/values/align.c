/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Low bits of registers on which all points that write a register agree. At first each register
 * counts as unwritten, which agrees with everything. From round to round bits can only become
 * unknown, so the rounds end.
 */
#include "lift/values/align.h"

#include <string.h>

#define UNSET 65 /* not written yet: agrees with everything */
#define ROUNDS 32

static PsLowBits number(guint64 value)
{
    return (PsLowBits){64, value};
}

static PsLowBits unknown(void)
{
    return (PsLowBits){0, 0};
}

static guint64 mask_of(guint n)
{
    return n >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << n) - 1;
}

static PsLowBits make(guint n, guint64 bits)
{
    n = MIN(n, 64);
    return (PsLowBits){n, bits & mask_of(n)};
}

static guint trailing_zeros(PsLowBits value)
{
    guint n = 0;
    while (n < value.n && !(value.bits >> n & 1))
        n++;
    return n;
}

static PsLowBits agree(PsLowBits a, PsLowBits b)
{
    if (a.n == UNSET)
        return b;
    if (b.n == UNSET)
        return a;
    guint n = MIN(a.n, b.n);
    while ((a.bits ^ b.bits) & mask_of(n))
        n--;
    return make(n, a.bits);
}

static PsLowBits sum(PsLowBits a, PsLowBits b)
{
    return make(MIN(a.n, b.n), a.bits + b.bits);
}

/* The assembler places constants one behind the other, the first at 0. */
static PsLowBits of_constant(const PsFacts *facts, const PsPtxVariable *variable)
{
    const GPtrArray *variables = facts->code->module->variables;
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *first = variables->pdata[i];
        if (first->space == PS_PTX_CONST && first == variable)
            return number(0);
        if (first->space == PS_PTX_CONST)
            break;
    }
    return make(variable->align > 0 ? (guint)g_bit_storage(variable->align) - 1 : 0, 0);
}

static PsLowBits of_operand(const PsFacts *facts, const PsLowBits *registers, guint point, guint i)
{
    const PsPtxPoint *at = &facts->code->points[point];
    const PsPtxOperand *operand = &at->instruction->operands[i];
    guint64 offset;
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        return registers[ps_ptx_code_register(at, operand->reg)];
    if (operand->kind == PS_PTX_OPERAND_IMMEDIATE)
        return number((guint64)operand->value);
    if (operand->kind == PS_PTX_OPERAND_VARIABLE &&
        ps_facts_shared_at(facts, operand->variable, &offset))
        return number(offset + (guint64)operand->value);
    if (operand->kind == PS_PTX_OPERAND_VARIABLE && operand->variable &&
        operand->variable->space == PS_PTX_CONST)
        return sum(of_constant(facts, operand->variable), number((guint64)operand->value));
    return unknown();
}

/* The known bits of a product: those known of each factor, and as many more as the other factor has
 * trailing zeros. */
static PsLowBits product(PsLowBits a, PsLowBits b)
{
    const guint za = trailing_zeros(a), zb = trailing_zeros(b);
    return make(MIN(a.n + zb, b.n + za), a.bits * b.bits);
}

static PsLowBits conjunction(PsLowBits a, PsLowBits b)
{
    const guint n = MAX(MIN(a.n, b.n), MAX(trailing_zeros(a), trailing_zeros(b)));
    return make(n, a.bits & b.bits);
}

typedef struct {
    const char *opcode;
    char what; /* operation: = is a move, + - * (m adds a third operand) & | ^ < */
} Operation;

static char operation_of(const PsPtxMnemonic *mnemonic)
{
    static const Operation list[] = {{"mov", '='}, {"cvta", '='}, {"add", '+'}, {"sub", '-'},
                                     {"mul", '*'}, {"mad", 'm'},  {"and", '&'}, {"or", '|'},
                                     {"xor", '^'}, {"shl", '<'},  {"cvt", '='}};
    const gboolean integer = mnemonic->types[0] >= PS_PTX_B8 && mnemonic->types[0] <= PS_PTX_S64;
    if (!integer || ps_ptx_has(mnemonic, "hi"))
        return '?';
    for (gsize i = 0; i < G_N_ELEMENTS(list); i++)
        if (strcmp(list[i].opcode, mnemonic->opcode) == 0)
            return list[i].what;
    return '?';
}

static PsLowBits shift(PsLowBits a, PsLowBits by)
{
    return by.n == 64 && by.bits < 64 ? make(a.n + (guint)by.bits, a.bits << by.bits) : unknown();
}

static PsLowBits combine(char what, PsLowBits a, PsLowBits b, PsLowBits c)
{
    switch (what) {
    case '+':
        return sum(a, b);
    case '-':
        return make(MIN(a.n, b.n), a.bits - b.bits);
    case '*':
        return product(a, b);
    case 'm':
        return sum(product(a, b), c);
    case '&':
        return conjunction(a, b);
    case '|':
        return make(MIN(a.n, b.n), a.bits | b.bits);
    case '^':
        return make(MIN(a.n, b.n), a.bits ^ b.bits);
    case '<':
        return shift(a, b);
    default:
        return a;
    }
}

static PsLowBits evaluate(const PsFacts *facts, const PsLowBits *registers, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    const char what = operation_of(mnemonic);
    const gboolean from_float =
        what == '=' && mnemonic->n_types > 1 &&
        !(mnemonic->types[1] >= PS_PTX_B8 && mnemonic->types[1] <= PS_PTX_S64);
    PsLowBits in[3] = {{0, 0}, {0, 0}, {0, 0}};
    if (what == '?' || from_float || instruction->n_operands < 2)
        return unknown();
    for (guint i = 1; i < instruction->n_operands && i < 4; i++) {
        in[i - 1] = of_operand(facts, registers, point, i);
        if (in[i - 1].n == UNSET)
            return in[i - 1]; /* as long as that holds */
    }
    PsLowBits result = combine(what, in[0], in[1], in[2]);
    const guint bits = 8 * ps_ptx_type_size(mnemonic->types[0]);
    const gboolean widens = ps_ptx_has(mnemonic, "wide") || what == '=';
    if (!widens && result.n > bits)
        result = make(bits, result.bits);
    return result;
}

static gboolean round_of(const PsFacts *facts, PsLowBits *registers, gboolean last)
{
    gboolean changed = FALSE;
    for (guint p = 0; p < facts->code->n_points; p++) {
        const PsFact *fact = &facts->facts[p];
        for (guint i = 0; i < fact->n_to; i++) {
            PsLowBits *reg = &registers[ps_fact_to(facts, fact)[i]];
            PsLowBits value = fact->n_to == 1 ? evaluate(facts, registers, p) : unknown();
            value = agree(*reg, value);
            if (value.n == reg->n)
                continue;
            *reg = last ? unknown() : value;
            changed = TRUE;
        }
    }
    return changed;
}

PsLowBits *ps_low_bits(const PsFacts *facts)
{
    PsLowBits *registers = g_new0(PsLowBits, facts->n_registers + 1);
    for (guint i = 0; i <= facts->n_registers; i++)
        registers[i] = (PsLowBits){UNSET, 0};
    guint round = 0;
    /* In the last rounds a register that still changes becomes unknown as a whole; that spreads to
     * others and then ends. */
    while (round_of(facts, registers, round >= ROUNDS) && round < 2 * ROUNDS)
        round++;
    return registers;
}

PsLowBits ps_low_bits_of_address(const PsFacts *facts, const PsLowBits *registers, guint point,
                                 const PsPtxOperand *operand)
{
    PsLowBits base = number(0);
    guint64 at = 0;
    if (operand->reg >= 0)
        base = registers[ps_ptx_code_register(&facts->code->points[point], operand->reg)];
    else if (operand->variable && !ps_facts_shared_at(facts, operand->variable, &at))
        return unknown();
    return base.n == UNSET ? unknown() : sum(base, number(at + (guint64)operand->value));
}
