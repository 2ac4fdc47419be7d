/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A value that follows from a thread's place is kept as a polynomial in the twelve special
 * registers of the place, as long as it is made of sums and products. Anything else in it is kept
 * as "more", a term that is added. Where a value is used for anything but such arithmetic, in each
 * direction
 *
 *     tid may occur as ctaid * ntid + tid alone, ctaid likewise, and nctaid and ntid as their
 *     product alone
 *
 * or the direction is tied. Values of registers are followed through the blocks of the code until
 * nothing changes; where two different values meet, the result keeps what a use of either would
 * tie.
 */
#include "ptx/run/freedom.h"

#include "ptx/code/walk.h"
#include "ptx/run/values.h"

#include <string.h>

#define SYMBOLS 12 /* PS_PTX_TID_X to PS_PTX_NCTAID_Z */
#define BITS 4     /* bits of each symbol's power */
#define MOST_TERMS 8

typedef struct {
    guint64 powers; /* powers of the symbols, in the order of PsPtxSpecial from the lowest bits
                       on */
    gint64 times;   /* not 0 */
} Term;

/* Values are compared as bytes: there is no padding between the members, and unused terms are 0. */
typedef struct {
    guint n;
    gboolean more; /* something is added that does not follow from these alone */
    guint tied;    /* bit d: a use of the value ties direction d, whatever the terms say */
    guint unused;
    Term terms[MOST_TERMS]; /* in the order of their powers */
} Value;

/* Numbers of values: UNREACHED for code that no way has reached, OTHER for a value that has nothing
 * to do with a thread's place. */
enum { UNREACHED, OTHER };

G_STATIC_ASSERT(PS_PTX_NCTAID_Z == SYMBOLS - 1);

typedef struct {
    const PsPtxCode *code;
    PsValues values;       /* Value */
    PsPtxWalk walk;        /* follows numbers of values */
    PsPtxFreedom *freedom; /* NULL: uses tie nothing yet */
} Search;

/* ---- values ---------------------------------------------------------------------------------- */

static const Value *value_at(const Search *search, guint number)
{
    return ps_values_at(&search->values, number);
}

static guint number_of(Search *search, const Value *value)
{
    return ps_values_number(&search->values, value);
}

static guint number_of_term(Search *search, guint64 powers, gint64 times)
{
    const Value value = {.n = times != 0, .terms = {{powers, times}}};
    return number_of(search, &value);
}

/* The value of anything whose use ties these directions. */
static guint number_of_tied(Search *search, guint tied)
{
    const Value value = {.more = TRUE, .tied = tied};
    return tied ? number_of(search, &value) : OTHER;
}

static guint power(guint64 powers, guint symbol)
{
    return (guint)(powers >> (BITS * symbol)) & ((1U << BITS) - 1);
}

static gint64 times_of(const Value *value, guint64 powers)
{
    for (guint i = 0; i < value->n; i++)
        if (value->terms[i].powers == powers)
            return value->terms[i].times;
    return 0;
}

/* TRUE if a term leaves direction d free: for each tid there is a ctaid * ntid that goes with it,
 * and the other way round; the rest has as many nctaid as ntid. */
static gboolean is_fine(const Value *value, const Term *term, guint d)
{
    const guint64 tid = (guint64)1 << (BITS * (PS_PTX_TID_X + d)),
                  base = (guint64)1 << (BITS * (PS_PTX_CTAID_X + d)) |
                         (guint64)1 << (BITS * (PS_PTX_NTID_X + d));
    const guint tids = power(term->powers, PS_PTX_TID_X + d),
                groups = power(term->powers, PS_PTX_CTAID_X + d),
                sizes = power(term->powers, PS_PTX_NTID_X + d);
    const guint64 rest = term->powers - (tids ? tid : 0) - (!tids && groups && sizes ? base : 0);
    const guint64 partner = rest + (tids ? base : tid);
    if (tids + groups == 0)
        return sizes == power(term->powers, PS_PTX_NCTAID_X + d);
    return tids + groups == 1 && (tids || sizes) && times_of(value, partner) == term->times &&
           power(rest, PS_PTX_NTID_X + d) == power(rest, PS_PTX_NCTAID_X + d);
}

/* Directions that a use of the value ties: bit d for direction d. */
static guint tied_by(const Value *value)
{
    guint tied = value->tied;
    for (guint d = 0; d < 3; d++)
        for (guint i = 0; i < value->n; i++)
            if (!is_fine(value, &value->terms[i], d))
                tied |= 1U << d;
    return tied;
}

static guint join(gpointer user, guint x, guint y)
{
    Search *search = user;
    if (x == y || y == UNREACHED)
        return x;
    if (x == UNREACHED)
        return y;
    return number_of_tied(search, tied_by(value_at(search, x)) | tied_by(value_at(search, y)));
}

/* Adds a term; FALSE where there is no room for it. */
static gboolean add_term(Value *sum, guint64 powers, gint64 times)
{
    guint i = 0;
    while (i < sum->n && sum->terms[i].powers < powers)
        i++;
    if (i < sum->n && sum->terms[i].powers == powers) {
        sum->terms[i].times = (gint64)((guint64)sum->terms[i].times + (guint64)times);
        if (sum->terms[i].times == 0) {
            memmove(&sum->terms[i], &sum->terms[i + 1], (--sum->n - i) * sizeof(Term));
            sum->terms[sum->n] = (Term){0, 0};
        }
        return TRUE;
    }
    if (times == 0)
        return TRUE;
    if (sum->n == MOST_TERMS)
        return FALSE;
    memmove(&sum->terms[i + 1], &sum->terms[i], (sum->n++ - i) * sizeof(Term));
    sum->terms[i] = (Term){powers, times};
    return TRUE;
}

/* The value of a result that is no polynomial of few terms. */
static guint give_up(Search *search, guint x, guint y)
{
    return number_of_tied(search, tied_by(value_at(search, x)) | tied_by(value_at(search, y)));
}

static guint add(Search *search, guint x, guint y, gint64 times)
{
    const Value *b = value_at(search, y);
    Value sum = *value_at(search, x);
    sum.more |= b->more;
    sum.tied |= b->tied;
    for (guint i = 0; i < b->n; i++)
        if (!add_term(&sum, b->terms[i].powers,
                      (gint64)((guint64)b->terms[i].times * (guint64)times)))
            return give_up(search, x, y);
    return number_of(search, &sum);
}

static gboolean is_constant(const Value *value)
{
    return !value->more && !value->tied && (!value->n || (value->n == 1 && !value->terms->powers));
}

static gboolean add_product(Value *product, const Term *x, const Term *y)
{
    for (guint i = 0; i < SYMBOLS; i++)
        if (power(x->powers, i) + power(y->powers, i) >= 1U << BITS)
            return FALSE;
    return add_term(product, x->powers + y->powers,
                    (gint64)((guint64)x->times * (guint64)y->times));
}

static guint multiply(Search *search, guint x, guint y)
{
    const Value *a = value_at(search, x), *b = value_at(search, y);
    Value product = {.more = a->more || b->more, .tied = a->tied | b->tied};
    gboolean good = (!a->more || is_constant(b)) && (!b->more || is_constant(a));
    for (guint i = 0; i < a->n; i++)
        for (guint k = 0; k < b->n; k++)
            good = good && add_product(&product, &a->terms[i], &b->terms[k]);
    return good ? number_of(search, &product) : give_up(search, x, y);
}

/* ---- uses ------------------------------------------------------------------------------------ */

static void tie(PsPtxFreedom *freedom, PsPtxTieKind kind, guint point)
{
    if (freedom->tie != PS_PTX_TIE_NONE)
        return;
    freedom->tie = kind;
    freedom->point = point;
}

static void use(const Search *search, guint number, guint point)
{
    const guint tied = search->freedom ? tied_by(value_at(search, number)) : 0;
    for (guint d = 0; d < 3; d++)
        if (tied & 1U << d)
            tie(&search->freedom[d], PS_PTX_TIE_INDEX, point);
}

/* The value of an operand. An address, a vector or a list has no value; its parts count as used. */
static guint read_operand(Search *search, guint point, const PsPtxOperand *operand)
{
    const PsPtxPoint *at = &search->code->points[point];
    switch (operand->kind) {
    case PS_PTX_OPERAND_REGISTER:
        if (operand->negated)
            use(search, search->walk.now[ps_ptx_code_register(at, operand->reg)], point);
        return operand->negated ? OTHER : search->walk.now[ps_ptx_code_register(at, operand->reg)];
    case PS_PTX_OPERAND_IMMEDIATE:
        return operand->literal == PS_PTX_INTEGER ? number_of_term(search, 0, operand->value)
                                                  : OTHER;
    case PS_PTX_OPERAND_SPECIAL:
        return operand->value < SYMBOLS
                   ? number_of_term(search, (guint64)1 << (BITS * operand->value), 1)
                   : OTHER;
    case PS_PTX_OPERAND_ADDRESS:
        if (operand->reg >= 0)
            use(search, search->walk.now[ps_ptx_code_register(at, operand->reg)], point);
        return OTHER;
    case PS_PTX_OPERAND_VECTOR:
    case PS_PTX_OPERAND_LIST:
        for (guint i = 0; i < operand->n_members; i++)
            use(search, read_operand(search, point, &operand->members[i]), point);
        return OTHER;
    default:
        return OTHER;
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

static void write_register(Search *search, guint point, const PsPtxOperand *to, guint number)
{
    const PsPtxPoint *at = &search->code->points[point];
    if (to->kind == PS_PTX_OPERAND_REGISTER) {
        guint *now = &search->walk.now[ps_ptx_code_register(at, to->reg)];
        *now = at->instruction->guard >= 0 ? join(search, *now, number) : number;
    }
    for (guint i = 0; to->kind == PS_PTX_OPERAND_VECTOR && i < to->n_members; i++)
        write_register(search, point, &to->members[i], number);
}

/* TRUE for operations on whole numbers of at least 32 bits. */
static gboolean is_wide(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    gboolean wide = mnemonic->n_types > 0;
    for (guint i = 0; i < mnemonic->n_types; i++) {
        const PsPtxType type = mnemonic->types[i];
        wide = wide && (type == PS_PTX_B32 || type == PS_PTX_B64 || type == PS_PTX_U32 ||
                        type == PS_PTX_U64 || type == PS_PTX_S32 || type == PS_PTX_S64);
    }
    return wide;
}

/* TRUE for a pair: a number of 64 bits made of two halves. */
static gboolean is_pair(const PsPtxInstruction *instruction, const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_VECTOR && operand->n_members == 2 &&
           ps_ptx_type_size(instruction->mnemonic->types[0]) == 8;
}

/* The value of a pair is its lower half, and something more unless the upper half is 0. */
static guint read_pair(Search *search, guint point, const PsPtxOperand *operand)
{
    const guint lower = read_operand(search, point, &operand->members[0]),
                upper = read_operand(search, point, &operand->members[1]);
    const Value *value = value_at(search, upper);
    if (is_constant(value) && !value->n)
        return lower;
    return tied_by(value) ? give_up(search, lower, upper) : add(search, lower, OTHER, 1);
}

static void move(Search *search, guint point, const PsPtxInstruction *instruction)
{
    const PsPtxOperand *to = &instruction->operands[0], *from = &instruction->operands[1];
    const guint number = is_pair(instruction, from) ? read_pair(search, point, from)
                                                    : read_operand(search, point, from);
    if (!is_pair(instruction, to)) {
        if (to->kind == PS_PTX_OPERAND_VECTOR)
            use(search, number, point);
        write_register(search, point, to, to->kind == PS_PTX_OPERAND_VECTOR ? OTHER : number);
        return;
    }
    const guint upper = number_of_tied(search, tied_by(value_at(search, number)));
    write_register(search, point, &to->members[0], number);
    write_register(search, point, &to->members[1], upper);
}

/* A shift to the left by a number is a product. */
static guint shift_left(Search *search, guint x, guint by)
{
    const Value *bits = value_at(search, by);
    const gint64 n = bits->n ? bits->terms->times : 0;
    if (!is_constant(bits) || n < 0 || n > 62)
        return give_up(search, x, by);
    return multiply(search, x, number_of_term(search, 0, (gint64)1 << n));
}

/* TRUE for a copy, or arithmetic on polynomials that gives a polynomial. */
static gboolean is_followed(const PsPtxInstruction *instruction)
{
    static const struct {
        const char *opcode;
        guint n;
    } list[] = {{"mov", 2}, {"cvt", 2}, {"add", 3}, {"sub", 3}, {"mul", 3}, {"shl", 3}, {"mad", 4}};
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    for (guint i = 0; i < G_N_ELEMENTS(list); i++)
        if (is(instruction, list[i].opcode))
            return instruction->n_operands == list[i].n && is_wide(instruction) &&
                   !ps_ptx_has(mnemonic, "hi") && !ps_ptx_has(mnemonic, "cc") &&
                   !ps_ptx_has(mnemonic, "sat");
    return FALSE;
}

static void compute(Search *search, guint point, const PsPtxInstruction *instruction)
{
    const guint x = read_operand(search, point, &instruction->operands[1]),
                y = read_operand(search, point, &instruction->operands[2]);
    guint result = is(instruction, "shl")   ? shift_left(search, x, y)
                   : is(instruction, "sub") ? add(search, x, y, -1)
                   : is(instruction, "add") ? add(search, x, y, 1)
                                            : multiply(search, x, y);
    if (is(instruction, "mad"))
        result = add(search, result, read_operand(search, point, &instruction->operands[3]), 1);
    write_register(search, point, &instruction->operands[0], result);
}

static gboolean writes_first(const PsPtxInstruction *instruction)
{
    return instruction->n_operands > 0 && !is(instruction, "st") && !is(instruction, "red");
}

/* Any other instruction uses what it reads. */
static void do_other(Search *search, guint point, const PsPtxInstruction *instruction)
{
    const guint first = writes_first(instruction) ? 1 + instruction->pair : 0;
    for (guint i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        const gboolean written = i < first && operand->kind != PS_PTX_OPERAND_ADDRESS;
        if (!written)
            use(search, read_operand(search, point, operand), point);
    }
    for (guint i = 0; i < first; i++)
        write_register(search, point, &instruction->operands[i], OTHER);
}

static void pass(gpointer user, guint point)
{
    Search *search = user;
    const PsPtxPoint *at = &search->code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    if (instruction->guard >= 0)
        use(search, search->walk.now[ps_ptx_code_register(at, instruction->guard)], point);
    if (!is_followed(instruction))
        do_other(search, point, instruction);
    else if (is(instruction, "mov"))
        move(search, point, instruction);
    else if (is(instruction, "cvt"))
        write_register(search, point, &instruction->operands[0],
                       read_operand(search, point, &instruction->operands[1]));
    else
        compute(search, point, instruction);
}

/* ---- what is plain to see -------------------------------------------------------------------- */

/* The tie that the instruction's kind makes, whatever its operands are. */
static PsPtxTieKind tie_of(const PsPtxInstruction *instruction)
{
    static const char *const of_warps[] = {"activemask",
                                           "elect",
                                           "ldmatrix",
                                           "match",
                                           "mma",
                                           "movmatrix",
                                           "redux",
                                           "shfl",
                                           "stmatrix",
                                           "vote",
                                           "wmma",
                                           "wgmma",
                                           "tcgen05",
                                           "mapa",
                                           "getctarank",
                                           "multimem",
                                           "clusterlaunchcontrol"};
    if ((is(instruction, "bar") && !ps_ptx_has(instruction->mnemonic, "warp")) ||
        is(instruction, "barrier") || is(instruction, "mbarrier"))
        return PS_PTX_TIE_BARRIER;
    if (instruction->mnemonic->space == PS_PTX_SHARED)
        return PS_PTX_TIE_SHARED;
    for (guint i = 0; i < G_N_ELEMENTS(of_warps); i++)
        if (is(instruction, of_warps[i]))
            return PS_PTX_TIE_WARP;
    for (guint i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        if (operand->kind == PS_PTX_OPERAND_SPECIAL &&
            ((operand->value >= PS_PTX_LANEID && operand->value <= PS_PTX_NWARPID) ||
             (operand->value >= PS_PTX_LANEMASK_EQ && operand->value <= PS_PTX_LANEMASK_GT) ||
             operand->value >= PS_PTX_CLUSTERID_X))
            return PS_PTX_TIE_WARP;
    }
    return PS_PTX_TIE_NONE;
}

static gboolean reads(const PsPtxInstruction *instruction, gint64 special)
{
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_SPECIAL &&
            instruction->operands[i].value == special)
            return TRUE;
    return FALSE;
}

/* Machine code names the memory that a launch may add, even where it does not use it. */
static gboolean has_shared(const PsPtxCode *code, guint64 system)
{
    return code->module->machine ? code->shared_bytes > system : code->shared->len > 0;
}

static void look_at_instructions(const PsPtxCode *code, guint64 system, PsPtxFreedom freedom[3])
{
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxInstruction *instruction = code->points[i].instruction;
        const PsPtxTieKind kind = tie_of(instruction);
        for (guint d = 0; d < 3; d++) {
            freedom[d].counted |= reads(instruction, PS_PTX_NCTAID_X + d);
            if (kind != PS_PTX_TIE_NONE)
                tie(&freedom[d], kind, i);
        }
    }
    for (guint d = 0; d < 3; d++) {
        if (code->kernel->required[0])
            tie(&freedom[d], PS_PTX_TIE_SIZE, PS_PTX_NOWHERE);
        if (has_shared(code, system))
            tie(&freedom[d], PS_PTX_TIE_SHARED, PS_PTX_NOWHERE);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Follows values until nothing changes; then passes through the code once more, and notes what uses
 * tie. */
static void follow(Search *search, PsPtxFreedom freedom[3])
{
    const Value other = {.more = TRUE};
    search->values = ps_values_new(sizeof(Value)); /* nothing is found to be UNREACHED */
    number_of(search, &other);
    ps_ptx_walk_settle(&search->walk);
    search->freedom = freedom;
    ps_ptx_walk_all(&search->walk, FALSE);
    ps_values_clear(&search->values);
    ps_ptx_walk_clear(&search->walk);
}

void ps_ptx_freedom(const PsPtxCode *code, guint64 system, PsPtxFreedom freedom[3])
{
    Search search = {.code = code};
    const PsPtxWalker walker = {pass, join, &search};
    for (guint d = 0; d < 3; d++)
        freedom[d] = (PsPtxFreedom){.point = PS_PTX_NOWHERE};
    look_at_instructions(code, system, freedom);
    if (freedom[0].tie != PS_PTX_TIE_NONE)
        return;
    if (ps_ptx_walk_init(&search.walk, code, walker)) {
        follow(&search, freedom);
        return;
    }
    for (guint d = 0; d < 3; d++)
        tie(&freedom[d], PS_PTX_TIE_UNKNOWN, PS_PTX_NOWHERE);
}
