/* SPDX-License-Identifier: BSD-3-Clause */
/* See dispatches.h. */
#include "roofline/import/dispatches.h"

#include <string.h>

/* Most names that are remembered; further ones are looked up each time. */
#define MOST_NAMES 1000

void ps_dispatches_init(PsDispatches *dispatches, PsImport *import, PsCollector *collector)
{
    *dispatches =
        (PsDispatches){.rocprof = {.import = import, .collector = collector},
                       .counters = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                       .leads = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
}

void ps_dispatches_clear(PsDispatches *dispatches)
{
    g_hash_table_destroy(dispatches->counters);
    g_hash_table_destroy(dispatches->leads);
}

PsRocprofCounter ps_dispatches_counter(PsDispatches *dispatches, const char *name)
{
    const PsRocprofCounter *known = g_hash_table_lookup(dispatches->counters, name);
    if (known)
        return *known;
    PsRocprofCounter counter = ps_rocprof_counter(dispatches->rocprof.collector, name);
    counter.adds = TRUE; /* the instances of a counter add up, where they are written apart */
    if (counter.counter >= 0)
        ps_rocprof_note(&dispatches->rocprof, name);
    if (g_hash_table_size(dispatches->counters) < MOST_NAMES)
        g_hash_table_insert(dispatches->counters, g_strdup(name),
                            g_memdup2(&counter, sizeof counter));
    return counter;
}

gboolean ps_dispatches_is_lead(PsDispatches *dispatches, const char *device, const char *kernel,
                               const char *counter)
{
    g_autofree char *key = g_strdup_printf("%s\n%s", device, kernel);
    const char *lead = g_hash_table_lookup(dispatches->leads, key);
    if (lead)
        return strcmp(lead, counter) == 0;
    g_hash_table_insert(dispatches->leads, g_steal_pointer(&key), g_strdup(counter));
    return TRUE;
}

/* ---- not of rows of a table ---------------------------------------------------------------- */

PsAgent *ps_agent_new(guint64 index, const char *product)
{
    PsAgent *agent = g_new0(PsAgent, 1);
    agent->name = product && *product
                      ? g_strdup_printf("%s (Agent %" G_GUINT64_FORMAT ")", product, index)
                      : g_strdup_printf("Agent %" G_GUINT64_FORMAT, index);
    return agent;
}

void ps_agent_free(PsAgent *agent)
{
    g_free(agent->name);
    g_free(agent);
}

gboolean ps_agent_set_wave_size(PsAgent *agent, guint64 size)
{
    agent->wave_size = size == 32 || size == 64 ? (int)size : 0;
    return agent->wave_size > 0;
}

void ps_dispatches_process(PsDispatches *dispatches)
{
    /* launches that are kept apart belong to no pass, and their counting goes on */
    if (!dispatches->rocprof.import->options->apart)
        ps_collect_section(dispatches->rocprof.collector);
}

gboolean ps_dispatches_begin(PsDispatches *dispatches, const PsDispatch *dispatch, GError **error)
{
    PsRocprof *rocprof = &dispatches->rocprof;
    const PsAgent *agent = dispatch->agent;
    const PsKernelKey key = {dispatch->kernel, agent->name, 0};
    const gboolean is_lead =
        ps_dispatches_is_lead(dispatches, agent->name, dispatch->kernel, dispatch->lead);
    if (rocprof->import->options->apart && !is_lead) {
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){rocprof->import->csv->name, dispatch->line},
                    "launches cannot be kept apart, for several runs tell of one, each with other "
                    "counters; have the launches summed");
        return FALSE;
    }
    if (!ps_collect_launch(rocprof->collector, &key, dispatch->line, error))
        return FALSE;
    rocprof->wave_size = agent->wave_size > 0 ? agent->wave_size : 64;
    rocprof->wave = agent->wave_size > 0 ? rocprof->wave : -1;
    if (is_lead && dispatch->nanoseconds > 0)
        ps_collect_put(rocprof->collector,
                       ps_collector_counter(rocprof->collector, PS_ROCPROF_DURATION),
                       (double)dispatch->nanoseconds / 1e9);
    return TRUE;
}

void ps_dispatches_put(PsDispatches *dispatches, const char *name, double value)
{
    const PsRocprofCounter counter = ps_dispatches_counter(dispatches, name);
    if (counter.counter >= 0)
        ps_rocprof_put_value(&dispatches->rocprof, counter, value);
}
