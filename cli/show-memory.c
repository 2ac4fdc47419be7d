/* SPDX-License-Identifier: BSD-3-Clause */
/* What a GPU description says of memory, as text: levels, atomics and local memory. */
#include "cli/show.h"

#include "cli/format.h"
#include "cli/table.h"

static const char *pipeline_name(const PsGpu *gpu, guint index)
{
    return ((const PsPipeline *)gpu->pipelines->pdata[index])->name;
}

/* "212 at 1380 MHz" cycles; without a clock they are the CU's. */
static char *format_latency(PsRational latency, PsRational at)
{
    g_autofree char *cycles = ps_rational_format(latency);
    g_autofree char *clock = ps_rational_format(at);
    return at.num ? g_strdup_printf("%s at %s MHz", cycles, clock) : g_steal_pointer(&cycles);
}

static char *in_cycles(PsRational cycles)
{
    g_autofree char *number = ps_rational_format(cycles);
    return g_strdup_printf("%s cycle%s", number, cycles.num == cycles.den ? "" : "s");
}

static char *format_known(PsRational value)
{
    return value.num ? ps_rational_format(value) : g_strdup("");
}

static void add_level(Table *table, const PsGpu *gpu, const PsMemoryLevel *level)
{
    table_add(table, g_strdup(ps_level_name(level->level)));
    table_add(table, level->bytes ? format_count(level->bytes) : g_strdup(""));
    table_add(table, format_known(level->port));
    g_autofree char *mixed = format_known(level->mixed);
    g_autofree char *bandwidth = format_known(level->bandwidth);
    table_add(table,
              *mixed ? g_strdup_printf("%s, mixed %s", bandwidth, mixed) : g_strdup(bandwidth));
    table_add(table, format_latency(level->latency, level->at));
    table_add(table, show_source(gpu, level->source));
}

static void show_levels(const PsGpu *gpu, GString *out)
{
    static const char *const head[] = {"", "bytes", "per cycle", "GB/s", "latency", "source"};
    const PsMemory *memory = &gpu->memory;
    g_autoptr(Table) table = table_new("lrrrll");
    for (guint i = 0; i < G_N_ELEMENTS(head); i++)
        table_add(table, g_strdup(head[i]));
    for (guint i = 0; i < memory->levels->len; i++)
        add_level(table, gpu, &g_array_index(memory->levels, PsMemoryLevel, i));
    g_string_append(out, "\nLevels of memory (bytes per cycle of one compute unit, GB/s of all, "
                         "latency in\ncycles)\n");
    table_print(table, 2, out);
    g_string_append_printf(
        out, "  lines of %" G_GINT64_FORMAT " bytes in sectors of %" G_GINT64_FORMAT "%s\n",
        memory->line_bytes, memory->sector_bytes,
        memory->l1_global ? "" : "; l1 keeps only loads that ask for it");
    if (memory->store.num) {
        g_autofree char *store = ps_rational_format(memory->store);
        g_string_append_printf(out, "  a store keeps its warp for at least %s cycles\n", store);
    }
    g_autofree char *request = in_cycles(memory->request), *tag = in_cycles(memory->tag);
    if (memory->tag.num)
        g_string_append_printf(out, "  each line that a request touches: %s of the first level\n",
                               tag);
    g_string_append_printf(out, "  requests of 4 bytes per thread: %s each on %s\n", request,
                           pipeline_name(gpu, memory->pipeline));
}

static void show_cache(const PsCache *cache, GString *out)
{
    if (!cache->l1 && !cache->l2)
        return;
    g_autoptr(Table) table = table_new("lrl");
    show_count(table, "L1", cache->l1,
               cache->l1_global ? "bytes per CU" : "bytes per CU, only for loads that ask for it");
    show_count(table, "L2", cache->l2, "bytes");
    g_string_append(out, "\nCaches, for pipesim build\n");
    table_print(table, 2, out);
}

/* A heading with the source of what is below. */
static void put_heading(const PsGpu *gpu, const char *text, const char *id, GString *out)
{
    g_autofree char *source = show_source(gpu, id);
    g_string_append_printf(out, "\n%s%s%s\n", text, *source ? ", " : "", source);
}

static void add_line(Table *table, const char *what, char *value, const char *unit)
{
    table_add(table, g_strdup(what));
    table_add(table, value);
    table_add(table, g_strdup(unit));
}

static void add_rate(Table *table, const char *what, PsRational rate, const char *unit)
{
    if (rate.num)
        add_line(table, what, ps_rational_format(rate), unit);
}

static void show_atomics(const PsGpu *gpu, GString *out)
{
    const PsAtomics *atomics = &gpu->atomics;
    if (!atomics->stated)
        return;
    g_autoptr(Table) table = table_new("lrl");
    add_line(table, "request", ps_rational_format(atomics->request), "cycles on its pipeline");
    add_line(table, "completion", ps_rational_format(atomics->latency), "cycles");
    add_rate(table, "... of a clock of", atomics->at, "MHz");
    add_rate(table, "at one address", atomics->address, "10^9 requests per second");
    add_rate(table, "at one line", atomics->per_line, "10^9 requests per second, all its sectors");
    add_rate(table, "atomics anywhere", atomics->sectors, "10^9 sectors per second");
    add_rate(table, "stores of parts", atomics->partial, "10^9 sectors per second");
    put_heading(gpu, "Atomics on global memory", atomics->source, out);
    table_print(table, 2, out);
}

static void show_local(const PsGpu *gpu, GString *out)
{
    const PsLocalMemory *local = &gpu->local;
    if (!local->stated)
        return;
    g_autoptr(Table) table = table_new("lrl");
    add_line(table, "wavefront", ps_rational_format(local->wavefront), "cycles");
    add_rate(table, "instruction at least", local->least, "cycles");
    add_line(table, "completion", ps_rational_format(local->completion),
             "cycles, and each further wavefront's");
    add_line(table, "atomics", ps_rational_format(local->atomic), "times as long");
    put_heading(gpu, "Local memory", local->source, out);
    table_print(table, 2, out);
}

void show_memory(const PsGpu *gpu, GString *out)
{
    if (gpu->memory.levels)
        show_levels(gpu, out);
    else
        show_cache(&gpu->cache, out);
    show_atomics(gpu, out);
    show_local(gpu, out);
}
