/* SPDX-License-Identifier: BSD-3-Clause */
/* See trust.h. */
#include "cli/report/trust.h"

#include <string.h>

/* Names of what is assumed that are listed; the others are counted. */
#define MAX_NAMES 6

typedef struct {
    const PsGpu *gpu;
    gboolean used[PS_SOURCE_ASSUMED + 1]; /* kinds of sources */
    gboolean unknown;                     /* something has no source */
    GPtrArray *assumed;                   /* what is: borrowed names, each once */
} Trust;

static void add_part(Trust *trust, const char *source_id, const char *name)
{
    const PsSource *source = source_id ? ps_gpu_source(trust->gpu, source_id) : NULL;
    trust->unknown |= !source;
    if (!source)
        return;
    trust->used[source->kind] = TRUE;
    if (source->kind == PS_SOURCE_ASSUMED &&
        !g_ptr_array_find_with_equal_func(trust->assumed, name, g_str_equal, NULL))
        g_ptr_array_add(trust->assumed, (char *)name);
}

/* Of what a description states once, figures may be from several files. */
static void add_setting(Trust *trust, const char *element, const char *name)
{
    g_autoptr(GPtrArray) ids = ps_gpu_setting_sources(trust->gpu, element);
    for (guint i = 0; i < ids->len; i++)
        add_part(trust, ids->pdata[i], name);
}

/* Of what a class has no row of its own: its costs follow from what its pipeline serves. */
static void add_class_by_levels(Trust *trust, const PsMachineClass *entry)
{
    const PsAtomics *atomics = &trust->gpu->atomics;
    if (atomics->stated && ps_class_covers("atomic", entry->asked))
        add_setting(trust, "atomics", "atomics");
    else
        add_setting(trust, "memory", "loads and stores");
}

/* Classes that issued something. */
static void add_classes(Trust *trust, const Answer *answer)
{
    for (guint i = 0; i < answer->classes->len; i++) {
        const PsStatsRow *row = answer->classes->pdata[i];
        const PsMachineClass *entry = &answer->machine->classes[i];
        if (row->issued > 0 && entry->by_levels)
            add_class_by_levels(trust, entry);
        else if (row->issued > 0)
            add_part(trust, entry->klass->source, entry->klass->name);
    }
}

static void add_levels(Trust *trust, const Answer *answer)
{
    static const char *const names[PS_N_LEVELS] = {[PS_LEVEL_DEVICE] = "device memory"};
    for (guint i = 0; i < answer->machine->n_levels; i++) {
        const PsMemoryLevel *level = &answer->machine->levels[i];
        add_part(trust, level->source,
                 names[level->level] ? names[level->level] : ps_level_name(level->level));
    }
}

static void append_names(GString *out, const GPtrArray *names)
{
    const guint n = MIN(names->len, MAX_NAMES);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "; assumed: ", (char *)names->pdata[i]);
    if (n < names->len)
        g_string_append_printf(out, " and %u more", names->len - n);
}

char *trust_describe(const Answer *answer)
{
    static const char *const words[] = {"measured", "published", "a vendor's", "derived"};
    g_autoptr(GPtrArray) assumed = g_ptr_array_new();
    Trust trust = {.gpu = answer->gpu, .assumed = assumed};
    add_classes(&trust, answer);
    add_levels(&trust, answer);
    if (answer->machine->refinements.overheads)
        add_setting(&trust, "overheads", "what launches cost");
    GString *out = g_string_new(NULL);
    for (guint kind = 0; kind < PS_SOURCE_ASSUMED; kind++)
        if (trust.used[kind])
            g_string_append_printf(out, "%s%s", out->len ? ", " : "the GPU's figures are ",
                                   words[kind]);
    if (trust.unknown)
        g_string_append(out,
                        out->len ? ", or without a source" : "the GPU's figures have no source");
    if (!out->len)
        g_string_append(out, "nothing of it was measured");
    append_names(out, assumed);
    if (!assumed->len && !trust.unknown)
        g_string_append(out, "; nothing is assumed");
    return g_string_free(out, FALSE);
}
