/* SPDX-License-Identifier: BSD-3-Clause */
/* See steps.h. */
#include "lift/values/steps.h"

#include <string.h>

static void free_step(void *data)
{
    PsCodeStep *step = data;
    g_array_unref(step->from);
    g_array_unref(step->to);
    g_strfreev(step->operands);
    g_free(step);
}

static char **split(const char *operands)
{
    char **list = g_strsplit_set(operands ? operands : "", ", ", -1);
    for (char **operand = list; *operand; operand++) {
        char *reuse = strstr(*operand, ".reuse");
        if (reuse)
            *reuse = '\0';
    }
    return list;
}

static PsCodeStep *new_step(const PsFacts *facts, guint point)
{
    PsCodeStep *step = g_new0(PsCodeStep, 1);
    const PsPtxInstruction *ptx = ps_facts_instruction(facts, point);
    *step = (PsCodeStep){.point = point,
                         .opcode = ptx->mnemonic->text,
                         .name = facts->facts[point].name,
                         .guarded = ptx->guard >= 0,
                         .from = g_array_new(FALSE, FALSE, sizeof(guint)),
                         .to = g_array_new(FALSE, FALSE, sizeof(guint)),
                         .whole = PS_NO_STEP};
    if (!facts->machine)
        return step;
    const PsSassOrigin *origin = &g_array_index(facts->machine->origins, PsSassOrigin, point);
    const PsSassInstruction *machine =
        &g_array_index(facts->machine->listing->instructions, PsSassInstruction, origin->machine);
    step->opcode = machine->opcode;
    step->operands = split(machine->operands);
    step->guarded = machine->guard != NULL;
    return step;
}

static void connect(const GPtrArray *steps, guint i, guint on)
{
    PsCodeStep *step = ps_step(steps, i);
    for (guint f = 0; f < step->from->len; f++)
        if (g_array_index(step->from, guint, f) == on)
            return;
    if (i == on)
        return;
    g_array_append_val(step->from, on);
    g_array_append_val(ps_step(steps, on)->to, i);
}

/* ---- machine code -------------------------------------------------------------------------- */

/* last: [register]: its last writer before, counted from 1. */
static void connect_step(const PsFacts *facts, const GPtrArray *steps, guint i, guint *last)
{
    const PsCodeStep *step = ps_step(steps, i);
    const PsFact *fact = &facts->facts[step->point];
    const PsUse *from = ps_fact_from(facts, fact);
    const guint *to = ps_fact_to(facts, fact);
    for (guint r = 0; r < fact->n_from; r++)
        if (from[r].reg < facts->n_registers && last[from[r].reg])
            connect(steps, i, last[from[r].reg] - 1);
    for (guint r = 0; step->guarded && r < fact->n_to; r++)
        if (to[r] < facts->n_registers && last[to[r]])
            connect(steps, i, last[to[r]] - 1);
    for (guint r = 0; r < fact->n_to; r++)
        if (to[r] < facts->n_registers)
            last[to[r]] = i + 1;
}

static gboolean touches(const PsFacts *facts, const PsCodeStep *step, guint reg, gboolean reads)
{
    const PsFact *fact = &facts->facts[step->point];
    for (guint r = 0; r < (reads ? fact->n_from : fact->n_to); r++)
        if ((reads ? ps_fact_from(facts, fact)[r].reg : ps_fact_to(facts, fact)[r]) == reg)
            return TRUE;
    return FALSE;
}

/* TRUE if all readers of a step have its guard, so that none reads the register's former value. */
static gboolean is_guarded_alike(const PsFacts *facts, const GPtrArray *steps, guint i)
{
    const PsPtxInstruction *own = ps_facts_instruction(facts, ps_step(steps, i)->point);
    const GArray *to = ps_step(steps, i)->to;
    for (guint r = 0; r < to->len; r++) {
        const PsCodeStep *reader = ps_step(steps, g_array_index(to, guint, r));
        const PsPtxInstruction *by = ps_facts_instruction(facts, reader->point);
        if (by->guard != own->guard || by->guard_negated != own->guard_negated)
            return FALSE;
    }
    return own->guard >= 0 && to->len > 0;
}

static void disconnect(const GPtrArray *steps, guint i, guint f)
{
    GArray *from = ps_step(steps, i)->from;
    GArray *to = ps_step(steps, g_array_index(from, guint, f))->to;
    for (guint r = 0; r < to->len; r++)
        if (g_array_index(to, guint, r) == i)
            g_array_remove_index(to, r--);
    g_array_remove_index(from, f);
}

/* Drops the former value of a guarded step's register if it is not read. */
static void forget_old(const PsFacts *facts, const GPtrArray *steps, guint i)
{
    const PsCodeStep *step = ps_step(steps, i);
    const PsFact *fact = &facts->facts[step->point];
    const guint reg = fact->n_to == 1 ? *ps_fact_to(facts, fact) : PS_PTX_NOWHERE;
    for (guint f = 0; f < step->from->len; f++)
        if (reg != PS_PTX_NOWHERE && !touches(facts, step, reg, TRUE) &&
            touches(facts, ps_step(steps, g_array_index(step->from, guint, f)), reg, FALSE) &&
            is_guarded_alike(facts, steps, i))
            disconnect(steps, i, f--);
}

/* TRUE for the PTX instruction that stands for a machine instruction's node. */
static gboolean is_step(const PsFacts *facts, guint point)
{
    const PsRole role = facts->facts[point].role;
    if (role == PS_ROLE_ABSENT || (facts->machine && role == PS_ROLE_NOTHING))
        return FALSE;
    return !facts->machine ||
           g_array_index(facts->machine->origins, PsSassOrigin, point).machine != G_MAXUINT;
}

static void connect_machine(const PsFacts *facts, const GPtrArray *steps)
{
    g_autofree guint *last = g_new0(guint, facts->n_registers + 1);
    for (guint i = 0; i < steps->len; i++)
        connect_step(facts, steps, i, last);
    for (guint i = 0; i < steps->len; i++)
        forget_old(facts, steps, i);
}

/* ---- PTX ----------------------------------------------------------------------------------- */

typedef struct {
    const PsFacts *facts;
    const GPtrArray *steps;
    guint *at;   /* [point]: its step */
    guint *seen; /* [point]: the last walk that visited it */
    guint walk;
} Variables;

static gboolean falls_through(const PsPtxInstruction *instruction)
{
    static const char *const leaving[] = {"bra", "brx", "ret", "exit", "trap", NULL};
    return instruction->guard >= 0 || !g_strv_contains(leaving, instruction->mnemonic->opcode);
}

static void add_next(const PsPtxCode *code, guint point, GArray *next)
{
    const PsPtxPoint *at = &code->points[point];
    const guint behind = point + 1;
    if (at->target != PS_PTX_NOWHERE)
        g_array_append_val(next, at->target);
    if (at->targets)
        g_array_append_vals(next, at->targets->data, at->targets->len);
    if (falls_through(at->instruction))
        g_array_append_val(next, behind);
}

/* Connects the readers of what a point writes into a register. */
static void connect_readers(Variables *variables, guint writer, guint reg)
{
    const PsFacts *facts = variables->facts;
    g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(guint));
    guint left = ps_facts_n_readers(facts, reg);
    add_next(facts->code, writer, next);
    variables->walk++;
    while (next->len > 0 && left > 0) {
        const guint i = g_array_index(next, guint, next->len - 1);
        g_array_set_size(next, next->len - 1);
        if (i >= facts->code->n_points || variables->seen[i] == variables->walk ||
            facts->facts[i].role == PS_ROLE_ABSENT)
            continue;
        const PsCodeStep *step = ps_step(variables->steps, variables->at[i]);
        variables->seen[i] = variables->walk;
        if (touches(facts, step, reg, TRUE)) {
            connect(variables->steps, variables->at[i], variables->at[writer]);
            left--;
        }
        if (!touches(facts, step, reg, FALSE) || step->guarded)
            add_next(facts->code, i, next);
    }
}

static void connect_register(Variables *variables, guint reg)
{
    const PsFacts *facts = variables->facts;
    const guint n = ps_facts_n_writers(facts, reg);
    const guint *writers = &facts->writers[facts->first_writer[reg]];
    for (guint r = 0; n == 1 && r < ps_facts_n_readers(facts, reg); r++)
        connect(variables->steps, variables->at[ps_facts_reader(facts, reg, r)],
                variables->at[writers[0]]);
    for (guint w = 0; n > 1 && w < n; w++)
        connect_readers(variables, writers[w], reg);
}

static void connect_ptx(const PsFacts *facts, const GPtrArray *steps)
{
    const guint n = facts->code->n_points;
    g_autofree guint *at = g_new0(guint, n + 1), *seen = g_new0(guint, n + 1);
    Variables variables = {facts, steps, at, seen, 0};
    for (guint i = 0; i < steps->len; i++)
        at[ps_step(steps, i)->point] = i;
    for (guint reg = 0; reg < facts->n_registers; reg++)
        connect_register(&variables, reg);
}

/* -------------------------------------------------------------------------------------------- */

GPtrArray *ps_steps_new(const PsFacts *facts)
{
    GPtrArray *steps = g_ptr_array_new_with_free_func(free_step);
    for (guint point = 0; point < facts->code->n_points; point++)
        if (is_step(facts, point))
            g_ptr_array_add(steps, new_step(facts, point));
    if (facts->machine)
        connect_machine(facts, steps);
    else
        connect_ptx(facts, steps);
    return steps;
}

gboolean ps_step_is(const PsCodeStep *step, const char *opcode)
{
    const gsize length = strlen(opcode);
    return strncmp(step->opcode, opcode, length) == 0 &&
           (step->opcode[length] == '\0' || step->opcode[length] == '.');
}

gboolean ps_step_has(const PsCodeStep *step, const char *operand)
{
    return step->operands && g_strv_contains((const char *const *)step->operands, operand);
}

gboolean ps_step_has_number(const PsCodeStep *step, float number)
{
    for (char **operand = step->operands; operand && *operand; operand++) {
        char *end = NULL;
        const double value = g_ascii_strtod(*operand, &end);
        if (end != *operand && *end == '\0' && (float)value == number)
            return TRUE;
    }
    return FALSE;
}

static guint find(const GPtrArray *steps, const GArray *list, const char *opcode)
{
    for (guint i = 0; i < list->len; i++)
        if (ps_step_is(ps_step(steps, g_array_index(list, guint, i)), opcode))
            return g_array_index(list, guint, i);
    return PS_NO_STEP;
}

guint ps_step_source(const GPtrArray *steps, guint i, const char *opcode)
{
    return i == PS_NO_STEP ? i : find(steps, ps_step(steps, i)->from, opcode);
}

guint ps_step_reader(const GPtrArray *steps, guint i, const char *opcode)
{
    return i == PS_NO_STEP ? i : find(steps, ps_step(steps, i)->to, opcode);
}
