/* SPDX-License-Identifier: BSD-3-Clause */
/* See ncu.h. */
#include "profile/ncu.h"

#include "base/csv-lines.h"
#include "base/error.h"
#include "profile/counters.h"

#include <errno.h>
#include <string.h>

char **ps_traced_ncu_command(const char *log, char **command)
{
    g_autoptr(GPtrArray) counters = ps_counters_wanted("ncu", NULL);
    g_ptr_array_add(counters, NULL);
    g_autofree char *list = g_strjoinv(",", (char **)counters->pdata);
    /* Mangled names: only these equal CUPTI's. */
    const char *const options[] = {"ncu",
                                   "--csv",
                                   "--print-units",
                                   "base",
                                   "--print-kernel-base",
                                   "mangled",
                                   "--target-processes",
                                   "all",
                                   "--log-file",
                                   log,
                                   "--metrics", /* as in ncu --metrics */
                                   list};
    g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        g_strv_builder_add(argv, options[i]);
    g_strv_builder_addv(argv, (const char **)command);
    return g_strv_builder_end(argv);
}

/* ---- its table ----------------------------------------------------------------------------- */

/* The fields of a row without quotes (g_strfreev). */
static char **split(const char *row)
{
    g_autoptr(GStrvBuilder) fields = g_strv_builder_new();
    g_autoptr(GString) field = g_string_new(NULL);
    gboolean quoted = FALSE;
    for (; *row && (quoted || !strchr("\r\n", *row)); row++) {
        if (*row == '"' && quoted && row[1] == '"')
            g_string_append_c(field, *row++);
        else if (*row == '"')
            quoted = !quoted;
        else if (*row == ',' && !quoted) {
            g_strv_builder_add(fields, field->str);
            g_string_truncate(field, 0);
        } else {
            g_string_append_c(field, *row);
        }
    }
    g_strv_builder_add(fields, field->str);
    return g_strv_builder_end(fields);
}

enum { ID, PID, PROGRAM, KERNEL, DEVICE, METRIC, VALUE, COLUMNS };
static const char *const TITLES[COLUMNS] = {"ID",     "Process ID",  "Process Name", "Kernel Name",
                                            "Device", "Metric Name", "Metric Value"};

typedef struct {
    PsTraced *trace;
    gboolean has_header;
    guint columns[COLUMNS], width;
    PsTracedLaunch *last; /* the trace's launch of the present row; NULL before the first */
    GString *counts;      /* counts of that launch */
} Table;

static gboolean take_header(Table *table, char **fields)
{
    table->width = g_strv_length(fields);
    for (guint i = 0; i < COLUMNS; i++) {
        guint k = 0;
        while (k < table->width && strcmp(fields[k], TITLES[i]) != 0)
            k++;
        if (k == table->width)
            return FALSE;
        table->columns[i] = k;
    }
    return TRUE;
}

static gboolean number(const Table *table, char **fields, int column, gint64 *value)
{
    return g_ascii_string_to_signed(fields[table->columns[column]], 10, 0, G_MAXINT64, value, NULL);
}

static void end_launch(Table *table)
{
    if (table->last)
        table->last->counts = g_string_chunk_insert(table->trace->texts, table->counts->str);
    g_string_truncate(table->counts, 0);
}

/* The process's place; processes come in the order in which they were profiled. */
static guint place_of(const Table *table, gint64 pid, const char *program)
{
    GPtrArray *all = table->trace->processes;
    for (guint i = 0; i < all->len; i++)
        if (((PsTracedProcess *)all->pdata[i])->pid == pid)
            return i;
    PsTracedProcess *process = g_new(PsTracedProcess, 1);
    *process = (PsTracedProcess){.pid = pid,
                                 .start = all->len,
                                 .program = g_strdup(program),
                                 .done = TRUE,
                                 .devices = g_array_new(FALSE, TRUE, sizeof(PsTracedDevice))};
    g_ptr_array_add(all, process);
    return all->len - 1;
}

static void take_row(Table *table, char **fields)
{
    gint64 id, pid, device;
    if (g_strv_length(fields) < table->width || !number(table, fields, ID, &id) ||
        !number(table, fields, PID, &pid) || !number(table, fields, DEVICE, &device))
        return;
    GArray *launches = table->trace->launches;
    const guint process = place_of(table, pid, fields[table->columns[PROGRAM]]);
    if (!table->last || table->last->order != id || table->last->process != process) {
        end_launch(table);
        const PsTracedLaunch launch = {
            .process = process,
            .order = id,
            .device = device,
            .kernel = ps_traced_name(table->trace, fields[table->columns[KERNEL]])};
        g_array_append_val(launches, launch);
        table->last = &g_array_index(launches, PsTracedLaunch, launches->len - 1);
    }
    g_auto(GStrv) digits = g_strsplit(fields[table->columns[VALUE]], ",", -1);
    g_autofree char *value = g_strjoinv("", digits);
    if (g_ascii_isdigit(*value))
        g_string_append_printf(table->counts, "%s=%s ", fields[table->columns[METRIC]], value);
}

/* Messages of ncu itself begin with "==". */
static void take_line(Table *table, const char *row)
{
    if (strstr(row, "ERR_NVGPUCTRPERM"))
        ps_traced_fail(table->trace, "privileges", "Nsight Compute: ERR_NVGPUCTRPERM");
    else if (g_str_has_prefix(row, "==ERROR==")) {
        g_autofree char *text = g_strstrip(g_strdup(row + strlen("==ERROR==")));
        ps_traced_fail(table->trace, "counters", text);
    }
    if (*row != '"')
        return;
    g_auto(GStrv) fields = split(row);
    if (!table->has_header)
        table->has_header = take_header(table, fields);
    else
        take_row(table, fields);
}

PsTraced *ps_traced_ncu_read(const char *path, GError **error)
{
    g_autoptr(PsTraced) trace = ps_traced_new();
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "Nsight Compute wrote no table: %s",
                    g_strerror(errno));
        return NULL;
    }
    Table table = {.trace = trace, .counts = g_string_new(NULL)};
    PsCsvLines reader;
    PsCsvLinesState state;
    ps_csv_lines_begin(&reader, stream, "Nsight Compute's table");
    while ((state = ps_csv_lines_next(&reader, error)) == PS_CSV_LINES_ROW)
        take_line(&table, reader.row->str);
    end_launch(&table);
    ps_csv_lines_clear(&reader);
    fclose(stream);
    g_string_free(table.counts, TRUE);
    return state == PS_CSV_LINES_ERROR ? NULL : g_steal_pointer(&trace);
}
