/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations of machine instructions: how many a thread does, and the type of their values (a
 * sum of halves that is a single, HADD2.F32, is on halves). That follows from the opcode and its
 * operands. A class says less: the class of reciprocals has those of singles and the first step of
 * those of doubles, and the class of integer multiply-adds has products, sums and moves.
 */
#include "sass/tell.h"

#include <string.h>

/* How operands change the count. */
typedef enum {
    WHOLE,    /* not at all */
    SUM,      /* one less than there are terms that are not zero */
    PRODUCT,  /* a * b + c: without a term that is none, or a factor that is one */
    PRODUCTS, /* two of them */
    SHIFT     /* (a << n) + c: likewise */
} Form;

typedef struct {
    const char *opcode; /* how the opcode of a row begins */
    const char *type;
    guint ops;
    Form form;
} Count;

/* The first that fits counts; what none fits counts nothing: moves, comparisons, choices, votes,
 * conversions, accesses. Those of doubles begin with half of a double: MUFU.RCP64H and
 * MUFU.RSQ64H read and write the upper 32 bits of one. */
static const Count counts[] = {
    {"FADD", "fp32", 1, WHOLE},
    {"FMUL", "fp32", 1, WHOLE},
    {"FFMA", "fp32", 2, PRODUCT},
    {"FMNMX", "fp32", 1, WHOLE},
    {"FMNMX3", "fp32", 2, WHOLE},
    {"FSWZADD", "fp32", 1, WHOLE},
    {"FADD2", "fp32", 2, WHOLE},
    {"FMUL2", "fp32", 2, WHOLE},
    {"FFMA2", "fp32", 4, PRODUCTS},
    {"MUFU.EX2.F16", "fp16", 1, WHOLE},
    {"MUFU.EX2.BF16", "fp16", 1, WHOLE},
    {"MUFU.TANH.F16", "fp16", 1, WHOLE},
    {"MUFU.TANH.BF16", "fp16", 1, WHOLE},
    {"MUFU.RCP64H", "fp64", 1, WHOLE},
    {"MUFU.RSQ64H", "fp64", 1, WHOLE},
    {"MUFU", "fp32", 1, WHOLE},
    {"DADD", "fp64", 1, WHOLE},
    {"DMUL", "fp64", 1, WHOLE},
    {"DFMA", "fp64", 2, WHOLE},
    {"FHADD", "fp32", 1, WHOLE},
    {"FHFMA", "fp32", 2, WHOLE},
    {"HADD2", "fp16", 1, WHOLE},
    {"HMUL2", "fp16", 1, WHOLE},
    {"HFMA2", "fp16", 2, PRODUCT},
    {"HMNMX2", "fp16", 1, WHOLE},
    {"IADD3", "int", 0, SUM},
    {"IADD", "int", 0, SUM},
    {"VIADD", "int", 0, SUM},
    {"IMAD", "int", 2, PRODUCT},
    {"IMUL", "int", 1, WHOLE},
    {"LEA", "int", 2, SHIFT},
    {"LOP3", "int", 1, WHOLE},
    {"SHF", "int", 1, WHOLE},
    {"IMNMX", "int", 1, WHOLE},
    {"VIMNMX", "int", 1, WHOLE},
    {"VIMNMX3", "int", 2, WHOLE},
    {"VIADDMNMX", "int", 2, WHOLE},
    {"IABS", "int", 1, WHOLE},
    {"VABSDIFF", "int", 1, WHOLE}, /* as PTX's sad */
    {"IDP.2A", "int", 4, WHOLE},
    {"IDP.4A", "int", 8, WHOLE},
    {"POPC", "int", 1, WHOLE},
    {"FLO", "int", 1, WHOLE},
    {"BREV", "int", 1, WHOLE},
    {"SGXT", "int", 1, WHOLE},
    {"BMSK", "int", 1, WHOLE},
    {"HMMA.884.F32", "tensor", 16, WHOLE},
    {"HMMA.884.F16", "tensor", 32, WHOLE},
};

static const Count *count_of(const PsSassRow *row)
{
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        const gsize length = strlen(counts[i].opcode);
        if (strncmp(row->opcode, counts[i].opcode, length) == 0 &&
            strchr(". ", row->opcode[length]))
            return &counts[i];
    }
    return NULL;
}

/* ---- operands ------------------------------------------------------------------------------- */

#define MOST_SOURCES 3

/* The operands that are computed with, in order: neither predicates nor the result. */
typedef struct {
    const PsSassOperand *of[MOST_SOURCES];
    guint n;
    const PsSassOperand *number; /* by how many bits it shifts */
} Sources;

static Sources sources_of(const PsSassRow *row, const GArray *operands, const guint *at)
{
    Sources sources = {{NULL}, 0, NULL};
    for (guint i = 0; row->shape[i]; i++) {
        const PsSassOperand *operand = &g_array_index(operands, PsSassOperand, at[i]);
        if (row->shape[i] == 'n' && !sources.number)
            sources.number = operand;
        else if (strchr("ifhsIFek", row->shape[i]) && sources.n < MOST_SOURCES)
            sources.of[sources.n++] = operand;
    }
    return sources;
}

/* The 32 bits of a number, whatever its type. */
static guint32 raw_number(const PsSassTeller *teller)
{
    return (guint32)(teller->instruction->word[0] >> 32);
}

/* A factor that leaves what it is multiplied by as it is, but for its sign. */
static gboolean is_one(const PsSassTeller *teller, const Count *count, const PsSassOperand *operand)
{
    const gboolean short_exponent = !g_str_has_prefix(teller->instruction->opcode, "HFMA2.BF16") &&
                                    strcmp(count->type, "fp16") == 0;
    const guint32 raw = raw_number(teller);
    if (operand->kind != PS_SASS_NUMBER)
        return FALSE;
    if (strcmp(count->type, "int") == 0)
        return raw == 1;
    if (strcmp(count->type, "fp32") == 0)
        return (raw & 0x7fffffff) == 0x3f800000;
    return (raw & 0x7fff7fff) == (short_exponent ? 0x3c003c00 : 0x3f803f80);
}

/* ~0 is none. */
static gboolean is_zero(const PsSassTeller *teller, const PsSassOperand *operand)
{
    const gboolean held = operand->kind == PS_SASS_REGISTER || operand->kind == PS_SASS_UNIFORM;
    return !operand->inverted &&
           (operand->kind == PS_SASS_NUMBER ? raw_number(teller) == 0
                                            : held && operand->reg == PS_SASS_ZERO);
}

/* To change the sign of an integer, or all of its bits, is an operation; of floats it is none. */
static gboolean changes(const PsSassOperand *operand)
{
    return operand->minus || operand->inverted || operand->absolute;
}

/* Whether both halves of an operand are the same, so that one operation makes both results. */
static gboolean is_one_half(const PsSassTeller *teller, const PsSassOperand *operand)
{
    const guint32 raw = raw_number(teller);
    return operand->kind == PS_SASS_NUMBER
               ? raw >> 16 == (raw & 0xffff)
               : operand->half || operand->single || is_zero(teller, operand);
}

/* ---- forms ---------------------------------------------------------------------------------- */

static guint ops_of_sum(const PsSassTeller *teller, const Sources *sources)
{
    guint terms = 0;
    gboolean changed = ps_sass_has(teller, "X"); /* a carry alone is added to zero */
    for (guint i = 0; i < sources->n; i++) {
        terms += !is_zero(teller, sources->of[i]);
        changed |= !is_zero(teller, sources->of[i]) && changes(sources->of[i]);
    }
    return terms > 1 ? terms - 1 : changed ? 1 : 0;
}

/* A term that leaves a product as it is: 0, and of floats -0 (a multiply-add of 0 is what people
 * write, and counts as one). */
static gboolean is_none(const PsSassTeller *teller, const Count *count, const PsSassOperand *term)
{
    return is_zero(teller, term) && (term->minus || strcmp(count->type, "int") == 0);
}

static guint ops_of_product(const PsSassTeller *teller, const Count *count, const Sources *sources)
{
    const PsSassOperand *const *of = sources->of;
    const gboolean one = is_one(teller, count, of[0]) || is_one(teller, count, of[1]);
    const gboolean alone = sources->n < 3 || is_none(teller, count, of[2]);
    const gboolean changed = strcmp(count->type, "int") == 0 && !alone && changes(of[2]);
    if (is_zero(teller, of[0]) || is_zero(teller, of[1]))
        return ps_sass_has(teller, "X") || changed ? 1 : 0;
    return (one ? 0 : 1) + (alone ? 0 : 1);
}

static guint ops_of_shift(const PsSassTeller *teller, const Sources *sources)
{
    const gboolean shifts = !sources->number || sources->number->value != 0;
    return (shifts ? 1 : 0) + (is_zero(teller, sources->of[1]) ? 0 : 1);
}

static guint ops_of(const PsSassTeller *teller, const Count *count, const Sources *sources)
{
    switch (count->form) {
    case SUM:
        return ops_of_sum(teller, sources);
    case PRODUCT:
    case PRODUCTS:
        return ops_of_product(teller, count, sources);
    case SHIFT:
        return ops_of_shift(teller, sources);
    default:
        return teller->use->moves ? 0 : count->ops;
    }
}

/* Instructions on pairs of singles do two at once; so do those on halves, unless all that they read
 * is one half for both. Functions of the special function unit are of one. */
static guint at_once(const PsSassTeller *teller, const Count *count, const Sources *sources)
{
    if (count->form == PRODUCTS)
        return 2;
    for (guint i = 0; count->opcode[0] == 'H' && i < sources->n; i++)
        if (!is_one_half(teller, sources->of[i]))
            return 2;
    return 1;
}

void ps_sass_count(PsSassTeller *teller, const PsSassRow *row, const GArray *operands,
                   const guint *at)
{
    const Count *count = count_of(row);
    if (!count || !count->type)
        return;
    const Sources sources = sources_of(row, operands, at);
    teller->use->ops = ops_of(teller, count, &sources) * at_once(teller, count, &sources);
    teller->use->type = teller->use->ops > 0 ? count->type : NULL;
}
