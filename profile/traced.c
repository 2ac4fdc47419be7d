/* SPDX-License-Identifier: BSD-3-Clause */
/* See traced.h; the form of the files is in latency-bench/profile/record.h. */
#include "profile/traced.h"

#include "base/error.h"
#include "base/kernel-name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIELDS 20

/* ---- a trace ------------------------------------------------------------------------------- */

static void process_free(void *data)
{
    PsTracedProcess *process = data;
    g_free(process->program);
    g_array_unref(process->devices);
    g_free(process);
}

static void failure_free(void *data)
{
    PsTracedFailure *failure = data;
    g_free(failure->what);
    g_free(failure->text);
    g_free(failure);
}

PsTraced *ps_traced_new(void)
{
    PsTraced *trace = g_new(PsTraced, 1);
    *trace = (PsTraced){
        .processes = g_ptr_array_new_with_free_func(process_free),
        .launches = g_array_new(FALSE, TRUE, sizeof(PsTracedLaunch)),
        .failures = g_ptr_array_new_with_free_func(failure_free),
        .texts = g_string_chunk_new(4096),
        .names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    return trace;
}

void ps_traced_free(PsTraced *trace)
{
    if (!trace)
        return;
    g_ptr_array_unref(trace->processes);
    g_array_unref(trace->launches);
    g_ptr_array_unref(trace->failures);
    g_string_chunk_free(trace->texts);
    g_hash_table_unref(trace->names);
    g_free(trace);
}

const char *ps_traced_failure(const PsTraced *trace, const char *what)
{
    for (guint i = 0; i < trace->failures->len; i++) {
        const PsTracedFailure *failure = trace->failures->pdata[i];
        if (strcmp(failure->what, what) == 0)
            return failure->text;
    }
    return NULL;
}

void ps_traced_fail(PsTraced *trace, const char *what, const char *text)
{
    for (guint i = 0; i < trace->failures->len; i++) {
        const PsTracedFailure *failure = trace->failures->pdata[i];
        if (strcmp(failure->what, what) == 0 && strcmp(failure->text, text) == 0)
            return;
    }
    PsTracedFailure *failure = g_new(PsTracedFailure, 1);
    *failure = (PsTracedFailure){g_strdup(what), g_strdup(text)};
    g_ptr_array_add(trace->failures, failure);
}

/* Each name is looked up once. */
const char *ps_traced_name(PsTraced *trace, const char *name)
{
    const char *known = g_hash_table_lookup(trace->names, name);
    if (known)
        return known;
    g_autofree char *plain = ps_kernel_demangle(name);
    const char *kept = g_string_chunk_insert(trace->texts, plain ? plain : name);
    g_hash_table_insert(trace->names, g_strdup(name), (gpointer)kept);
    return kept;
}

gboolean ps_traced_is_timed(const PsTracedLaunch *launch)
{
    return launch->start > 0 && launch->end > launch->start;
}

guint ps_traced_timed(const PsTraced *trace)
{
    guint n = 0;
    for (guint i = 0; i < trace->launches->len; i++)
        n += ps_traced_is_timed(&g_array_index(trace->launches, PsTracedLaunch, i));
    return n;
}

guint ps_traced_counted(const PsTraced *trace)
{
    guint n = 0;
    for (guint i = 0; i < trace->launches->len; i++) {
        const PsTracedLaunch *launch = &g_array_index(trace->launches, PsTracedLaunch, i);
        n += ps_traced_is_timed(launch) && launch->counts;
    }
    return n;
}

/* ---- lines --------------------------------------------------------------------------------- */

typedef struct {
    PsTraced *trace;
    PsTracedProcess *process; /* NULL before the first line */
    guint index;              /* its place */
    char *fields[MOST_FIELDS];
    guint n;
} Reader;

/* The last field keeps its tabs. */
static void split(Reader *reader, char *line)
{
    reader->n = 0;
    while (line && reader->n < MOST_FIELDS) {
        char *tab = strchr(line, '\t');
        reader->fields[reader->n++] = line;
        if (tab)
            *tab = '\0';
        line = tab ? tab + 1 : NULL;
    }
}

/* Reads whole numbers from field `first` on; FALSE: one is none. */
static gboolean numbers(const Reader *reader, guint first, gint64 *values, guint n)
{
    for (guint i = 0; i < n; i++)
        if (!g_ascii_string_to_signed(reader->fields[first + i], 10, G_MININT64, G_MAXINT64,
                                      &values[i], NULL))
            return FALSE;
    return TRUE;
}

static gboolean take_process(Reader *reader)
{
    gint64 values[2];
    if (reader->process || reader->n != 6 || strcmp(reader->fields[1], "1") != 0 ||
        !numbers(reader, 3, values, 2))
        return FALSE;
    PsTracedProcess *process = g_new(PsTracedProcess, 1);
    *process = (PsTracedProcess){.pid = values[0],
                                 .start = values[1],
                                 .program = g_strdup(reader->fields[5]),
                                 .devices = g_array_new(FALSE, TRUE, sizeof(PsTracedDevice))};
    reader->process = process;
    reader->index = reader->trace->processes->len;
    g_ptr_array_add(reader->trace->processes, process);
    return TRUE;
}

static gboolean take_device(Reader *reader)
{
    PsTracedDevice device = {0};
    if (reader->n != 4 || !numbers(reader, 1, &device.device, 1))
        return FALSE;
    device.capability = g_string_chunk_insert(reader->trace->texts, reader->fields[2]);
    device.name = g_string_chunk_insert(reader->trace->texts, reader->fields[3]);
    g_array_append_val(reader->process->devices, device);
    return TRUE;
}

static gboolean take_launch(Reader *reader)
{
    gint64 v[16];
    if (reader->n != 18 || !numbers(reader, 1, v, G_N_ELEMENTS(v)))
        return FALSE;
    const PsTracedLaunch launch = {
        .process = reader->index,
        .device = v[0],
        .context = v[1],
        .stream = v[2],
        .order = v[3],
        .start = v[4],
        .end = v[5],
        .grid = {v[6], v[7], v[8]},
        .block = {v[9], v[10], v[11]},
        .registers = v[12],
        .static_memory = v[13],
        .dynamic_memory = v[14],
        .graph = v[15] != 0,
        .kernel = ps_traced_name(reader->trace, reader->fields[17]),
        .symbol = g_string_chunk_insert_const(reader->trace->texts, reader->fields[17])};
    g_array_append_val(reader->trace->launches, launch);
    return TRUE;
}

static gboolean take_counts(Reader *reader)
{
    gint64 v[2];
    if (reader->n != 5 || !numbers(reader, 1, v, G_N_ELEMENTS(v)))
        return FALSE;
    const PsTracedLaunch launch = {
        .process = reader->index,
        .device = v[0],
        .order = v[1],
        .kernel = ps_traced_name(reader->trace, reader->fields[3]),
        .counts = g_string_chunk_insert(reader->trace->texts, reader->fields[4])};
    g_array_append_val(reader->trace->launches, launch);
    return TRUE;
}

static gboolean take(Reader *reader)
{
    const char *what = reader->fields[0];
    if (strcmp(what, "pipesim-profile") == 0)
        return take_process(reader);
    if (!reader->process)
        return FALSE;
    if (strcmp(what, "device") == 0)
        return take_device(reader);
    if (strcmp(what, "launch") == 0)
        return take_launch(reader);
    if (strcmp(what, "counts") == 0)
        return take_counts(reader);
    if (strcmp(what, "done") == 0)
        return reader->process->done = TRUE;
    if (strcmp(what, "failed") != 0 || reader->n != 3)
        return FALSE;
    ps_traced_fail(reader->trace, reader->fields[1], reader->fields[2]);
    return TRUE;
}

/* A process that was killed may have left half a line, without an end. */
static void take_line(Reader *reader, char *line, gssize length)
{
    if (line[length - 1] != '\n')
        return;
    line[length - 1] = '\0';
    split(reader, line);
    if (!take(reader))
        ps_traced_fail(reader->trace, "lost", "a line of the profiled program's file is damaged");
}

static gboolean read_part(PsTraced *trace, const char *path, GError **error)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", path,
                    g_strerror(errno));
        return FALSE;
    }
    Reader reader = {.trace = trace};
    char *line = NULL;
    size_t size = 0;
    gssize length;
    while ((length = getline(&line, &size, stream)) != -1)
        take_line(&reader, line, length);
    free(line);
    fclose(stream);
    return TRUE;
}

/* ---- all files ----------------------------------------------------------------------------- */

static int by_process_and_order(const void *a, const void *b, void *processes)
{
    const PsTracedLaunch *one = a, *other = b;
    const GPtrArray *all = processes;
    const PsTracedProcess *p = all->pdata[one->process], *q = all->pdata[other->process];
    if (p != q)
        return p->start != q->start ? (p->start < q->start ? -1 : 1) : (p->pid < q->pid ? -1 : 1);
    if (one->order != other->order)
        return one->order < other->order ? -1 : 1;
    return (one->start > other->start) - (one->start < other->start);
}

PsTraced *ps_traced_read(const char *folder, const char *phase, GError **error)
{
    g_autoptr(PsTraced) trace = ps_traced_new();
    g_autofree char *prefix = g_strconcat(phase, ".", NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    const char *name;
    if (!dir)
        return NULL;
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_str_has_prefix(name, prefix) && !read_part(trace, path, error))
            return NULL;
    }
    g_array_sort_with_data(trace->launches, by_process_and_order, trace->processes);
    return g_steal_pointer(&trace);
}
