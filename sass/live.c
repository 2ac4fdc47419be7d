/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Liveness, the textbook's: a register is live before an instruction that reads it, or before one
 * that does not write it (or not in all lanes) and behind which it is live; and only where some way
 * from the start has written it: what is written and read under one guard holds nothing before.
 * Sets only grow from sweep to sweep, so that it ends.
 */
#include "sass/sass.h"

#include <string.h>

#define WORDS 4 /* of 64 registers */

typedef struct {
    guint64 bits[WORDS];
} Set;

typedef struct {
    const PsSassCode *code;
    guint n;
    gboolean *falls; /* [instruction]: lanes may go on with the next one */
    Set *in;         /* [instruction]: needed before it; nothing behind the last */
    Set *filled;     /* [instruction]: written before it */
    guint *next;     /* [i]: place of its first edge; n + 1 of them */
    guint *to;       /* [edge]: its target, by instruction of origin */
} Flow;

static const PsSassInstruction *instruction_at(const PsSassCode *code, guint i)
{
    return &g_array_index(code->listing->instructions, PsSassInstruction, i);
}

/* TRUE if not all lanes execute it. */
static gboolean is_guarded(const PsSassInstruction *instruction)
{
    return instruction->guard && strcmp(instruction->guard, "@PT") != 0 &&
           strcmp(instruction->guard, "@UPT") != 0;
}

/* TRUE if lanes may go on with the next one; they return from a call on a path of their own. */
static gboolean falls_through(const PsSassInstruction *instruction)
{
    static const char *const leaving[] = {"BRA", "BRX", "CALL", "EXIT", "JMP", "RET", NULL};
    g_auto(GStrv) parts = g_strsplit(instruction->opcode, ".", 3);
    if (is_guarded(instruction) || !g_strv_contains((const char *const *)leaving, parts[0]) ||
        (parts[1] && strcmp(parts[1], "DIV") == 0))
        return TRUE;
    /* A branch or an exit may test a predicate as an operand. */
    return instruction->operands && strchr("!PU", instruction->operands[0]);
}

static void sort_edges(Flow *flow)
{
    const GArray *edges = flow->code->edges;
    flow->next = g_new0(guint, flow->n + 2);
    flow->to = g_new(guint, edges->len + 1);
    for (guint e = 0; e < edges->len; e++)
        flow->next[g_array_index(edges, PsSassEdge, e).from + 1]++;
    for (guint i = 0; i < flow->n; i++)
        flow->next[i + 1] += flow->next[i];
    g_autofree guint *at = g_memdup2(flow->next, (flow->n + 1) * sizeof *at);
    for (guint e = 0; e < edges->len; e++) {
        const PsSassEdge *edge = &g_array_index(edges, PsSassEdge, e);
        flow->to[at[edge->from]++] = edge->to;
    }
}

/* Joins a set into another; TRUE if that grew. */
static gboolean join(Set *set, const Set *other)
{
    guint64 added = 0;
    for (guint w = 0; w < WORDS; w++) {
        added |= other->bits[w] & ~set->bits[w];
        set->bits[w] |= other->bits[w];
    }
    return added != 0;
}

static void put(Set *set, guint reg)
{
    if (reg < WORDS * 64)
        set->bits[reg / 64] |= G_GUINT64_CONSTANT(1) << (reg % 64);
}

/* The registers needed behind an instruction. */
static Set behind(const Flow *flow, guint i)
{
    Set out = {{0}};
    if (flow->falls[i])
        join(&out, &flow->in[i + 1]);
    for (guint e = flow->next[i]; e < flow->next[i + 1]; e++)
        join(&out, &flow->in[flow->to[e]]);
    return out;
}

static Set written_by(const Flow *flow, guint i)
{
    const PsSassUse *use = &g_array_index(flow->code->uses, PsSassUse, i);
    Set written = {{0}};
    for (guint r = 0; r < use->n_to; r++)
        put(&written, use->to[r]);
    return written;
}

/* The registers needed before the instruction, from those needed behind it. */
static Set before(const Flow *flow, guint i, Set out)
{
    const PsSassUse *use = &g_array_index(flow->code->uses, PsSassUse, i);
    const Set written = written_by(flow, i);
    for (guint w = 0; w < WORDS && !is_guarded(instruction_at(flow->code, i)); w++)
        out.bits[w] &= ~written.bits[w];
    for (guint r = 0; r < use->n_from; r++)
        put(&out, use->from[r]);
    return out;
}

/* Finds written registers, forwards. */
static void fill(const Flow *flow)
{
    gboolean changed = TRUE;
    while (changed) {
        changed = FALSE;
        for (guint i = 0; i < flow->n; i++) {
            Set out = written_by(flow, i);
            join(&out, &flow->filled[i]);
            if (flow->falls[i])
                join(&flow->filled[i + 1], &out);
            for (guint e = flow->next[i]; e < flow->next[i + 1]; e++)
                changed |= join(&flow->filled[flow->to[e]], &out) && flow->to[e] <= i;
        }
    }
}

/* Finds needed registers, backwards. */
static void solve(const Flow *flow)
{
    gboolean changed = TRUE;
    while (changed) {
        changed = FALSE;
        for (guint i = flow->n; i-- > 0;) {
            const Set in = before(flow, i, behind(flow, i));
            changed |= memcmp(&in, &flow->in[i], sizeof in) != 0;
            flow->in[i] = in;
        }
    }
}

static guint count(const Set *set)
{
    guint n = 0;
    for (guint w = 0; w < WORDS; w++)
        n += (guint)__builtin_popcountll(set->bits[w]);
    return n;
}

guint *ps_sass_live(const PsSassCode *code)
{
    Flow flow = {.code = code, .n = code->listing->instructions->len};
    guint *live = g_new0(guint, flow.n + 1);
    flow.in = g_new0(Set, flow.n + 1);
    flow.filled = g_new0(Set, flow.n + 1);
    flow.falls = g_new(gboolean, flow.n + 1);
    for (guint i = 0; i < flow.n; i++)
        flow.falls[i] = falls_through(instruction_at(code, i));
    sort_edges(&flow);
    solve(&flow);
    fill(&flow);
    for (guint i = 0; i < flow.n; i++) {
        Set at = written_by(&flow, i);
        for (guint w = 0; w < WORDS; w++)
            at.bits[w] |= flow.in[i].bits[w] & flow.filled[i].bits[w];
        live[i] = count(&at);
    }
    g_free(flow.falls);
    g_free(flow.in);
    g_free(flow.filled);
    g_free(flow.next);
    g_free(flow.to);
    return live;
}
