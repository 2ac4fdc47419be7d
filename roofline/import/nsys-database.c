/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nsight Systems' database, as nsys export --type sqlite writes it: a row per launch, with its
 * times. Names are numbers of StringIds. Devices are numbered by process, which may see a part of
 * the machine's; their names are those that nsys stats prints.
 *
 * A CUDA graph that is traced as a whole is one row of another table, and its kernels are in no
 * table.
 */
#include "roofline/import/databases.h"
#include "roofline/import/ncu.h"

#include <string.h>

#define KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"
#define GRAPHS "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
#define DEVICES "TARGET_INFO_CUDA_DEVICE"
#define GPUS "TARGET_INFO_GPU"

/* A process's number has the process and the user from these bits on. */
#define PID_SHIFT 24
#define PID_MASK 0xffffff

typedef struct {
    char *name;
    guint capability;
} Gpu;

typedef struct {
    PsImport *import;
    PsDatabase *database;
    PsCollector *collector;
    PsNames *names;
    GHashTable *gpus;    /* gint64 * -> Gpu *, by the number in the machine */
    GHashTable *devices; /* "PID:DEVICE" -> gint64 *, the number in the machine */
    int duration;        /* counter */
} Reader;

/* ---- devices ------------------------------------------------------------------------------- */

static void gpu_free(gpointer gpu)
{
    g_free(((Gpu *)gpu)->name);
    g_free(gpu);
}

static char *device_key(gint64 pid, gint64 device)
{
    return g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, pid, device);
}

static gboolean read_gpu(const PsRows *rows, GHashTable *gpus, GError **error)
{
    gint64 id, major = 0, minor = 0;
    const char *name = ps_rows_text(rows, 1);
    if (!ps_rows_integer(rows, 0, &id, error) ||
        (!ps_rows_is_null(rows, 2) && !ps_rows_integer(rows, 2, &major, error)) ||
        (!ps_rows_is_null(rows, 3) && !ps_rows_integer(rows, 3, &minor, error)))
        return FALSE;
    if (!name || !*name)
        return TRUE;
    Gpu *gpu = g_new(Gpu, 1);
    const gboolean is_known = major > 0 && major < 100 && minor < 10;
    *gpu = (Gpu){g_strdup(name), is_known ? (guint)(10 * major + minor) : 0};
    g_hash_table_replace(gpus, g_memdup2(&id, sizeof id), gpu);
    return TRUE;
}

static gboolean read_device(const PsRows *rows, GHashTable *devices, GError **error)
{
    gint64 gpu, device, pid;
    if (!ps_rows_integer(rows, 0, &gpu, error) || !ps_rows_integer(rows, 1, &device, error) ||
        !ps_rows_integer(rows, 2, &pid, error))
        return FALSE;
    g_hash_table_replace(devices, device_key(pid, device), g_memdup2(&gpu, sizeof gpu));
    return TRUE;
}

/* Reads each row of a table, which may be missing. */
static gboolean read_all(PsDatabase *database, const PsSelect *select,
                         gboolean (*read)(const PsRows *rows, GHashTable *into, GError **error),
                         GHashTable *into, GError **error)
{
    gboolean more;
    if (!ps_database_has(database, select->table, &more, error))
        return FALSE;
    if (!more)
        return TRUE;
    g_autoptr(PsRows) rows = ps_rows_new(database, select, error);
    if (!rows)
        return FALSE;
    while (more && ps_rows_next(rows, &more, error))
        if (!more || !read(rows, into, error))
            return !more;
    return FALSE;
}

/* The GPU with this number in the process; NULL: not known. */
static const Gpu *find_gpu(const Reader *reader, gint64 pid, gint64 device)
{
    g_autofree char *key = device_key(pid, device);
    const gint64 *id = g_hash_table_lookup(reader->devices, key);
    return g_hash_table_lookup(reader->gpus, id ? id : &device);
}

/* ---- launches ------------------------------------------------------------------------------ */

enum { START, END, DEVICE, PROCESS, DEMANGLED, SHORT };

static const PsSelect kernels = {
    KERNELS,
    {"start", "end", "deviceId", "?globalPid", "?demangledName", "?shortName"},
    NULL,
    NULL};

static const char *read_name(const Reader *reader, const PsRows *rows, GError **error)
{
    gint64 id;
    return ps_rows_integer(rows, ps_rows_is_null(rows, DEMANGLED) ? SHORT : DEMANGLED, &id, error)
               ? ps_names_get(reader->names, id, error)
               : NULL;
}

static gboolean read_launch(Reader *reader, const PsRows *rows, GError **error)
{
    gint64 start, end, device, process = 0;
    if (!ps_rows_integer(rows, START, &start, error) || !ps_rows_integer(rows, END, &end, error) ||
        !ps_rows_integer(rows, DEVICE, &device, error) ||
        (!ps_rows_is_null(rows, PROCESS) && !ps_rows_integer(rows, PROCESS, &process, error)))
        return FALSE;
    const char *name = read_name(reader, rows, error);
    const Gpu *gpu = find_gpu(reader, process >> PID_SHIFT & PID_MASK, device);
    if (!name || !ps_rows_check_times(rows, start, end, error))
        return FALSE;
    g_autofree char *label =
        g_strdup_printf(gpu ? "%s (%" G_GINT64_FORMAT ")" : "%s %" G_GINT64_FORMAT,
                        gpu ? gpu->name : "GPU", device);
    const PsKernelKey key = {name, label, gpu ? gpu->capability : 0};
    reader->import->csv->line = ps_rows_number(rows);
    if (!ps_collect_launch(reader->collector, &key, ps_rows_number(rows), error))
        return FALSE;
    ps_collect_put(reader->collector, reader->duration, (double)(end - start) / 1e9);
    return TRUE;
}

static gboolean read_launches(Reader *reader, GError **error)
{
    gboolean more = TRUE;
    g_autoptr(PsRows) rows = ps_rows_new(reader->database, &kernels, error);
    if (!rows)
        return FALSE;
    while (more) {
        if (!ps_rows_next(rows, &more, error) || (more && !read_launch(reader, rows, error)))
            return FALSE;
    }
    return TRUE;
}

/* ---- the file ------------------------------------------------------------------------------ */

static const char graphs_hint[] = "profile with nsys profile --cuda-graph-trace=node, which traces "
                                  "each of their kernels";

/* Checks for launches: a profile may have none, or have them in graphs. */
static gboolean check_tables(const Reader *reader, gboolean *has_graphs, GError **error)
{
    gboolean has_kernels;
    if (!ps_database_has(reader->database, KERNELS, &has_kernels, error) ||
        !ps_database_has(reader->database, GRAPHS, has_graphs, error))
        return FALSE;
    const PsPlace place = {reader->import->csv->name, 0};
    if (!has_kernels && *has_graphs)
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "all kernels here ran in CUDA graphs, which are told as a whole: %s",
                    graphs_hint);
    else if (!has_kernels)
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "this export of Nsight Systems has no kernels (no table " KERNELS
                    "): profile with nsys profile --trace=cuda");
    return has_kernels;
}

static gboolean read_tables(Reader *reader, GError **error)
{
    static const PsSelect names = {"StringIds", {"value"}, "id", NULL};
    static const PsSelect gpus = {
        GPUS, {"id", "name", "?computeMajor", "?computeMinor"}, NULL, NULL};
    static const PsSelect devices = {DEVICES, {"gpuId", "cudaId", "pid"}, NULL, NULL};
    gboolean has_graphs;
    if (!check_tables(reader, &has_graphs, error) ||
        !read_all(reader->database, &gpus, read_gpu, reader->gpus, error) ||
        !read_all(reader->database, &devices, read_device, reader->devices, error))
        return FALSE;
    reader->names = ps_names_new(reader->database, &names, error);
    if (!reader->names || !read_launches(reader, error))
        return FALSE;
    if (has_graphs)
        ps_import_warn(reader->import->profile,
                       "kernels that ran in CUDA graphs are not among these: %s", graphs_hint);
    return ps_collector_finish(reader->collector, error);
}

gboolean ps_import_nsys_database(PsImport *import, PsDatabase *database, GError **error)
{
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_ncu_formulas);
    Reader reader = {.import = import,
                     .database = database,
                     .collector = collector,
                     .gpus = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, gpu_free),
                     .devices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                     .duration = ps_collector_counter(collector, "gpu__time_duration.sum")};
    const gboolean ok = read_tables(&reader, error);
    ps_names_free(reader.names);
    g_hash_table_destroy(reader.gpus);
    g_hash_table_destroy(reader.devices);
    return ok;
}
