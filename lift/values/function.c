/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of singles that the compiler has written out, known by the numbers that they compute
 * with. What one takes is the smallest region along registers with all of these numbers that has no
 * more inputs than the function has arguments, and one result. See function.h. */
#include "lift/values/function.h"

#include "base/class-name.h"

#include <string.h>

#define MOST_LITERALS 5
#define MOST_REGION 320

/* Steps on either side of one with a literal that may belong to its function. */
#define MOST_APART 512

/* Where the function branches on its arguments alone, on rare ones: between the steps that compute
 * it, or behind them, too. */
typedef enum { NOWHERE, WITHIN, BEHIND } Branches;

/* Literals as bits of singles without signs; no other function has all of them. If one function
 * begins like another, the longer one comes first. If a sine and a cosine have the same argument,
 * the first literal is in the part that both share. */
typedef struct {
    const char *name;
    guint n_arguments, most_results;
    Branches branches;
    guint32 literals[MOST_LITERALS + 1]; /* 0 at the end */
} Function;

static const Function FUNCTIONS[] = {
    {"sinf", 1, 2, WITHIN, {0x27c234c5, 0x33a22168, 0x3fc90fda, 0x3d2aaabb, 0x3effffff}},
    {"tanf", 1, 1, WITHIN, {0x27c234c5, 0x33a22168, 0x3fc90fda, 0x3eaaaa88, 0x3e089438}},
    {"log10f", 1, 1, NOWHERE, {0x3eaaaa78, 0x3e7fff22, 0x3e2ad8b9, 0x3f317218, 0x3ede5bd9}},
    {"logf", 1, 1, NOWHERE, {0x3eaaaa78, 0x3e7fff22, 0x3e2ad8b9, 0x3e4ced0b, 0x3f317218}},
    {"log2f", 1, 1, NOWHERE, {0x3ef6384a, 0x3e93bf99, 0x3e763c8b, 0x3fb8aa3b, 0x34000000}},
    {"expf", 1, 1, NOWHERE, {0x32a57060, 0x3fb8aa3b, 0x4b400001, 0x4b40007f}},
    {"exp10f", 1, 1, NOWHERE, {0x33979a37, 0x40549a78, 0x4b400001, 0x4b40007f}},
    {"powf", 2, 1, BEHIND, {0x32a55e34, 0x3c93bb73, 0x3df6384f, 0x3e75fdec, 0x4b800000}},
    {"tanhf", 1, 1, NOWHERE, {0x3eaaa9ed, 0x3e085941, 0x4038aa3b, 0x41102cb4, 0x3f19999a}},
};

typedef struct {
    const PsIdiomSearch *search;
    const Function *function;
    guint anchor;
    guint missing;   /* one bit for each literal */
    gboolean two;    /* it has reached another function of the same kind */
    GArray *steps;   /* guint */
    GArray *results; /* guint: those with its results, in the end */
    guint whole;     /* its node's step */
    guint8 *in;      /* [step of the code] */
} Region;

static PsCodeStep *at(const Region *region, guint i)
{
    return ps_step(region->search->steps, i);
}

static PsClassKind kind_of(const Region *region, guint i)
{
    return region->search->facts->facts[at(region, i)->point].class.kind;
}

static gboolean is_forwarded(const Region *region, guint i)
{
    return region->search->facts->facts[at(region, i)->point].role == PS_ROLE_FORWARD;
}

/* ---- literals ------------------------------------------------------------------------------ */

static gboolean operand_is(const char *operand, guint32 literal)
{
    char *end = NULL;
    operand += *operand == '-';
    if (g_str_has_prefix(operand, "0x")) {
        const guint32 bits = (guint32)g_ascii_strtoull(operand, &end, 16);
        return *end == '\0' && (bits == literal || (-bits & 0x7fffffff) == literal);
    }
    const float value = (float)g_ascii_strtod(operand, &end);
    guint32 bits;
    memcpy(&bits, &value, sizeof bits);
    return end != operand && *end == '\0' && bits == literal;
}

static gboolean has_itself(const PsIdiomSearch *search, guint i, guint32 literal)
{
    const PsCodeStep *step = ps_step(search->steps, i);
    for (char **operand = step->operands; operand && *operand; operand++)
        if (operand_is(*operand, literal))
            return TRUE;
    const PsPtxInstruction *ptx = ps_facts_instruction(search->facts, step->point);
    for (guint o = 1; !step->operands && o < ptx->n_operands; o++)
        if (ptx->operands[o].kind == PS_PTX_OPERAND_IMMEDIATE &&
            ptx->operands[o].literal == PS_PTX_SINGLE &&
            ((guint32)ptx->operands[o].value & 0x7fffffff) == literal)
            return TRUE;
    return FALSE;
}

/* TRUE for a move of a literal, or another step without inputs. */
static gboolean is_constant(const PsIdiomSearch *search, guint i)
{
    const PsFact *fact = &search->facts->facts[ps_step(search->steps, i)->point];
    return fact->class.kind == PS_CLASS_COMPUTE && fact->n_from == 0;
}

static gboolean has_literal(const PsIdiomSearch *search, guint i, guint32 literal)
{
    const GArray *from = ps_step(search->steps, i)->from;
    for (guint f = 0; f < from->len; f++)
        if (is_constant(search, g_array_index(from, guint, f)) &&
            has_itself(search, g_array_index(from, guint, f), literal))
            return TRUE;
    return has_itself(search, i, literal);
}

/* ---- a region ------------------------------------------------------------------------------ */

static void join(Region *region, guint i)
{
    const GArray *from = at(region, i)->from;
    if (region->in[i])
        return;
    region->in[i] = TRUE;
    g_array_append_val(region->steps, i);
    region->two |= i != region->anchor && !is_constant(region->search, i) &&
                   has_literal(region->search, i, region->function->literals[0]);
    for (guint l = 0; region->function->literals[l]; l++)
        if (has_literal(region->search, i, region->function->literals[l]))
            region->missing &= ~(1U << l);
    for (guint f = 0; f < from->len; f++)
        if (is_constant(region->search, g_array_index(from, guint, f)))
            join(region, g_array_index(from, guint, f));
}

static gboolean is_near(const Region *region, guint i)
{
    return i <= region->anchor + MOST_APART && region->anchor <= i + MOST_APART;
}

/* TRUE if a step may be part of the region: it belongs to no other operation, and computes. */
static gboolean may_join(const Region *region, guint i)
{
    return kind_of(region, i) == PS_CLASS_COMPUTE && !at(region, i)->op &&
           at(region, i)->whole == PS_NO_STEP && is_near(region, i);
}

static gboolean writes_same(const Region *region, guint a, guint b)
{
    const PsFacts *facts = region->search->facts;
    const PsFact *x = &facts->facts[at(region, a)->point], *y = &facts->facts[at(region, b)->point];
    return x->n_to > 0 && y->n_to > 0 && *ps_fact_to(facts, x) == *ps_fact_to(facts, y);
}

/* TRUE if a step of PTX writes a variable that the region writes, too: on the slow path of rare
 * operands, which may be left out. */
static gboolean is_other_way(const Region *region, guint i)
{
    for (guint k = 0; !region->search->facts->machine && k < region->steps->len; k++)
        if (writes_same(region, i, g_array_index(region->steps, guint, k)))
            return TRUE;
    return FALSE;
}

static GArray *inputs_of(const Region *region)
{
    GArray *inputs = ps_idiom_set_new();
    for (guint k = 0; k < region->steps->len; k++) {
        const GArray *from = at(region, g_array_index(region->steps, guint, k))->from;
        for (guint f = 0; f < from->len; f++) {
            const guint i = g_array_index(from, guint, f);
            if (!region->in[i] && !is_other_way(region, i))
                ps_idiom_add(inputs, i);
        }
    }
    return inputs;
}

/* The number of values of these steps: in PTX several may write one register, on several paths. */
static guint count_values(const Region *region, const GArray *set)
{
    guint n = set->len;
    for (guint k = 0; !region->search->facts->machine && k < set->len; k++)
        for (guint o = 0; o < k; o++)
            if (writes_same(region, g_array_index(set, guint, k), g_array_index(set, guint, o))) {
                n--;
                break;
            }
    return n;
}

/* The steps outside that read a step's results. */
static GArray *readers_of(const Region *region, guint i)
{
    GArray *readers = ps_idiom_set_new();
    const GArray *to = at(region, i)->to;
    for (guint r = 0; r < to->len; r++)
        if (!region->in[g_array_index(to, guint, r)])
            ps_idiom_add(readers, g_array_index(to, guint, r));
    return readers;
}

/* TRUE if it is a sign, or the bits, of a value from outside. */
static gboolean is_argument(const Region *region, guint i)
{
    const GArray *from = at(region, i)->from;
    for (guint f = 0; f < from->len; f++)
        if (region->in[g_array_index(from, guint, f)])
            return FALSE;
    return is_forwarded(region, i) || is_constant(region->search, i);
}

/* The steps whose results others read. */
static GArray *results_of(const Region *region)
{
    GArray *results = ps_idiom_set_new();
    for (guint k = 0; k < region->steps->len; k++) {
        const guint i = g_array_index(region->steps, guint, k);
        g_autoptr(GArray) readers = readers_of(region, i);
        if (readers->len > 0 && !is_argument(region, i))
            ps_idiom_add(results, i);
    }
    return results;
}

/* Takes in steps that are no nodes: in PTX a sign or a move is part of its reader. */
static void join_forwarded(Region *region)
{
    for (guint k = 0; k < region->steps->len; k++) {
        const GArray *from = at(region, g_array_index(region->steps, guint, k))->from;
        for (guint f = 0; f < from->len; f++) {
            const guint i = g_array_index(from, guint, f);
            if (is_forwarded(region, i))
                join(region, i);
        }
    }
}

/* TRUE if a step reads nothing but the region's steps, its inputs, and constants. */
static gboolean adds_nothing(const Region *region, guint i, const GArray *inputs)
{
    const GArray *from = at(region, i)->from;
    for (guint f = 0; f < from->len; f++) {
        const guint source = g_array_index(from, guint, f);
        if (!region->in[source] && !ps_idiom_contains(inputs, source) &&
            !is_constant(region->search, source))
            return FALSE;
    }
    return TRUE;
}

/* ---- it grows ------------------------------------------------------------------------------ */

/* Takes in one of the inputs: one that reduces their number, otherwise the last in the code. */
static gboolean grow_back(Region *region, const GArray *inputs)
{
    guint next = PS_NO_STEP;
    for (guint k = 0; k < inputs->len; k++) {
        const guint i = g_array_index(inputs, guint, k);
        const gboolean fewer = adds_nothing(region, i, inputs);
        if (!may_join(region, i) && !(fewer && kind_of(region, i) == PS_CLASS_LOAD))
            continue;
        next = next == PS_NO_STEP || fewer ? i : MAX(next, i);
        if (fewer)
            break;
    }
    if (next != PS_NO_STEP)
        join(region, next);
    return next != PS_NO_STEP;
}

/* Marks nearby steps that compute with the region's inputs alone. */
static guint8 *find_pure(const Region *region)
{
    const guint n = region->search->steps->len;
    g_autoptr(GArray) inputs = inputs_of(region);
    guint8 *pure = g_memdup2(region->in, n);
    for (guint k = 0; k < inputs->len; k++)
        pure[g_array_index(inputs, guint, k)] = TRUE;
    for (guint i = region->anchor - MIN(region->anchor, MOST_APART); i < n && is_near(region, i);
         i++) {
        const GArray *from = at(region, i)->from;
        gboolean all = may_join(region, i) && from->len > 0;
        for (guint f = 0; all && f < from->len; f++)
            all = pure[g_array_index(from, guint, f)] ||
                  is_constant(region->search, g_array_index(from, guint, f)) ||
                  is_other_way(region, g_array_index(from, guint, f));
        pure[i] |= all;
    }
    return pure;
}

/* Takes in the first step that reads the region's results: one that computes with nothing else, if
 * there is one, and all branches; while literals are missing, any. */
static gboolean grow_forward(Region *region, const GArray *results, gboolean complete)
{
    g_autofree guint8 *pure = find_pure(region);
    guint next = PS_NO_STEP, other = PS_NO_STEP;
    for (guint k = 0; k < results->len; k++) {
        g_autoptr(GArray) readers = readers_of(region, g_array_index(results, guint, k));
        for (guint r = 0; r < readers->len; r++) {
            const guint i = g_array_index(readers, guint, r);
            if (kind_of(region, i) == PS_CLASS_BRANCH || (pure[i] && may_join(region, i)))
                next = MIN(next, i);
            else if (!complete && may_join(region, i))
                other = MIN(other, i);
        }
    }
    next = next != PS_NO_STEP ? next : other;
    if (next != PS_NO_STEP)
        join(region, next);
    return next != PS_NO_STEP;
}

/* The multiply-add that alone reads all results: the function's last product, and what the program
 * adds to it; PS_NO_STEP: there is none. */
static guint fused_with(const Region *region, const GArray *results)
{
    guint fused = PS_NO_STEP;
    for (guint k = 0; k < results->len; k++) {
        g_autoptr(GArray) readers = readers_of(region, g_array_index(results, guint, k));
        const guint reader = g_array_index(readers, guint, 0);
        if (readers->len != 1 || (fused != PS_NO_STEP && reader != fused))
            return PS_NO_STEP;
        fused = reader;
    }
    return results->len > 1 && may_join(region, fused) &&
                   ps_class_covers("fmadd", at(region, fused)->name)
               ? fused
               : PS_NO_STEP;
}

/* The results when the region had so many steps; NULL: there were none. */
static GArray *back_to(Region *region, guint n_steps)
{
    while (region->steps->len > n_steps) {
        region->in[g_array_index(region->steps, guint, region->steps->len - 1)] = FALSE;
        g_array_set_size(region->steps, region->steps->len - 1);
    }
    return n_steps ? results_of(region) : NULL;
}

/* Grows until all literals are in, with one result, or two if one is impossible. Returns the steps
 * with results; NULL: it is impossible. */
static GArray *grow(Region *region)
{
    const Function *function = region->function;
    guint pair = 0; /* number of steps when it had two results */
    while (region->steps->len < MOST_REGION && !region->two) {
        join_forwarded(region);
        g_autoptr(GArray) inputs = inputs_of(region), results = results_of(region);
        const guint n_inputs = count_values(region, inputs), n = count_values(region, results);
        const gboolean complete = region->missing == 0;
        if (n_inputs > function->n_arguments || (!complete && n_inputs > 1 && n == 1)) {
            if (!grow_back(region, inputs))
                break;
            continue;
        }
        const guint fused = complete ? fused_with(region, results) : PS_NO_STEP;
        if (fused != PS_NO_STEP)
            join(region, fused);
        if (fused != PS_NO_STEP || (complete && n == 1))
            return results_of(region);
        if (complete && n == function->most_results && pair == 0)
            pair = region->steps->len;
        if (!grow_forward(region, results, complete))
            break;
    }
    return back_to(region, pair);
}

/* ---- what else serves it ------------------------------------------------------------------- */

/* TRUE if a result without a reader is no value at all. In machine code it may be for the loop's
 * next iteration, unless a later step on the line writes the register again. */
static gboolean is_dead(const Region *region, guint i)
{
    if (!region->search->facts->machine)
        return TRUE;
    for (guint k = i + 1;
         k < region->search->steps->len && ps_idiom_same_line(region->search, k, i); k++)
        if (writes_same(region, k, i) && !at(region, k)->guarded)
            return TRUE;
    return FALSE;
}

/* TRUE if a step of the same line that depends on the inputs alone serves only the function: a step
 * that the region alone reads, a branch behind its begin, or in PTX another value of the result. */
static gboolean serves(const Region *region, guint i, const GArray *results)
{
    const guint result = g_array_index(results, guint, 0);
    g_autoptr(GArray) readers = readers_of(region, i);
    if (kind_of(region, i) == PS_CLASS_BRANCH)
        return i > region->anchor && (region->function->branches == BEHIND ||
                                      (region->function->branches == WITHIN && i < result));
    if (!region->search->facts->machine && writes_same(region, i, result))
        return ps_idiom_contains(at(region, i)->from, result);
    return readers->len == 0 && (at(region, i)->to->len > 0 || is_dead(region, i));
}

static gboolean computes_of(const Region *region, guint i, const guint8 *pure)
{
    const GArray *from = at(region, i)->from;
    for (guint f = 0; f < from->len; f++)
        if (!pure[g_array_index(from, guint, f)] &&
            !is_constant(region->search, g_array_index(from, guint, f)))
            return FALSE;
    return from->len > 0 && (may_join(region, i) || (kind_of(region, i) == PS_CLASS_BRANCH &&
                                                     at(region, i)->whole == PS_NO_STEP));
}

static void add_servants(Region *region, const GArray *results)
{
    g_autofree guint8 *pure = find_pure(region);
    g_autoptr(GArray) inputs = inputs_of(region);
    const guint n = region->search->steps->len, result = g_array_index(results, guint, 0);
    gboolean any = TRUE;
    while (any) {
        any = FALSE;
        for (guint i = region->anchor - MIN(region->anchor, MOST_APART);
             i < n && is_near(region, i); i++) {
            if (region->in[i] || ps_idiom_contains(inputs, i) || !computes_of(region, i, pure) ||
                !ps_idiom_same_line(region->search, i, result) || !serves(region, i, results))
                continue;
            join(region, i);
            any = TRUE;
        }
    }
}

/* Branches of machine code come with instructions that hold lanes together. */
static void add_barriers(Region *region)
{
    const guint n = region->steps->len;
    for (guint k = 0; region->search->facts->machine && k < n; k++)
        if (ps_step_is(at(region, g_array_index(region->steps, guint, k)), "BRA"))
            (void)ps_idiom_add_branch(region->search, g_array_index(region->steps, guint, k),
                                      region->steps);
}

/* A cosine is the sine in the next quadrant: 1 is added before a bit is taken. */
static gboolean is_cosine(const Region *region)
{
    gint64 one;
    for (guint k = 0; k < region->steps->len; k++) {
        const guint i = g_array_index(region->steps, guint, k);
        const GArray *to = at(region, i)->to;
        gboolean taken = FALSE;
        for (guint r = 0; r < to->len; r++)
            taken |= ps_class_covers("logic", at(region, g_array_index(to, guint, r))->name);
        if (taken && ps_class_covers("iadd", at(region, i)->name) &&
            (ps_step_has(at(region, i), "0x1") ||
             (ps_facts_constant(region->search->facts, at(region, i)->point, 2, &one) && one == 1)))
            return TRUE;
    }
    return FALSE;
}

/* -------------------------------------------------------------------------------------------- */

/* The node of a result: the one that a move without an instruction moves. */
static guint node_of(const Region *region, guint result)
{
    const GArray *from = at(region, result)->from;
    for (guint f = 0; is_forwarded(region, result) && f < from->len; f++)
        if (region->in[g_array_index(from, guint, f)])
            return node_of(region, g_array_index(from, guint, f));
    return result;
}

static void region_free(void *data)
{
    Region *region = data;
    g_array_unref(region->steps);
    g_array_unref(region->results);
    g_free(region);
}

/* Marks the steps of the region that computes the function. NULL: there is none around that
 * step. */
static Region *find_at(const PsIdiomSearch *search, guint i, const Function *function)
{
    g_autofree guint8 *in = g_new0(guint8, search->steps->len);
    Region region = {.search = search, .function = function, .anchor = i, .in = in};
    for (guint l = 0; function->literals[l]; l++)
        region.missing |= 1U << l;
    region.steps = ps_idiom_set_new();
    join(&region, i);
    region.results = grow(&region);
    if (!region.results) {
        g_array_unref(region.steps);
        return NULL;
    }
    const guint result = g_array_index(region.results, guint, 0);
    const guint last = g_array_index(region.results, guint, region.results->len - 1);
    const gboolean pair = count_values(&region, region.results) > 1;
    if (pair)
        at(&region, last)->op = "cosf";
    const gboolean cosine = !pair && function->most_results > 1 && is_cosine(&region);
    region.whole = node_of(&region, result);
    ps_idiom_mark(search, region.steps, region.whole, cosine ? "cosf" : function->name);
    return g_memdup2(&region, sizeof region);
}

/* Marks further steps that serve it. */
static void complete(Region *region)
{
    g_autofree guint8 *in = g_new0(guint8, region->search->steps->len);
    region->in = in;
    for (guint k = 0; k < region->steps->len; k++)
        in[g_array_index(region->steps, guint, k)] = TRUE;
    add_servants(region, region->results);
    add_barriers(region);
    ps_idiom_mark(region->search, region->steps, region->whole, at(region, region->whole)->op);
}

void ps_functions_find(const PsIdiomSearch *search)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(region_free);
    for (guint i = 0; i < search->steps->len; i++)
        for (gsize f = 0; f < G_N_ELEMENTS(FUNCTIONS); f++) {
            const PsCodeStep *step = ps_step(search->steps, i);
            if (step->whole != PS_NO_STEP || step->op || is_constant(search, i) ||
                !has_literal(search, i, FUNCTIONS[f].literals[0]))
                continue;
            Region *region = find_at(search, i, &FUNCTIONS[f]);
            if (region)
                g_ptr_array_add(found, region);
        }
    for (guint r = 0; r < found->len; r++)
        complete(found->pdata[r]);
}
