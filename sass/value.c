/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands as PTX: registers, numbers and constants, with what modifiers do to a source (minus,
 * absolute value and so on). A pair of registers that is read is first joined to a number of 64
 * bits; a result of 64 bits is split into its two registers afterwards.
 */
#include "sass/tell.h"

#include <string.h>

static guint number_of(const PsSassOperand *operand, guint i)
{
    static const guint first[] = {PS_SASS_FIRST_REGISTER, PS_SASS_FIRST_UNIFORM,
                                  PS_SASS_FIRST_PREDICATE, PS_SASS_FIRST_UNIFORM_PREDICATE};
    return first[operand->kind] + (guint)operand->reg + i;
}

const char *ps_sass_register_name(guint reg)
{
    static const char *const files[] = {"R", "UR"}, *const predicates[] = {"P", "UP"};
    const gboolean predicate = reg >= PS_SASS_FIRST_PREDICATE;
    const guint first = predicate ? PS_SASS_FIRST_PREDICATE : PS_SASS_FIRST_REGISTER;
    const guint each = predicate ? PS_SASS_FIRST_UNIFORM_PREDICATE - PS_SASS_FIRST_PREDICATE
                                 : PS_SASS_FIRST_UNIFORM - PS_SASS_FIRST_REGISTER;
    g_autofree char *name = g_strdup_printf(
        "%s%u", (predicate ? predicates : files)[(reg - first) / each], (reg - first) % each);
    return g_intern_string(name);
}

static void writes(PsSassTeller *teller, guint reg)
{
    PsSassUse *use = teller->use;
    if (use->n_to < PS_SASS_MOST_TO)
        use->to[use->n_to++] = (guint16)reg;
}

/* "%r5" for the operand's register, or for the i-th one after it; NULL for RZ and PT. */
static char *name_of(const PsSassOperand *operand, guint i)
{
    static const char letters[] = "rupq";
    if (operand->reg == PS_SASS_ZERO)
        return NULL;
    return g_strdup_printf("%%%c%u", letters[operand->kind], (guint)operand->reg + i);
}

static char *source(PsSassTeller *teller, const PsSassOperand *operand, guint i, gboolean address)
{
    char *name = name_of(operand, i);
    if (!name)
        return g_strdup("0");
    ps_sass_reads(teller, number_of(operand, i), address);
    return name;
}

static char *destination(PsSassTeller *teller, const PsSassOperand *operand, guint i)
{
    char *name = name_of(operand, i);
    if (!name)
        return g_strdup("_");
    writes(teller, number_of(operand, i));
    return name;
}

static char *fresh(PsSassTeller *teller, char letter)
{
    return g_strdup_printf("%%%c%u", letter, teller->temporaries++);
}

/* Applies an instruction of PTX to the value, and puts the register with its result in the place of
 * *value. */
static void change(PsSassTeller *teller, char **value, char letter, const char *mnemonic,
                   const char *rest)
{
    char *to = fresh(teller, letter);
    ps_sass_say(teller, FALSE, "%s %s,%s%s", mnemonic, to, *value, rest);
    g_free(*value);
    *value = to;
}

/* The 32 bits of an immediate operand, whatever its type. */
static guint32 raw_number(const PsSassTeller *teller)
{
    return (guint32)(teller->instruction->word[0] >> 32);
}

/* ---- sources of 32 bits --------------------------------------------------------------------- */

/* A number, or the half of a variable's address that is to stand in its place. */
static char *number(PsSassTeller *teller, const PsSassOperand *operand)
{
    const gsize at = (gsize)teller->number * PS_SASS_BYTES;
    const PsSassHalf *half = g_hash_table_lookup(teller->kernel->halves, GSIZE_TO_POINTER(at));
    if (!half)
        return g_strdup_printf("%" G_GINT64_FORMAT, operand->value);
    const GArray *variables = teller->image->variables;
    const char *name = g_array_index(variables, PsSassVariable, half->variable).name;
    char *value = fresh(teller, 't');
    ps_sass_say(teller, FALSE, "mov.b64 %%w0,%s", name);
    ps_sass_say(teller, FALSE, "add.s64 %%w0,%%w0,%" G_GINT64_FORMAT, (gint64)half->added);
    ps_sass_say(teller, FALSE, "mov.b64 {%s,%s},%%w0", half->upper ? "_" : value,
                half->upper ? value : "_");
    return value;
}

static char *plain_word(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->kind == PS_SASS_CONSTANT)
        return ps_sass_constant(teller, operand->bank, operand->value, 4);
    if (operand->kind == PS_SASS_NUMBER)
        return number(teller, operand);
    return source(teller, operand, 0, FALSE);
}

static char *integer(PsSassTeller *teller, const PsSassOperand *operand)
{
    char *value = plain_word(teller, operand);
    if (operand->kind == PS_SASS_NUMBER)
        return value;
    if (operand->byte != 0) {
        g_autofree char *rest = g_strdup_printf(",%d,8", 8 * (operand->byte - '0'));
        change(teller, &value, 't', "bfe.u32", rest);
    }
    if (operand->half != 0) {
        g_autofree char *rest = g_strdup_printf(",%d,16", 16 * (operand->half - '0'));
        change(teller, &value, 't', "bfe.u32", rest);
    }
    if (operand->absolute)
        change(teller, &value, 't', "abs.s32", "");
    if (operand->minus)
        change(teller, &value, 't', "neg.s32", "");
    if (operand->inverted)
        change(teller, &value, 't', "not.b32", "");
    return value;
}

static char *single(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->kind == PS_SASS_NUMBER)
        return g_strdup_printf("0f%08X", raw_number(teller));
    char *value = operand->reg == PS_SASS_ZERO && operand->kind != PS_SASS_CONSTANT
                      ? g_strdup("0f00000000")
                      : plain_word(teller, operand);
    if (operand->absolute)
        change(teller, &value, 't', "and.b32", ",0x7fffffff");
    if (operand->minus)
        change(teller, &value, 't', "xor.b32", ",0x80000000");
    return value;
}

/* A single for both: cut off, for the assembler converts so where PTX rounds toward zero. */
static char *single_as_halves(PsSassTeller *teller, const PsSassOperand *operand)
{
    char *value = single(teller, operand);
    g_autofree char *again = g_strconcat(",", value, NULL);
    change(teller, &value, 't', "cvt.rz.f16x2.f32", again);
    return value;
}

static char *halves(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->kind == PS_SASS_NUMBER)
        return g_strdup_printf("%u", raw_number(teller));
    if (operand->single)
        return single_as_halves(teller, operand);
    char *value = plain_word(teller, operand);
    if (operand->half != 0)
        change(teller, &value, 't', "prmt.b32", operand->half == '0' ? ",0,0x1010" : ",0,0x3232");
    if (operand->absolute)
        change(teller, &value, 't', "and.b32", ",0x7fff7fff");
    if (operand->minus)
        change(teller, &value, 't', "xor.b32", ",0x80008000");
    return value;
}

static char *predicate(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->sign) {
        char *value = plain_word(teller, operand);
        change(teller, &value, 's', operand->inverted ? "setp.ge.s32" : "setp.lt.s32", ",0");
        return value;
    }
    if (operand->reg == PS_SASS_ZERO)
        return g_strdup(operand->inverted ? "0" : "1");
    char *value = source(teller, operand, 0, FALSE);
    if (operand->inverted)
        change(teller, &value, 's', "not.pred", "");
    return value;
}

/* ---- sources of 64 bits --------------------------------------------------------------------- */

/* Which of two singles another sign is for, in their 64 bits. */
static const char *signs(const PsSassOperand *operand)
{
    return operand->minus ? operand->second_minus ? ",0x0000000080000000" : ",0x8000000080000000"
           : operand->second_minus ? ",0x8000000000000000"
                                   : NULL;
}

/* Two singles, the first in the lower half: those of two registers, or one for both. */
static char *singles(PsSassTeller *teller, const PsSassOperand *operand)
{
    const guint32 raw = raw_number(teller);
    if (operand->kind == PS_SASS_NUMBER)
        return g_strdup_printf("0x%08x%08x", raw, raw);
    char *value = fresh(teller, 'w');
    g_autofree char *first = source(teller, operand, operand->crossed, FALSE);
    g_autofree char *second = source(teller, operand, operand->pair && !operand->crossed, FALSE);
    ps_sass_say(teller, FALSE, "mov.b64 %s,{%s,%s}", value, first, second);
    if (operand->absolute)
        change(teller, &value, 'w', "and.b64", ",0x7fffffff7fffffff");
    if (signs(operand))
        change(teller, &value, 'w', "xor.b64", signs(operand));
    return value;
}

static char *pair(PsSassTeller *teller, const PsSassOperand *operand, gboolean address)
{
    if (operand->kind == PS_SASS_CONSTANT)
        return ps_sass_constant(teller, operand->bank, operand->value, 8);
    if (operand->reg == PS_SASS_ZERO)
        return g_strdup("0");
    g_autofree char *low = source(teller, operand, 0, address);
    g_autofree char *high = source(teller, operand, 1, address);
    char *value = fresh(teller, 'w');
    ps_sass_say(teller, FALSE, "mov.b64 %s,{%s,%s}", value, low, high);
    return value;
}

static char *long_integer(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->kind == PS_SASS_NUMBER)
        return g_strdup_printf("%" G_GINT64_FORMAT, operand->value);
    char *value = pair(teller, operand, FALSE);
    if (operand->minus)
        change(teller, &value, 'w', "neg.s64", "");
    if (operand->inverted)
        change(teller, &value, 'w', "not.b64", "");
    return value;
}

static char *real(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->kind == PS_SASS_NUMBER)
        return g_strdup_printf("0d%08X00000000", raw_number(teller));
    char *value = operand->reg == PS_SASS_ZERO && operand->kind != PS_SASS_CONSTANT
                      ? g_strdup("0d0000000000000000")
                      : pair(teller, operand, FALSE);
    if (operand->absolute)
        change(teller, &value, 'w', "and.b64", ",0x7fffffffffffffff");
    if (operand->minus)
        change(teller, &value, 'w', "xor.b64", ",0x8000000000000000");
    return value;
}

/* A term of a sum that carries, as 64 bits: so bit 32 of the sum is the carry. A negated x is 2^32
 * - x. */
static char *carrying(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->kind == PS_SASS_NUMBER)
        return g_strdup_printf("%u", (guint32)operand->value);
    char *value = plain_word(teller, operand);
    change(teller, &value, 'w', "cvt.u64.u32", "");
    if (operand->minus || operand->inverted) {
        change(teller, &value, 'w', "neg.s64", "");
        change(teller, &value, 'w', "add.s64", operand->minus ? ",0x100000000" : ",0xffffffff");
    }
    return value;
}

/* ---- several registers ---------------------------------------------------------------------- */

static guint width_of(const PsSassTeller *teller)
{
    return ps_sass_has(teller, "128") ? 4 : ps_sass_has(teller, "64") ? 2 : 1;
}

typedef char *(*Register)(PsSassTeller *teller, const PsSassOperand *operand, guint i);

/* How many registers or pairs of them a letter stands for, where that is a list. */
typedef struct {
    guint n;
    Register each;
    gboolean part; /* of a longer list */
} Several;

static char *data_source(PsSassTeller *teller, const PsSassOperand *operand, guint i)
{
    return source(teller, operand, i, FALSE);
}

/* Four of eight words, the upper ones first: those that are wanted lie beside each other, and the
 * others are not written. */
static char *wanted_destination(PsSassTeller *teller, const PsSassOperand *operand, guint i)
{
    const guint four = teller->wanted >> 4, before = four & ((1U << i) - 1);
    if (i == 3)
        teller->wanted = teller->wanted << 4 & 0xff;
    return (four >> i & 1) != 0 ? destination(teller, operand, (guint)__builtin_popcount(before))
                                : g_strdup("_");
}

/* How many registers go to or from tensor memory. */
static guint moved(const PsSassTeller *teller)
{
    guint n = ps_sass_has(teller, "16dp256bit") ? 4 : ps_sass_has(teller, "16dp128bit") ? 2 : 1;
    for (char **part = teller->parts + 1; *part; part++)
        if (**part == 'x')
            n *= (guint)g_ascii_strtoull(*part + 1, NULL, 10);
    return n;
}

/* RZ, from which all may come, is a register there: the row makes %t0 zero. */
static char *moved_source(PsSassTeller *teller, const PsSassOperand *operand, guint i)
{
    return operand->reg == PS_SASS_ZERO ? g_strdup("%t0") : source(teller, operand, i, FALSE);
}

static void list(PsSassTeller *teller, GString *text, const PsSassOperand *operand,
                 const Several *several)
{
    const gboolean braces = several->n > 1 && !several->part;
    for (guint i = 0; i < several->n; i++) {
        g_autofree char *name = several->each(teller, operand, i);
        g_string_append_printf(text, "%s%s", i > 0 ? "," : braces ? "{" : "", name);
    }
    if (braces)
        g_string_append_c(text, '}');
}

/* A result of 64 bits: a temporary register, which is split into a pair after the instruction. */
static char *long_destination(PsSassTeller *teller, const PsSassOperand *operand)
{
    if (operand->reg == PS_SASS_ZERO)
        return g_strdup("_");
    char *value = fresh(teller, 'w');
    g_autofree char *low = destination(teller, operand, 0);
    g_autofree char *high = destination(teller, operand, 1);
    g_string_append_printf(teller->behind, "%smov.b64 {%s,%s},%s;\n", teller->guard, low, high,
                           value);
    teller->n_behind++;
    return value;
}

/* The i-th of several pairs. */
static PsSassOperand pair_of(const PsSassOperand *operand, guint i)
{
    PsSassOperand part = *operand;
    if (part.reg != PS_SASS_ZERO)
        part.reg += 2 * (int)i;
    return part;
}

static char *real_source(PsSassTeller *teller, const PsSassOperand *operand, guint i)
{
    const PsSassOperand part = pair_of(operand, i);
    return real(teller, &part);
}

static char *real_destination(PsSassTeller *teller, const PsSassOperand *operand, guint i)
{
    const PsSassOperand part = pair_of(operand, i);
    return long_destination(teller, &part);
}

/* ---- addresses ------------------------------------------------------------------------------ */

static PsSassOperand part_of(PsSassKind kind, int reg)
{
    return (PsSassOperand){.kind = kind, .reg = reg};
}

/* An address in shared or local memory: the register times its scale, plus a uniform register. */
static char *short_address(PsSassTeller *teller, const PsSassOperand *operand)
{
    const PsSassOperand base = part_of(PS_SASS_REGISTER, operand->reg);
    const PsSassOperand uniform = part_of(PS_SASS_UNIFORM, operand->uniform);
    char *value = source(teller, &base, 0, TRUE);
    if (operand->scale > 1) {
        g_autofree char *rest = g_strdup_printf(",%u", operand->scale);
        change(teller, &value, 't', "mul.lo.u32", rest);
    }
    if (uniform.reg != PS_SASS_ZERO) {
        g_autofree char *added = source(teller, &uniform, 0, TRUE);
        g_autofree char *rest = g_strdup_printf(",%s", added);
        change(teller, &value, 't', "add.u32", rest);
    }
    return value;
}

/* An address in global memory: a pair of registers, or one without a sign, plus a uniform pair. */
static char *long_address(PsSassTeller *teller, const PsSassOperand *operand)
{
    const PsSassOperand base = part_of(PS_SASS_REGISTER, operand->reg);
    const PsSassOperand uniform = part_of(PS_SASS_UNIFORM, operand->uniform);
    char *value = operand->narrow ? source(teller, &base, 0, TRUE) : pair(teller, &base, TRUE);
    if (operand->narrow && base.reg != PS_SASS_ZERO)
        change(teller, &value, 'w', "cvt.u64.u32", "");
    if (uniform.reg != PS_SASS_ZERO) {
        g_autofree char *added = pair(teller, &uniform, TRUE);
        g_autofree char *rest = g_strdup_printf(",%s", added);
        change(teller, &value, 'w', "add.u64", rest);
    }
    return value;
}

static char *address_as_number(PsSassTeller *teller, const PsSassOperand *operand)
{
    char *value = long_address(teller, operand);
    g_autofree char *rest = g_strdup_printf(",%" G_GINT64_FORMAT, operand->value);
    if (operand->value != 0)
        change(teller, &value, 'w', "add.s64", rest);
    return value;
}

/* Two addresses in shared memory, in a uniform register and the next one. */
static char *pair_of_addresses(PsSassTeller *teller, const PsSassOperand *operand)
{
    const PsSassOperand both = operand->uniform >= 0 ? part_of(PS_SASS_UNIFORM, operand->uniform)
                                                     : part_of(PS_SASS_REGISTER, operand->reg);
    return pair(teller, &both, TRUE);
}

static void address(PsSassTeller *teller, GString *text, char letter, const PsSassOperand *operand)
{
    g_autofree char *base =
        letter == 'a' ? short_address(teller, operand) : long_address(teller, operand);
    if (strcmp(base, "0") == 0)
        g_string_append_printf(text, "[%" G_GINT64_FORMAT "]", operand->value);
    else
        g_string_append_printf(text, "[%s+%" G_GINT64_FORMAT "]", base, operand->value);
}

/* ---- all ------------------------------------------------------------------------------------ */

static char *one(PsSassTeller *teller, char letter, const PsSassOperand *operand)
{
    switch (letter) {
    case 'i':
        return integer(teller, operand);
    case 'f':
        return single(teller, operand);
    case 'h':
        return halves(teller, operand);
    case 's':
        return singles(teller, operand);
    case 'I':
        return long_integer(teller, operand);
    case 'F':
        return real(teller, operand);
    case 'e':
        return carrying(teller, operand);
    case 'k':
        return plain_word(teller, operand);
    case 'p':
        return predicate(teller, operand);
    case 'o':
    case 'P':
        return destination(teller, operand, 0);
    case 'R':
        g_free(source(teller, operand, 0, FALSE));
        return destination(teller, operand, 0);
    case 'O':
        return long_destination(teller, operand);
    case 'G':
        return address_as_number(teller, operand);
    case 'b':
        return pair_of_addresses(teller, operand);
    case 'l':
        return ps_sass_label(teller, operand->value);
    default:
        return g_strdup_printf("%" G_GINT64_FORMAT, operand->value);
    }
}

static Several several(const PsSassTeller *teller, char letter)
{
    switch (letter) {
    case 'T':
        return (Several){moved(teller), destination, FALSE};
    case 't':
        return (Several){moved(teller), moved_source, FALSE};
    case 'V':
        return (Several){width_of(teller), destination, FALSE};
    case 'W':
        return (Several){width_of(teller), data_source, FALSE};
    case 'D':
        return (Several){2, destination, FALSE};
    case 'd':
        return (Several){2, data_source, FALSE};
    case 'Q':
        return (Several){4, destination, FALSE};
    case 'q':
        return (Several){4, data_source, FALSE};
    case 'm':
        return (Several){8, data_source, FALSE};
    case 'U':
        return (Several){4, wanted_destination, TRUE};
    case 'u':
        return (Several){4, data_source, TRUE};
    case 'E':
        return (Several){2, real_destination, FALSE};
    case 'g':
        return (Several){2, real_source, FALSE};
    case 'B':
        return (Several){4, real_destination, FALSE};
    case 'H':
        return (Several){4, real_source, FALSE};
    case 'M':
        return (Several){8, real_source, FALSE};
    default:
        return (Several){0, NULL, FALSE};
    }
}

void ps_sass_value(PsSassTeller *teller, GString *text, char letter, const PsSassOperand *operand)
{
    if (letter == 'a' || letter == 'A') {
        address(teller, text, letter, operand);
    } else if (several(teller, letter).n > 0) {
        const Several all = several(teller, letter);
        list(teller, text, operand, &all);
    } else {
        g_autofree char *value = one(teller, letter, operand);
        g_string_append(text, value);
    }
}
