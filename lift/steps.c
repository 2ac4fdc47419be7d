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
    g_array_append_val(step->from, on);
    g_array_append_val(ps_step(steps, on)->to, i);
}

/* last: for each register who wrote it last, counted from 1. */
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
    for (guint point = 0; point < facts->code->n_points; point++) {
        if (!is_step(facts, point))
            continue;
        g_ptr_array_add(steps, new_step(facts, point));
        connect_step(facts, steps, steps->len - 1, last);
    }
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
