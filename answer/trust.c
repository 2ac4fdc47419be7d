/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of the figures that a run used. See answer.h. */
#include "answer/answer.h"
#include "answer/figures.h"
#include "base/class-name.h"
#include "gpu/rows.h"

static gboolean is_same(const PsAssumed *x, const PsAssumed *y)
{
    return x->kind == y->kind && x->level == y->level && g_strcmp0(x->name, y->name) == 0;
}

static void add_assumed(PsTrust *trust, const PsAssumed *one)
{
    for (guint i = 0; i < trust->assumed->len; i++)
        if (is_same(&g_array_index(trust->assumed, PsAssumed, i), one))
            return;
    g_array_append_vals(trust->assumed, one, 1);
}

static void add_source(PsTrust *trust, const PsGpu *gpu, const char *id, PsAssumed one)
{
    const PsSource *source = id ? ps_gpu_source(gpu, id) : NULL;
    trust->unknown |= !source;
    if (!source)
        return;
    trust->used[source->kind] = TRUE;
    if (source->kind == PS_SOURCE_ASSUMED)
        add_assumed(trust, &one);
}

/* A setting that stands once in a description may have figures from several files. */
static void add_setting(PsTrust *trust, const PsGpu *gpu, const char *element, PsAssumedKind kind)
{
    g_autoptr(GPtrArray) ids = ps_gpu_setting_sources(gpu, element);
    for (guint i = 0; i < ids->len; i++)
        add_source(trust, gpu, ids->pdata[i], (PsAssumed){.kind = kind});
}

/* Adds a class that issued instructions. A class without a row of its own costs what its pipeline's
 * server states. */
static void add_class(PsTrust *trust, const PsGpu *gpu, const PsMachineClass *bound)
{
    if (!bound->by_levels)
        add_source(trust, gpu, bound->class->source,
                   (PsAssumed){.kind = PS_ASSUMED_CLASS, .name = bound->class->name});
    else if (gpu->atomics.stated && ps_class_covers("atomic", bound->asked))
        add_setting(trust, gpu, "atomics", PS_ASSUMED_ATOMICS);
    else
        add_setting(trust, gpu, "memory", PS_ASSUMED_MEMORY);
}

static void add_levels(PsTrust *trust, const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    for (guint i = 0; i < machine->n_levels; i++)
        add_source(trust, answer->gpu, machine->levels[i].source,
                   (PsAssumed){.kind = PS_ASSUMED_LEVEL, .level = machine->levels[i].level});
}

PsTrust ps_answer_trust_of(const PsAnswer *answer, const gboolean *of, gboolean overheads)
{
    const PsMachine *machine = answer->machine;
    PsTrust trust = {.assumed = g_array_new(FALSE, FALSE, sizeof(PsAssumed))};
    gboolean levels = FALSE;
    for (guint i = 0; i < answer->classes->len; i++) {
        if (!of[i] || ((const PsStatsRow *)answer->classes->pdata[i])->issued == 0)
            continue;
        add_class(&trust, answer->gpu, &machine->classes[i]);
        levels |= machine->classes[i].by_levels;
    }
    if (levels)
        add_levels(&trust, answer);
    for (guint i = machine->n_levels; levels && i < answer->servers->len; i++)
        if (((const PsServerRow *)answer->servers->pdata[i])->visits > 0)
            add_setting(&trust, answer->gpu, "atomics", PS_ASSUMED_ATOMICS);
    if (overheads && machine->refinements.overheads)
        add_setting(&trust, answer->gpu, "overheads", PS_ASSUMED_OVERHEADS);
    return trust;
}

PsTrust ps_answer_trust(const PsAnswer *answer)
{
    g_autofree gboolean *all = g_new(gboolean, answer->machine->n_classes);
    for (guint i = 0; i < answer->machine->n_classes; i++)
        all[i] = TRUE;
    return ps_answer_trust_of(answer, all, TRUE);
}

void ps_trust_clear(PsTrust *trust)
{
    g_clear_pointer(&trust->assumed, g_array_unref);
}
