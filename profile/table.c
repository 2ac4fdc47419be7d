/* SPDX-License-Identifier: BSD-3-Clause */
/* See table.h. */
#include "profile/table.h"

#include "base/cell.h"

#include <string.h>

static const char HEADER[] =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\","
    "\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
    "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

static void put_quoted(GString *out, const char *text)
{
    ps_cell_put(out, text, TRUE);
}

static void put_number(GString *out, gint64 number)
{
    g_string_append_printf(out, ",\"%" G_GINT64_FORMAT "\"", number);
}

static void put_sizes(GString *out, const gint64 *sizes)
{
    g_string_append_printf(
        out, ",\"(%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ")\"", sizes[0],
        sizes[1], sizes[2]);
}

static const PsTracedDevice *device_of(const PsTracedProcess *process, gint64 number)
{
    for (guint i = 0; i < process->devices->len; i++) {
        const PsTracedDevice *device = &g_array_index(process->devices, PsTracedDevice, i);
        if (device->device == number)
            return device;
    }
    return NULL;
}

/* TRUE if another device than the one with that number has the same name. */
static gboolean has_twin(const PsTraced *trace, const PsTracedDevice *device)
{
    for (guint i = 0; i < trace->processes->len; i++) {
        const PsTracedProcess *process = trace->processes->pdata[i];
        for (guint k = 0; k < process->devices->len; k++) {
            const PsTracedDevice *other = &g_array_index(process->devices, PsTracedDevice, k);
            if (other->device != device->device && strcmp(other->name, device->name) == 0)
                return TRUE;
        }
    }
    return FALSE;
}

static void put_device(GString *out, const PsTraced *trace, const PsTracedLaunch *launch)
{
    const PsTracedDevice *device =
        device_of(trace->processes->pdata[launch->process], launch->device);
    g_autoptr(GString) name = g_string_new(device ? device->name : NULL);
    if (!device)
        g_string_printf(name, "%" G_GINT64_FORMAT, launch->device);
    else if (has_twin(trace, device))
        g_string_append_printf(name, " (%" G_GINT64_FORMAT ")", launch->device);
    g_string_append_c(out, ',');
    put_quoted(out, name->str);
    g_string_append_c(out, ',');
    put_quoted(out, device ? device->capability : "");
}

/* The begin that all rows of a launch share (g_string_free). */
static GString *row_start(const PsTraced *trace, guint id, const PsTracedLaunch *launch)
{
    const PsTracedProcess *process = trace->processes->pdata[launch->process];
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "\"%u\",\"%" G_GINT64_FORMAT "\",", id, process->pid);
    put_quoted(out, process->program);
    g_string_append_c(out, ',');
    put_quoted(out, g_get_host_name());
    g_string_append_c(out, ',');
    put_quoted(out, launch->kernel);
    put_number(out, launch->context);
    put_number(out, launch->stream);
    put_sizes(out, launch->block);
    put_sizes(out, launch->grid);
    put_device(out, trace, launch);
    return out;
}

typedef struct {
    GString *out;
    const char *start;
} Rows;

static void put_row(const Rows *rows, const char *metric, const char *unit, const char *value)
{
    g_string_append_printf(rows->out, "%s,\"pipesim profile\",", rows->start);
    put_quoted(rows->out, metric);
    g_string_append_c(rows->out, ',');
    put_quoted(rows->out, unit);
    g_string_append_c(rows->out, ',');
    put_quoted(rows->out, value);
    g_string_append_c(rows->out, '\n');
}

static void put_integer(const Rows *rows, const char *metric, const char *unit, gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    put_row(rows, metric, unit, text);
}

static void put_counts(const Rows *rows, const char *counts)
{
    g_auto(GStrv) each = g_strsplit(counts, " ", -1);
    for (guint i = 0; each[i]; i++) {
        char *equals = strchr(each[i], '=');
        if (!equals)
            continue;
        *equals = '\0';
        put_row(rows, each[i], strstr(each[i], "bytes") ? "byte" : "", equals + 1);
    }
}

static void put_launch(const Rows *rows, const PsTracedLaunch *launch)
{
    put_integer(rows, "gpu__time_duration.sum", "ns", launch->end - launch->start);
    put_integer(rows, "launch__registers_per_thread", "register/thread", launch->registers);
    put_integer(rows, "launch__shared_mem_per_block_static", "byte/block", launch->static_memory);
    put_integer(rows, "launch__shared_mem_per_block_dynamic", "byte/block", launch->dynamic_memory);
    if (launch->counts)
        put_counts(rows, launch->counts);
}

gboolean ps_traced_table(const PsTraced *trace,
                         gboolean (*put)(const char *text, gpointer data, GError **error),
                         gpointer data, GError **error)
{
    gboolean ok = put(HEADER, data, error);
    for (guint i = 0; ok && i < trace->launches->len; i++) {
        const PsTracedLaunch *launch = &g_array_index(trace->launches, PsTracedLaunch, i);
        if (!ps_traced_is_timed(launch))
            continue;
        g_autoptr(GString) start = row_start(trace, i, launch), out = g_string_new(NULL);
        put_launch(&(Rows){out, start->str}, launch);
        ok = put(out->str, data, error);
    }
    return ok;
}
