/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands a collector's kernels on, and warns of missing metrics. See import.h. */
#include "roofline/import/collect-private.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

/* Longest name of a kernel in warnings: names of templates have thousands of characters. */
#define MAX_NAME 80

/* ---- handing on ---------------------------------------------------------------------------- */

static gboolean check_finite(const PsCollector *collector, const PsProfileKernel *kernel,
                             GError **error)
{
    for (guint i = 0; i < PS_N_METRICS; i++) {
        if (!isinf(kernel->metrics.value[i]))
            continue;
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){collector->import->csv->name, kernel->line},
                    "%s of the kernel that begins here is too large for a number",
                    ps_metric_name(i));
        return FALSE;
    }
    return TRUE;
}

static gboolean hand_on(PsCollector *collector, const PsProfileKernel *kernel, GError **error)
{
    const PsProfileOptions *options = collector->import->options;
    if (!check_finite(collector, kernel, error))
        return FALSE;
    if (options->each)
        return options->each(options->self, kernel, error);
    PsProfileKernel *copy = g_new(PsProfileKernel, 1);
    *copy = *kernel;
    copy->name = g_strdup(kernel->name);
    copy->device = g_strdup(kernel->device);
    g_ptr_array_add(collector->import->profile->kernels, copy);
    return TRUE;
}

/* Fills in what the counters tell of the kernel's launches. */
static void describe(PsCollector *collector, PsEntry *entry, const PsEntry *summed,
                     PsProfileKernel *kernel)
{
    *kernel = (PsProfileKernel){.name = (char *)entry->key.name,
                                .device = (char *)entry->key.device,
                                .capability = entry->key.capability,
                                .launches = kernel->launches,
                                .launch = kernel->launch,
                                .has_metrics = TRUE,
                                .line = kernel->line,
                                .says_shared = collector->counters.formulas->says_shared};
    const PsCounter *values = ps_entry_spread(collector, summed);
    ps_counters_metrics(&collector->counters, values, kernel->launches, &kernel->metrics,
                        &collector->taken, &collector->estimated);
    entry->is_uncounted |= ps_counters_forget(&collector->counters, values, &kernel->metrics);
    ps_params_from_metrics(&kernel->metrics, &kernel->params);
    kernel->seconds = kernel->metrics.value[PS_M_SECONDS];
}

static void note_lacking(PsEntry *entry, const PsMetrics *metrics)
{
    const gboolean only_seconds = !entry->is_uncounted && ps_metrics_only_seconds(metrics);
    entry->only_seconds = entry->only_seconds || only_seconds;
    if (!only_seconds)
        entry->lacking |= ps_metrics_lacking(metrics);
}

gboolean ps_collector_end_launch(PsCollector *collector, GError **error)
{
    if (!collector->is_apart)
        return TRUE;
    collector->is_apart = FALSE;
    PsEntry *entry = collector->entry;
    PsProfileKernel kernel = {
        .launches = 1, .launch = entry->in_section, .line = collector->launch_line};
    describe(collector, entry, &collector->launch, &kernel);
    note_lacking(entry, &kernel.metrics);
    entry->apart++;
    return hand_on(collector, &kernel, error);
}

/* ---- tables that name no device ------------------------------------------------------------ */

/* Devices' entries by kernel; NULL where several devices ran it. */
static GHashTable *index_devices(const PsCollector *collector)
{
    GHashTable *found = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < collector->order->len; i++) {
        PsEntry *entry = collector->order->pdata[i];
        if (!entry->key.device)
            continue;
        const gboolean is_second = g_hash_table_contains(found, entry->key.name);
        g_hash_table_insert(found, (gpointer)entry->key.name, is_second ? NULL : entry);
    }
    return found;
}

static gboolean merge_into_device(PsCollector *collector, const PsEntry *entry, GHashTable *devices)
{
    PsEntry *other = entry->key.device ? NULL : g_hash_table_lookup(devices, entry->key.name);
    if (!other || other->launches != entry->launches)
        return FALSE;
    for (guint i = 0; i < collector->counters.names->len; i++) {
        const PsCounter *more = ps_entry_counter(collector, entry, i);
        if (ps_counter_launches(more) > 0 &&
            ps_counter_launches(ps_entry_counter(collector, other, i)) == 0)
            *ps_entry_room(collector, other, i) = *more;
    }
    other->line = MIN(other->line, entry->line);
    return TRUE;
}

/* Merges summaries into devices' entries. A summary names no device, and metrics in the same file
 * do: a summary of as many launches of a kernel as one device ran belongs to that device. */
static void merge_summaries(PsCollector *collector)
{
    GPtrArray *order = collector->order;
    g_autoptr(GHashTable) devices = index_devices(collector);
    guint kept = 0;
    for (guint i = 0; i < order->len; i++) {
        if (merge_into_device(collector, order->pdata[i], devices))
            ps_entry_free(order->pdata[i]);
        else
            order->pdata[kept++] = order->pdata[i];
    }
    g_ptr_array_set_free_func(order, NULL);
    g_ptr_array_set_size(order, (int)kept);
    g_ptr_array_set_free_func(order, (GDestroyNotify)(void (*)(void))ps_entry_free);
}

/* ---- the end ------------------------------------------------------------------------------- */

/* The number of launches: counters of several runs may have more than any one table. */
static gint64 count_launches(const PsCollector *collector, const PsEntry *entry)
{
    gint64 launches = entry->launches;
    for (guint i = 0; i < collector->counters.names->len; i++)
        launches = MAX(launches, ps_counter_launches(ps_entry_counter(collector, entry, i)));
    return launches;
}

/* Hands on the kernel as a whole, unless its launches were handed on one by one. */
static gboolean end_entry(PsCollector *collector, PsEntry *entry, GError **error)
{
    gboolean is_summed = entry->apart == 0;
    for (guint i = 0; !is_summed && i < collector->counters.names->len; i++)
        is_summed = ps_counter_launches(ps_entry_counter(collector, entry, i)) > 0;
    if (!is_summed)
        return TRUE;
    PsProfileKernel kernel = {.launches = count_launches(collector, entry), .line = entry->line};
    entry->launches = kernel.launches;
    describe(collector, entry, entry, &kernel);
    note_lacking(entry, &kernel.metrics);
    return hand_on(collector, &kernel, error);
}

static gboolean has_reasons(const PsCollector *collector, const PsEntry *entry)
{
    for (guint i = 0; i < collector->counters.names->len; i++) {
        const PsCounter *counter = ps_entry_counter(collector, entry, i);
        const gint64 n = ps_counter_launches(counter);
        if (counter->missing > 0 || (n > 0 && n < entry->launches))
            return TRUE;
    }
    return FALSE;
}

/* "kernel 'name': ", or without the name where there is only one kernel. */
static char *whom_of(const PsCollector *collector, const PsEntry *entry)
{
    const gboolean is_long = strlen(entry->key.name) > MAX_NAME,
                   is_only = collector->order->len == 1;
    return is_only ? g_strdup("")
                   : g_strdup_printf("kernel '%.*s%s': ", MAX_NAME, entry->key.name,
                                     is_long ? "..." : "");
}

static void warn_of_uncounted(const PsCollector *collector)
{
    for (guint i = 0; i < collector->order->len; i++) {
        const PsEntry *entry = collector->order->pdata[i];
        g_autofree char *whom = whom_of(collector, entry);
        if (entry->is_uncounted)
            ps_import_warn(collector->import->profile,
                           "%scounters are 0 of a kernel that ran: those that cannot be 0 were "
                           "not counted (some profilers count nothing on some GPUs)",
                           whom);
    }
}

static void warn_of_entry(const PsCollector *collector, const PsEntry *entry)
{
    g_autofree char *whom = whom_of(collector, entry);
    const PsLack lack = {entry->lacking, ps_entry_spread(collector, entry), entry->launches, whom};
    ps_counters_warn(&collector->counters, &lack, collector->import->profile);
}

static void warn_of_notes(const PsCollector *collector)
{
    const PsFormulas *formulas = collector->counters.formulas;
    for (guint i = 0; i < formulas->n_formulas; i++)
        if (collector->taken >> i & 1)
            ps_import_warn(collector->import->profile, "%s: %s",
                           ps_metric_name(formulas->formulas[i].metric),
                           formulas->formulas[i].note);
}

static void warn_of_conflicts(const PsCollector *collector)
{
    g_autofree char *more = g_strdup_printf("; %u more such", collector->n_conflicts - 1);
    if (collector->n_conflicts > 0)
        ps_import_warn(collector->import->profile, "%s%s", collector->conflict,
                       collector->n_conflicts > 1 ? more : "");
}

/* Warns once for the file where all kernels lack the same metrics, else once for each kernel. */
static void warn(const PsCollector *collector)
{
    const PsEntry *first = collector->order->pdata[0];
    gboolean same = collector->order->len > 1, only_seconds = TRUE;
    for (guint i = 0; i < collector->order->len; i++) {
        const PsEntry *entry = collector->order->pdata[i];
        same = same && entry->lacking == first->lacking && !has_reasons(collector, entry);
        only_seconds = only_seconds && entry->only_seconds && entry->lacking == 0;
    }
    if (only_seconds)
        ps_import_warn(collector->import->profile,
                       "there are durations and no metrics here, which go with another file's "
                       "kernels; to collect metrics: %s...",
                       collector->counters.formulas->collect);
    else if (same)
        ps_counters_warn(&collector->counters, &(PsLack){.metrics = first->lacking, .whom = ""},
                         collector->import->profile);
    for (guint i = 0; i < collector->order->len && !only_seconds && !same; i++)
        warn_of_entry(collector, collector->order->pdata[i]);
    warn_of_uncounted(collector);
    warn_of_notes(collector);
    ps_counters_warn_estimated(&collector->counters, collector->estimated,
                               collector->import->profile);
    warn_of_conflicts(collector);
}

static gboolean no_kernel(const PsImport *import, const PsFormulas *formulas, GError **error)
{
    const PsPlace place = {import->csv->name, import->header_line};
    if (import->complaint)
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "no kernel stands below this header; the profiler says: %s", import->complaint);
    else if (import->passed_over)
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "this is a table of %s, which say nothing of what the roofline needs; to "
                    "collect that: %s...",
                    import->passed_over, formulas->collect);
    else
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    import->header_line > 0
                        ? "no kernel stands below this header: was one launched and profiled?"
                        : "there is no kernel here: was one launched and profiled?");
    return FALSE;
}

gboolean ps_collector_finish(PsCollector *collector, GError **error)
{
    const PsImport *import = collector->import;
    if (!ps_collector_end_launch(collector, error))
        return FALSE;
    if (collector->order->len == 0)
        return no_kernel(import, collector->counters.formulas, error);
    if (!import->options->apart)
        merge_summaries(collector);
    for (guint i = 0; i < collector->order->len; i++)
        if (!end_entry(collector, collector->order->pdata[i], error))
            return FALSE;
    warn(collector);
    return TRUE;
}
