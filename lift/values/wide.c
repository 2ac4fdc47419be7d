/* SPDX-License-Identifier: BSD-3-Clause */
/* See wide.h. */
#include "lift/values/wide.h"

#include "base/class-name.h"

#include <string.h>

/* Steps between a number and memory, at most. */
#define MOST_DEPTH 16

typedef struct {
    const PsFacts *facts;
    const GPtrArray *steps;
    gboolean *data; /* [step]: its number is loaded or stored */
    guint *seen;    /* [step]: the last search that visited it */
} Wide;

static PsCodeStep *at(const Wide *wide, guint i)
{
    return ps_step(wide->steps, i);
}

static gboolean is_free(const Wide *wide, guint i)
{
    return i != PS_NO_STEP && at(wide, i)->whole == PS_NO_STEP && !at(wide, i)->op;
}

static void join(const Wide *wide, guint part, guint whole, const char *op)
{
    if (at(wide, whole)->whole != PS_NO_STEP)
        return;
    if (is_free(wide, part))
        at(wide, part)->whole = whole;
    at(wide, whole)->op = op;
}

/* The last step with that opcode that it reads and that belongs to no operation yet, with or
 * without a result beside a carry. */
static guint low_half(const Wide *wide, guint i, const char *opcode)
{
    const GArray *from = at(wide, i)->from;
    guint found = PS_NO_STEP;
    for (guint f = 0; f < from->len; f++) {
        const guint source = g_array_index(from, guint, f);
        const PsFact *fact = &wide->facts->facts[at(wide, source)->point];
        if (ps_step_is(at(wide, source), opcode) && is_free(wide, source) && fact->n_to > 1)
            found = source;
    }
    return found;
}

/* ---- what the halves are ------------------------------------------------------------------- */

static gboolean is_upper(const PsCodeStep *step, const char *opcode)
{
    return ps_step_is(step, opcode) && g_str_has_suffix(step->opcode, ".X");
}

static void find_sum(const Wide *wide, guint i)
{
    const PsCodeStep *step = at(wide, i);
    const gboolean uniform = is_upper(step, "UIADD3");
    if (!uniform && !is_upper(step, "IADD3") && !is_upper(step, "IMAD") && !is_upper(step, "IADD"))
        return;
    const guint low = low_half(wide, i, uniform ? "UIADD3" : "IADD3");
    if (low != PS_NO_STEP)
        join(wide, low, i, "add.s64");
}

static void find_comparison(const Wide *wide, guint i)
{
    const PsCodeStep *step = at(wide, i);
    if (!strstr(step->opcode, ".EX") || !ps_step_is(step, "ISETP"))
        return;
    const guint low = ps_step_source(wide->steps, i, "ISETP");
    if (is_free(wide, low))
        join(wide, low, i, "setp.s64");
}

/* The upper half of a product of lower halves, with the products of each with the other's upper
 * half. */
static void find_product(const Wide *wide, guint i)
{
    const PsCodeStep *step = at(wide, i);
    const guint low = ps_step_source(wide->steps, i, "IMAD.WIDE.U32");
    const gboolean adds =
        ps_step_is(step, "IADD3") || ps_step_is(step, "IMAD.IADD") || ps_step_is(step, "VIADD");
    if (!adds || !is_free(wide, low) || !is_free(wide, i))
        return;
    for (guint f = 0; f < step->from->len; f++) {
        const guint product = g_array_index(step->from, guint, f);
        const guint other = ps_step_source(wide->steps, product, "IMAD");
        if (product == low || !ps_step_is(at(wide, product), "IMAD") ||
            strcmp(at(wide, product)->opcode, "IMAD") != 0)
            continue;
        join(wide, low, i, "mul.lo.s64");
        if (at(wide, product)->to->len == 1)
            join(wide, product, i, "mul.lo.s64");
        if (other != PS_NO_STEP && at(wide, other)->to->len == 1)
            join(wide, other, i, "mul.lo.s64");
        return;
    }
}

/* TRUE if a step reads such a number, or bits of one. */
static gboolean comes_of_wide(const Wide *wide, guint i, int depth)
{
    const GArray *from = at(wide, i)->from;
    for (guint f = 0; f < from->len; f++) {
        const guint source = g_array_index(from, guint, f);
        const gboolean bits = ps_step_is(at(wide, source), "LOP3");
        if (at(wide, source)->op || (depth > 0 && bits && comes_of_wide(wide, source, depth - 1)))
            return TRUE;
    }
    return FALSE;
}

/* Finds an address that already is such a number. */
static void find_address(const Wide *wide, guint i)
{
    const PsCodeStep *step = at(wide, i);
    if (!ps_step_is(step, "LEA.HI.X"))
        return;
    const guint low = low_half(wide, i, "LEA");
    if (low != PS_NO_STEP && comes_of_wide(wide, i, 1))
        join(wide, low, i, "mad.lo.s64");
}

/* ---- what is no index ---------------------------------------------------------------------- */

static guint whole_of(const Wide *wide, guint i)
{
    return at(wide, i)->whole != PS_NO_STEP ? at(wide, i)->whole : i;
}

static gboolean is_wide(const Wide *wide, guint i)
{
    const char *op = at(wide, whole_of(wide, i))->op;
    return op && g_str_has_suffix(op, ".s64") && !g_str_has_prefix(op, "div.") &&
           !g_str_has_prefix(op, "rem.");
}

/* TRUE if a step stores another's value, or uses it other than as an address; or if it is a
 * pointer's sum. */
static PsUseKind use_of(const Wide *wide, guint reader, guint step)
{
    const PsFact *by = &wide->facts->facts[at(wide, reader)->point];
    const PsFact *of = &wide->facts->facts[at(wide, step)->point];
    for (guint u = 0; u < by->n_from; u++)
        for (guint t = 0; t < of->n_to; t++)
            if (ps_fact_from(wide->facts, by)[u].reg == ps_fact_to(wide->facts, of)[t])
                return ps_fact_from(wide->facts, by)[u].kind;
    return PS_USE_GUARD;
}

static gboolean is_memory(const PsCodeStep *step)
{
    return ps_class_covers("global", step->name) || ps_class_covers("local", step->name) ||
           ps_class_covers("atomic", step->name);
}

static gboolean is_wide_access(const PsCodeStep *step)
{
    return is_memory(step) && (strstr(step->opcode, ".64") || strstr(step->opcode, ".128"));
}

/* TRUE if a step, or what others compute from it, is stored; or loaded, if that is asked. */
static gboolean is_of_memory(const Wide *wide, guint i, gboolean loaded, guint search, int depth)
{
    const GArray *others = loaded ? at(wide, i)->from : at(wide, i)->to;
    for (guint o = 0; depth > 0 && o < others->len; o++) {
        const guint other = g_array_index(others, guint, o);
        if (wide->seen[other] == search)
            continue;
        wide->seen[other] = search;
        if (is_wide_access(at(wide, other)) && (loaded || use_of(wide, other, i) == PS_USE_DATA))
            return TRUE;
        if (!is_memory(at(wide, other)) && is_of_memory(wide, other, loaded, search, depth - 1))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_address(const Wide *wide, guint i)
{
    const GArray *to = at(wide, i)->to;
    for (guint r = 0; r < to->len; r++)
        if (use_of(wide, g_array_index(to, guint, r), i) == PS_USE_ADDRESS)
            return TRUE;
    return FALSE;
}

/* Finds numbers from and for memory, and pointers, which only grow: sums that are addresses, or are
 * computed from such. */
static void find_data(const Wide *wide, guint i)
{
    const GArray *from = at(wide, i)->from;
    gboolean *data = &wide->data[whole_of(wide, i)];
    *data |= is_of_memory(wide, i, TRUE, 2 * i + 1, MOST_DEPTH) ||
             is_of_memory(wide, i, FALSE, 2 * i + 2, MOST_DEPTH);
    if (strcmp(at(wide, whole_of(wide, i))->op, "add.s64") != 0)
        return;
    *data |= is_address(wide, i);
    for (guint f = 0; f < from->len; f++)
        *data |= is_address(wide, g_array_index(from, guint, f));
}

static void forget_data(const Wide *wide)
{
    for (guint i = 0; i < wide->steps->len; i++)
        if (is_wide(wide, i))
            find_data(wide, i);
    for (guint i = 0; i < wide->steps->len; i++)
        if (is_wide(wide, i) && at(wide, i)->whole != PS_NO_STEP && wide->data[at(wide, i)->whole])
            at(wide, i)->whole = PS_NO_STEP;
    for (guint i = 0; i < wide->steps->len; i++)
        if (wide->data[i])
            at(wide, i)->op = NULL;
}

void ps_wide_find(const PsFacts *facts, const GPtrArray *steps)
{
    g_autofree gboolean *data = g_new0(gboolean, steps->len + 1);
    g_autofree guint *seen = g_new0(guint, steps->len + 1);
    const Wide wide = {facts, steps, data, seen};
    for (guint i = 0; i < steps->len; i++) {
        find_sum(&wide, i);
        find_comparison(&wide, i);
        find_product(&wide, i);
        find_address(&wide, i);
    }
    forget_data(&wide);
}
