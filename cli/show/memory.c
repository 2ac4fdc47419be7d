/* SPDX-License-Identifier: BSD-3-Clause */
/* What a GPU description says of memory, as text: levels, caches, atomics and local memory. */
#include "cli/show/show.h"

#include "pipesim-private.h"

/* "212 at 1380 MHz" cycles; without a clock they are the CU's. */
static char *format_latency(PsRational latency, PsRational at)
{
    g_autofree char *cycles = ps_rational_format(latency);
    g_autofree char *clock = ps_rational_format(at);
    return at.num ? g_strdup_printf("%s at %s MHz", cycles, clock) : g_steal_pointer(&cycles);
}

static char *format_known(PsRational value)
{
    return value.num ? ps_rational_format(value) : g_strdup("");
}

static void add_level(PsTable *table, const PsGpu *gpu, const PsMemoryLevel *level)
{
    ps_table_add(table, g_strdup(ps_level_name(level->level)));
    ps_table_add(table, level->bytes ? ps_format_count(level->bytes) : g_strdup(""));
    ps_table_add(table, format_known(level->port));
    g_autofree char *mixed = format_known(level->mixed);
    g_autofree char *bandwidth = format_known(level->bandwidth);
    ps_table_add(table,
                 *mixed ? g_strdup_printf("%s, mixed %s", bandwidth, mixed) : g_strdup(bandwidth));
    ps_table_add(table, format_latency(level->latency, level->at));
    ps_table_add(table, show_source(gpu, level->source));
}

static void show_levels(const PsGpu *gpu, GString *out)
{
    static const char *const head[] = {"", "bytes", "per cycle", "GB/s", "latency", "source"};
    const PsMemory *memory = &gpu->memory;
    g_autoptr(PsTable) table = ps_table_new("lrrrll");
    for (guint i = 0; i < G_N_ELEMENTS(head); i++)
        ps_table_add(table, g_strdup(head[i]));
    for (guint i = 0; i < memory->levels->len; i++)
        add_level(table, gpu, &g_array_index(memory->levels, PsMemoryLevel, i));
    g_string_append(out, "\nLevels of memory (bytes per cycle of one compute unit, GB/s of all, "
                         "latency in\ncycles)\n");
    ps_table_print(table, 2, out);
}

void show_memory(const PsGpu *gpu, GString *out)
{
    if (gpu->memory.levels)
        show_levels(gpu, out);
    show_part(gpu, PART_CACHE, out);
    show_part(gpu, PART_REQUESTS, out);
    show_part(gpu, PART_ATOMICS, out);
    show_part(gpu, PART_LOCAL, out);
}
