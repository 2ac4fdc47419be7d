/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rule "addresses": integer instructions that the assembler joins, and the sizes of those that
 * remain. In this order, each instruction takes in at most one other, but for logic:
 *
 *     x + constant, only addresses are made of it      in the access:    [x+constant]
 *     x << 2, 3, 4 to an address in shared memory      in the access:    [x.X4+constant]
 *     base + index * size (of 64 bits)                 one wide multiply-add
 *     x << n | y >> (32 - n)                           one shift of two registers
 *     ~x, all readers are logic                        in these
 *     x << constant, all readers add it                in the addition:  LEA (x >> constant, too)
 *     x * y, all readers add it                        one multiply-add
 *     x * y of floats, all readers add it, none is rounded    one multiply-add
 *     x + y, its one reader adds it                    one addition of three
 *     logic, its one reader is logic, three inputs     one LOP3
 *     predicate logic of a comparison without other readers: in the comparison
 *     x / d after y / d in straight code               what needs its own dividend
 */
#include "base/class-name.h"
#include "lift/rules/rules.h"

#include <string.h>

#define MOST_COPIES 64   /* readers into which an instruction may be merged, at most */
#define MOST_BEFORE 1024 /* instructions before a division that are searched */

static const PsPtxMnemonic *mnemonic_of(const PsFacts *facts, guint point)
{
    return ps_facts_instruction(facts, point)->mnemonic;
}

static gboolean is_node(const PsFacts *facts, guint point)
{
    return facts->facts[point].role == PS_ROLE_NODE &&
           ps_facts_instruction(facts, point)->guard < 0;
}

static gboolean is_integer(PsPtxType type)
{
    return type >= PS_PTX_B8 && type <= PS_PTX_S64;
}

/* TRUE for an addition of integers of so many bytes (0: any). */
static gboolean is_add(const PsFacts *facts, guint point, guint size)
{
    const PsPtxType type = mnemonic_of(facts, point)->types[0];
    return is_node(facts, point) && ps_facts_is(facts, point, "add") && is_integer(type) &&
           !ps_ptx_has(mnemonic_of(facts, point), "cc") &&
           (size == 0 || ps_ptx_type_size(type) == size);
}

static guint size_of(const PsFacts *facts, guint point)
{
    return ps_ptx_type_size(mnemonic_of(facts, point)->types[0]);
}

static guint result_of(const PsFacts *facts, guint point)
{
    return ps_facts_operand(facts, point, 0);
}

/* TRUE if no other point writes the result, so the register always holds this point's value. */
static gboolean is_alone(const PsFacts *facts, guint point)
{
    const guint reg = result_of(facts, point);
    return reg != PS_PTX_NOWHERE && ps_facts_definition(facts, reg) == point;
}

/* Moves the work of the instruction that vanishes into the other one. */
static void take_in(PsFacts *facts, guint point, guint vanishes, const char *name)
{
    facts->facts[point].joined = TRUE;
    facts->facts[point].class.ops += facts->facts[vanishes].class.ops;
    if (name)
        facts->facts[point].name = name;
}

static void vanish(PsFacts *facts, guint point)
{
    facts->facts[point].role = PS_ROLE_FORWARD;
}

/* ---- constants in addresses ------------------------------------------------------------------ */

/* The memory in which a register must be an address. */
typedef enum { ANY_SPACE, SHARED_ONLY } Space;

static gboolean makes_addresses(const PsFacts *facts, guint reg, Space space, int depth);

static gboolean is_access_to(const PsFacts *facts, guint point, Space space)
{
    return space == ANY_SPACE || ps_class_is_local(facts->facts[point].class.name);
}

/* TRUE for an addition whose result is only used in addresses, and for a move to such a register.
 * An addition that an access to shared memory can hold was forwarded before (fold_constant). */
static gboolean passes_on(const PsFacts *facts, guint point, Space space, int depth)
{
    const gboolean forwards = facts->facts[point].role == PS_ROLE_FORWARD ||
                              (space == ANY_SPACE && is_add(facts, point, 0));
    return depth <= 8 && forwards && is_alone(facts, point) &&
           makes_addresses(facts, result_of(facts, point), space, depth + 1);
}

/* TRUE if the register is only used as an address, or in sums that are addresses. */
static gboolean makes_addresses(const PsFacts *facts, guint reg, Space space, int depth)
{
    const guint n = ps_facts_n_readers(facts, reg);
    for (guint i = 0; i < n; i++) {
        const guint reader = ps_facts_reader(facts, reg, i);
        const gboolean address = ps_facts_reader_use(facts, reg, i) == PS_USE_ADDRESS &&
                                 is_access_to(facts, reader, space);
        if (!address && !passes_on(facts, reader, space, depth))
            return FALSE;
    }
    return n > 0 && n <= 4096;
}

static void fold_constant(PsFacts *facts, guint point)
{
    gint64 value;
    if (!is_add(facts, point, 0) || !is_alone(facts, point) ||
        !(ps_facts_constant(facts, point, 2, &value) || ps_facts_constant(facts, point, 1, &value)))
        return;
    if (value > -(1 << 23) && value < (1 << 23) &&
        makes_addresses(facts, result_of(facts, point), ANY_SPACE, 0))
        vanish(facts, point);
}

/* ---- products and shifts in sums ---------------------------------------------------------------
 */

/* A left shift by *by; or an unsigned right shift, which LEA.HI can do (then *by is 0). */
static gboolean shifts_by(const PsFacts *facts, guint point, gint64 *by)
{
    const PsPtxType type = mnemonic_of(facts, point)->types[0];
    const gboolean right =
        ps_facts_is(facts, point, "shr") && (type == PS_PTX_U32 || type == PS_PTX_B32);
    if (!is_node(facts, point) || !(right || ps_facts_is(facts, point, "shl")) ||
        !is_alone(facts, point) || !ps_facts_constant(facts, point, 2, by))
        return FALSE;
    if (right)
        *by = 0;
    return TRUE;
}

/* TRUE if the 64 bits of an operand are 32 with their sign: then a left shift is a wide product. */
static gboolean is_widened(const PsFacts *facts, guint point)
{
    const guint reg = ps_facts_operand(facts, point, 1);
    const guint from = reg == PS_PTX_NOWHERE ? reg : ps_facts_definition(facts, reg);
    return from != PS_PTX_NOWHERE && ps_facts_is(facts, from, "cvt") &&
           facts->facts[from].role == PS_ROLE_FORWARD &&
           ps_ptx_type_size(mnemonic_of(facts, from)->types[1]) == 4;
}

/* TRUE if the reader is an addition of that size into which the instruction can vanish. */
static gboolean can_join(const PsFacts *facts, guint reader, guint size)
{
    return is_add(facts, reader, size) && !facts->facts[reader].joined;
}

static gboolean all_readers_add(const PsFacts *facts, guint point, guint size)
{
    const guint reg = result_of(facts, point);
    const guint n = ps_facts_n_readers(facts, reg);
    for (guint i = 0; i < n; i++)
        if (!can_join(facts, ps_facts_reader(facts, reg, i), size))
            return FALSE;
    return n > 0 && n <= MOST_COPIES;
}

static void join_readers(PsFacts *facts, guint point, const char *name)
{
    const guint reg = result_of(facts, point);
    for (guint i = 0; i < ps_facts_n_readers(facts, reg); i++)
        if (is_add(facts, ps_facts_reader(facts, reg, i), 0))
            take_in(facts, ps_facts_reader(facts, reg, i), point, name);
    vanish(facts, point);
}

/* TRUE for an access to shared memory whose address can contain a shift by 2, 3 or 4. */
static gboolean scales(const PsFacts *facts, guint reg, guint i, gint64 by)
{
    const guint reader = ps_facts_reader(facts, reg, i);
    if (by < 2 || by > 4)
        return FALSE;
    return (ps_facts_reader_use(facts, reg, i) == PS_USE_ADDRESS &&
            is_access_to(facts, reader, SHARED_ONLY)) ||
           passes_on(facts, reader, SHARED_ONLY, 0);
}

/* Merges a shift into each reader that can contain it; TRUE if all can. */
static gboolean shift_into_readers(PsFacts *facts, guint point, gint64 by, const char *name)
{
    const guint size = ps_ptx_type_size(mnemonic_of(facts, point)->types[0]);
    const guint reg = result_of(facts, point), n = ps_facts_n_readers(facts, reg);
    gboolean all = n > 0;
    for (guint i = 0; i < n; i++) {
        const guint reader = ps_facts_reader(facts, reg, i);
        if (size == 4 && scales(facts, reg, i, by))
            continue;
        if (!can_join(facts, reader, size))
            all = FALSE;
        else if (name)
            take_in(facts, reader, point, name);
    }
    return all;
}

/* A shift that some reader cannot contain stays an instruction; then only wide products gain by
 * it. */
static void fold_shift(PsFacts *facts, guint point)
{
    gint64 by;
    if (!shifts_by(facts, point, &by) ||
        ps_facts_n_readers(facts, result_of(facts, point)) > MOST_COPIES)
        return;
    const gboolean wide = ps_ptx_type_size(mnemonic_of(facts, point)->types[0]) == 8;
    const gboolean widened = wide && is_widened(facts, point);
    if (!widened && !shift_into_readers(facts, point, by, NULL))
        return;
    if (shift_into_readers(facts, point, by, widened ? "imad.wide" : wide ? "iadd.carry" : "iadd"))
        vanish(facts, point);
}

static void fold_wide_product(PsFacts *facts, guint point)
{
    if (is_node(facts, point) && ps_facts_is(facts, point, "mul") &&
        ps_ptx_has(mnemonic_of(facts, point), "wide") &&
        ps_ptx_type_size(mnemonic_of(facts, point)->types[0]) == 4 && is_alone(facts, point) &&
        all_readers_add(facts, point, 8))
        join_readers(facts, point, "imad.wide");
}

static void fold_product(PsFacts *facts, guint point)
{
    const PsPtxMnemonic *mnemonic = mnemonic_of(facts, point);
    if (is_node(facts, point) && ps_facts_is(facts, point, "mul") && ps_ptx_has(mnemonic, "lo") &&
        ps_ptx_type_size(mnemonic->types[0]) == 4 && is_alone(facts, point) &&
        all_readers_add(facts, point, 4))
        join_readers(facts, point, "imad");
}

/* TRUE for an operation on singles or doubles whose rounding the assembler may choose. */
static gboolean is_unrounded(const PsFacts *facts, guint point)
{
    static const char *const ways[] = {"rn", "rz", "rm", "rp", "sat"};
    const PsPtxMnemonic *mnemonic = mnemonic_of(facts, point);
    for (guint i = 0; i < G_N_ELEMENTS(ways); i++)
        if (ps_ptx_has(mnemonic, ways[i]))
            return FALSE;
    return is_node(facts, point) &&
           (mnemonic->types[0] == PS_PTX_F32 || mnemonic->types[0] == PS_PTX_F64);
}

/* TRUE for a sum of the product that the assembler joins with it. */
static gboolean contracts(const PsFacts *facts, guint product, guint sum)
{
    const PsPtxMnemonic *of = mnemonic_of(facts, product), *with = mnemonic_of(facts, sum);
    return is_unrounded(facts, sum) && !facts->facts[sum].joined &&
           (ps_facts_is(facts, sum, "add") || ps_facts_is(facts, sum, "sub")) &&
           with->types[0] == of->types[0] && ps_ptx_has(with, "ftz") == ps_ptx_has(of, "ftz") &&
           ps_facts_operand(facts, sum, 1) != ps_facts_operand(facts, sum, 2);
}

/* PTX ISA, add and mul: operations without a stated rounding may be contracted. nvcc writes a - b *
 * c so. */
static void fold_float_product(PsFacts *facts, guint point)
{
    if (!is_unrounded(facts, point) || !ps_facts_is(facts, point, "mul") || !is_alone(facts, point))
        return;
    const guint reg = result_of(facts, point), n = ps_facts_n_readers(facts, reg);
    if (n == 0 || n > MOST_COPIES)
        return;
    for (guint i = 0; i < n; i++)
        if (!contracts(facts, point, ps_facts_reader(facts, reg, i)))
            return;
    const gboolean is_double = mnemonic_of(facts, point)->types[0] == PS_PTX_F64;
    for (guint i = 0; i < n; i++)
        take_in(facts, ps_facts_reader(facts, reg, i), point, is_double ? "dfma" : "fmadd");
    vanish(facts, point);
}

/* The sums of a 64-bit product are done by the product's own instructions, two of which add. */
static void fold_long_product(PsFacts *facts, guint point)
{
    const PsPtxMnemonic *mnemonic = mnemonic_of(facts, point);
    if (!is_node(facts, point) || !ps_facts_is(facts, point, "mul") ||
        !ps_ptx_has(mnemonic, "lo") || ps_ptx_type_size(mnemonic->types[0]) != 8 ||
        !is_alone(facts, point) || !all_readers_add(facts, point, 8))
        return;
    const char *product =
        ps_sequence_text(ps_facts_instruction(facts, point), PS_PTX_WAY_SHORT, TRUE);
    const guint reg = result_of(facts, point);
    for (guint i = 0; i < ps_facts_n_readers(facts, reg); i++)
        ps_facts_set_sequence(facts, ps_facts_reader(facts, reg, i), product);
    join_readers(facts, point, NULL);
}

static void fold_sum(PsFacts *facts, guint point)
{
    if (is_add(facts, point, 4) && !facts->facts[point].joined && is_alone(facts, point) &&
        ps_facts_n_readers(facts, result_of(facts, point)) == 1 && all_readers_add(facts, point, 4))
        join_readers(facts, point, NULL);
}

/* The point of a shift that only this operand reads, by *bits; PS_PTX_NOWHERE: none. */
static guint shift_read(const PsFacts *facts, guint point, guint operand, const char *opcode,
                        gint64 *bits)
{
    const guint reg = ps_facts_operand(facts, point, operand);
    const guint from = reg == PS_PTX_NOWHERE ? reg : ps_facts_definition(facts, reg);
    if (from == PS_PTX_NOWHERE || !is_node(facts, from) || !ps_facts_is(facts, from, opcode))
        return PS_PTX_NOWHERE;
    const PsPtxType type = mnemonic_of(facts, from)->types[0];
    const gboolean with_sign =
        strcmp(opcode, "shr") == 0 && (type == PS_PTX_S32 || type == PS_PTX_S64);
    return !with_sign && ps_ptx_type_size(type) == size_of(facts, point) &&
                   ps_facts_n_readers(facts, reg) == 1 && ps_facts_constant(facts, from, 2, bits)
               ? from
               : PS_PTX_NOWHERE;
}

/* Two shifts of two registers become one; for 64 bits two, if both shift the same value. */
static void join_shifts(PsFacts *facts, guint point, guint high, guint low)
{
    take_in(facts, point, high, "shift");
    take_in(facts, point, low, "shift");
    if (size_of(facts, point) == 8)
        ps_facts_set_sequence(
            facts, point,
            ps_sequence_text(ps_facts_instruction(facts, low), PS_PTX_WAY_SHORT, TRUE));
    vanish(facts, high);
    vanish(facts, low);
    if (size_of(facts, point) == 4 && is_alone(facts, point) && all_readers_add(facts, point, 4))
        join_readers(facts, point, "iadd");
}

/* x << n | y >> (32 - n), or their sum. */
static void fold_funnel(PsFacts *facts, guint point)
{
    const guint size = size_of(facts, point);
    if (!is_node(facts, point) || (size != 4 && size != 8) ||
        !(ps_facts_is(facts, point, "or") || is_add(facts, point, size)))
        return;
    for (guint left = 1; left <= 2; left++) {
        gint64 up, down;
        const guint high = shift_read(facts, point, left, "shl", &up);
        const guint low = shift_read(facts, point, 3 - left, "shr", &down);
        if (high == PS_PTX_NOWHERE || low == PS_PTX_NOWHERE || up + down != 8 * size ||
            (size == 8 && ps_facts_operand(facts, high, 1) != ps_facts_operand(facts, low, 1)))
            continue;
        join_shifts(facts, point, high, low);
        return;
    }
}

/* ---- divisions ------------------------------------------------------------------------------ */

static gboolean writes(const PsFacts *facts, guint point, guint reg)
{
    const PsFact *fact = &facts->facts[point];
    for (guint i = 0; i < fact->n_to; i++)
        if (ps_fact_to(facts, fact)[i] == reg)
            return TRUE;
    return FALSE;
}

/* The register that a division by its inverse divides by; PS_PTX_NOWHERE: it is no such
 * division. */
static guint divisor_of(const PsFacts *facts, guint point)
{
    return is_node(facts, point) && ps_sequence_again(ps_facts_instruction(facts, point))
               ? ps_facts_operand(facts, point, 2)
               : PS_PTX_NOWHERE;
}

/* A division by an earlier divisor of the same straight code has the inverse already. */
static void keep_inverse(PsFacts *facts, guint point)
{
    const guint divisor = divisor_of(facts, point);
    if (divisor == PS_PTX_NOWHERE)
        return;
    const PsPtxType type = mnemonic_of(facts, point)->types[0];
    for (guint p = point; p > 0 && !facts->code->points[p].leader && point - p < MOST_BEFORE; p--) {
        if (writes(facts, p - 1, divisor))
            return;
        if (divisor_of(facts, p - 1) == divisor && mnemonic_of(facts, p - 1)->types[0] == type) {
            ps_facts_set_sequence(facts, point,
                                  ps_sequence_again(ps_facts_instruction(facts, point)));
            return;
        }
    }
}

/* ---- logic ---------------------------------------------------------------------------------- */

static gboolean is_logic(const PsFacts *facts, guint point, const char *class_name)
{
    return is_node(facts, point) && strcmp(facts->facts[point].class.name, class_name) == 0;
}

/* LOP3 takes its operands plain or inverted. */
static void fold_inversion(PsFacts *facts, guint point)
{
    if (!is_logic(facts, point, "logic") || !ps_facts_is(facts, point, "not") ||
        !is_alone(facts, point))
        return;
    const guint reg = result_of(facts, point), n = ps_facts_n_readers(facts, reg);
    for (guint i = 0; i < n; i++)
        if (!is_logic(facts, ps_facts_reader(facts, reg, i), "logic"))
            return;
    if (n > 0 && n <= MOST_COPIES)
        vanish(facts, point);
}

/* Inputs of a logical operation once it has taken in others: registers and numbers. */
#define MOST_TERMS 3

typedef struct {
    struct {
        guint reg; /* PS_PTX_NOWHERE: a number */
        gint64 number;
    } terms[MOST_TERMS];
    guint n; /* above MOST_TERMS: too many */
} Terms;

static void add_term(Terms *terms, guint reg, gint64 number)
{
    for (guint i = 0; i < terms->n && i < MOST_TERMS; i++)
        if (terms->terms[i].reg == reg && terms->terms[i].number == number)
            return;
    if (terms->n < MOST_TERMS) {
        terms->terms[terms->n].reg = reg;
        terms->terms[terms->n].number = number;
    }
    terms->n++;
}

/* TRUE for a logical operation that becomes part of its reader. */
static gboolean is_taken_in(const PsFacts *facts, guint point)
{
    return point != PS_PTX_NOWHERE && facts->facts[point].role == PS_ROLE_FORWARD &&
           strcmp(facts->facts[point].class.name, "logic") == 0;
}

static void add_terms(const PsFacts *facts, guint point, guint without, Terms *terms)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    for (guint i = 1; i < instruction->n_operands && terms->n <= MOST_TERMS; i++) {
        const guint reg = ps_facts_operand(facts, point, i);
        const guint definition = reg == PS_PTX_NOWHERE ? reg : ps_facts_definition(facts, reg);
        if (is_taken_in(facts, definition))
            add_terms(facts, definition, without, terms);
        else if (reg == PS_PTX_NOWHERE || reg != without)
            add_term(terms, reg, reg == PS_PTX_NOWHERE ? instruction->operands[i].value : 0);
    }
}

/* LOP3 is any function of three: ptxas makes one of all operations between three registers and a
 * result that nothing between them needs elsewhere: (e & f) | (~e & g), (a & b) ^ (a & c). */
static gboolean joins(const PsFacts *facts, guint point)
{
    return is_logic(facts, point, "logic") && !ps_facts_is(facts, point, "lop3") &&
           strcmp(facts->facts[point].name, "logic") == 0;
}

static gboolean fold_logic(PsFacts *facts, guint point)
{
    Terms terms = {.n = 0};
    if (!joins(facts, point) || !is_alone(facts, point))
        return FALSE;
    const guint reg = result_of(facts, point);
    if (ps_facts_n_readers(facts, reg) != 1)
        return FALSE;
    const guint reader = ps_facts_reader(facts, reg, 0);
    if (!joins(facts, reader))
        return FALSE;
    add_terms(facts, point, PS_PTX_NOWHERE, &terms);
    add_terms(facts, reader, reg, &terms);
    if (terms.n > MOST_TERMS)
        return FALSE;
    facts->facts[reader].joined = TRUE; /* one operation, whatever it combines */
    vanish(facts, point);
    return TRUE;
}

/* When one operand has become part of an operation, its other one may use the same registers. */
static void fold_all_logic(PsFacts *facts)
{
    gboolean more;
    do {
        more = FALSE;
        for (guint p = 0; p < facts->code->n_points; p++)
            more |= fold_logic(facts, p);
    } while (more);
}

/* p = a op b, where a or b is a comparison that nothing else reads: the comparison does this,
 * too. */
static void fold_predicate(PsFacts *facts, guint point)
{
    if (!is_logic(facts, point, "logic.predicate"))
        return;
    for (guint operand = 1; operand <= 2; operand++) {
        const guint reg = ps_facts_operand(facts, point, operand);
        const guint compare = reg == PS_PTX_NOWHERE ? reg : ps_facts_definition(facts, reg);
        if (compare == PS_PTX_NOWHERE || !is_node(facts, compare) ||
            !ps_facts_is(facts, compare, "setp") || facts->facts[compare].joined ||
            ps_facts_n_readers(facts, reg) != 1)
            continue;
        take_in(facts, compare, point, NULL);
        vanish(facts, point);
        return;
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void for_all(PsFacts *facts, void (*fold)(PsFacts *facts, guint point))
{
    for (guint p = 0; p < facts->code->n_points; p++)
        fold(facts, p);
}

/* TRUE for an addition that is only used in addresses of constants, which have 32 bits. */
static gboolean counts_constants(const PsFacts *facts, guint point)
{
    if (!is_add(facts, point, 8))
        return FALSE;
    const guint reg = result_of(facts, point), n = ps_facts_n_readers(facts, reg);
    guint loads = 0;
    for (guint i = 0; i < n; i++) {
        const guint reader = ps_facts_reader(facts, reg, i);
        if (reader == point)
            continue;
        if (ps_facts_reader_use(facts, reg, i) != PS_USE_ADDRESS ||
            mnemonic_of(facts, reader)->space != PS_PTX_CONST)
            return FALSE;
        loads++;
    }
    return loads > 0;
}

/* Registers have 32 bits: a 64-bit instruction becomes several, unless an earlier rule changed
 * that. */
static void part_wide(PsFacts *facts, guint point)
{
    const PsFact *fact = &facts->facts[point];
    if (counts_constants(facts, point))
        return;
    if (fact->role == PS_ROLE_NODE && !fact->sequence && strcmp(fact->name, "imad.wide") != 0)
        ps_facts_set_sequence(
            facts, point,
            ps_sequence_text(ps_facts_instruction(facts, point), PS_PTX_WAY_SHORT, TRUE));
}

void ps_rule_addresses(PsFacts *facts)
{
    static void (*const before[])(PsFacts *, guint) = {
        fold_constant,      fold_wide_product, fold_funnel, fold_shift,     fold_product,
        fold_float_product, fold_long_product, fold_sum,    fold_inversion,
    };
    static void (*const behind[])(PsFacts *, guint) = {fold_predicate, keep_inverse, part_wide};
    for (gsize i = 0; i < G_N_ELEMENTS(before); i++)
        for_all(facts, before[i]);
    fold_all_logic(facts);
    for (gsize i = 0; i < G_N_ELEMENTS(behind); i++)
        for_all(facts, behind[i]);
}
