/* SPDX-License-Identifier: BSD-3-Clause */
/* See steps.h. */
#include "lift/steps.h"

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

/* Who wrote a register last: for each of them, counted from 1; 0: nobody. */
typedef struct {
    const PsFacts *facts;
    const GPtrArray *steps;
    guint *last;
} Writers;

static void connect_reads(const Writers *writers, guint i)
{
    const PsFact *fact = &writers->facts->facts[ps_step(writers->steps, i)->point];
    const PsUse *from = ps_fact_from(writers->facts, fact);
    for (guint r = 0; r < fact->n_from; r++)
        if (from[r].reg < writers->facts->n_registers && writers->last[from[r].reg])
            connect(writers->steps, i, writers->last[from[r].reg] - 1);
}

/* In PTX all that write a register give one variable its value, on several ways. */
static void connect_writes(const Writers *writers, guint i)
{
    const PsFacts *facts = writers->facts;
    const PsCodeStep *step = ps_step(writers->steps, i);
    const PsFact *fact = &facts->facts[step->point];
    const guint *to = ps_fact_to(facts, fact);
    for (guint r = 0; r < fact->n_to; r++) {
        if (to[r] >= facts->n_registers)
            continue;
        if (writers->last[to[r]] && (step->guarded || !facts->machine))
            connect(writers->steps, i, writers->last[to[r]] - 1);
        writers->last[to[r]] = i + 1;
    }
}

static gboolean touches(const PsFacts *facts, const PsCodeStep *step, guint reg, gboolean reads)
{
    const PsFact *fact = &facts->facts[step->point];
    for (guint r = 0; r < (reads ? fact->n_from : fact->n_to); r++)
        if ((reads ? ps_fact_from(facts, fact)[r].reg : ps_fact_to(facts, fact)[r]) == reg)
            return TRUE;
    return FALSE;
}

/* Whether all that read a step are guarded as it is, so that nobody reads what the register was. */
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

/* Forgets what a guarded step's register was where that is not read. */
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

/* Only the PTX instruction that a node is made of stands for a machine instruction. */
static gboolean is_step(const PsFacts *facts, guint point)
{
    const PsRole role = facts->facts[point].role;
    if (role == PS_ROLE_ABSENT || (facts->machine && role == PS_ROLE_NOTHING))
        return FALSE;
    return !facts->machine ||
           g_array_index(facts->machine->origins, PsSassOrigin, point).machine != G_MAXUINT;
}

GPtrArray *ps_steps_new(const PsFacts *facts)
{
    GPtrArray *steps = g_ptr_array_new_with_free_func(free_step);
    g_autofree guint *last = g_new0(guint, facts->n_registers + 1);
    const Writers writers = {facts, steps, last};
    for (guint point = 0; point < facts->code->n_points; point++) {
        if (!is_step(facts, point))
            continue;
        g_ptr_array_add(steps, new_step(facts, point));
        if (facts->machine)
            connect_reads(&writers, steps->len - 1);
        connect_writes(&writers, steps->len - 1);
    }
    for (guint i = 0; i < steps->len; i++)
        if (facts->machine)
            forget_old(facts, steps, i);
        else
            connect_reads(&writers, i);
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
