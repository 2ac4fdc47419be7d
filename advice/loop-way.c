/* SPDX-License-Identifier: BSD-3-Clause */
/* See loop-way.h. */
#include "advice/loop-way.h"

#include "base/class-name.h"
#include "tell/format.h"

/* Registers of a thread on any GPU. */
#define MOST_REGISTERS 255

void ps_loop_ways_init(PsAdvice *advice, guint loop, const PsLoopWay *way)
{
    PsLoopWays *ways = ps_advice_data_new(advice, PsLoopWays);
    ways->loop = loop;
    ways->ways = g_array_new(FALSE, FALSE, sizeof(PsLoopWay));
    g_array_append_val(ways->ways, *way);
}

void ps_loop_ways_clear(void *data)
{
    PsLoopWays *ways = data;
    g_array_unref(ways->ways);
    g_free(ways->pragma.why);
}

char *ps_loop_price(const PsLoopWay *way)
{
    g_autofree char *more = ps_format_noun(way->registers, "register");
    g_autofree char *registers =
        way->registers ? g_strdup_printf(", for some %s more", more) : g_strdup("");
    return g_strconcat(way->passes_store
                           ? ", where what it stores is not what it loads (__restrict__ says so)"
                           : "",
                       registers, way->passes_store || way->registers ? "," : "", NULL);
}

gboolean ps_advice_is_load(const PsAnswer *answer, const PsPathRow *row)
{
    const char *name = answer->kernel->programs[row->program].nodes[row->node].item->class_name;
    return (ps_class_is_global(name) || ps_class_is_local(name)) && !ps_class_writes(name) &&
           (row->kind == PS_PATH_COMPLETION || row->kind == PS_PATH_MEMORY);
}

gboolean ps_advice_add_registers(const PsAnswer *answer, guint words, PsIdg *idg)
{
    const gint64 registers = answer->kernel->registers + words;
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, registers);
    if (answer->kernel->registers == 0)
        return TRUE;
    ps_expr_free(idg->launch.registers);
    idg->launch.registers = ps_expr_new(text, (PsPlace){"registers", 0}, NULL);
    return registers <= MOST_REGISTERS;
}
