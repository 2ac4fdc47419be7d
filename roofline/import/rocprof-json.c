/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rocprofv3's JSON, an object per process with names first and then launches:
 *
 *     {"rocprofiler-sdk-tool": [{
 *        "agents": [{"id": {"handle": 9}, "node_id": 4, "product_name": ..., "wave_front_size":
 * 64}], "counters": [{"id": {"handle": 31}, "name": "SQ_WAVES"}], "kernel_symbols": [{"kernel_id":
 * 1, "formatted_kernel_name": "k(int)"}], "callback_records": {"counter_collection": [
 *          {"dispatch_data": {"start_timestamp": 1, "end_timestamp": 2, "dispatch_info":
 *             {"agent_id": {"handle": 9}, "kernel_id": 1, "dispatch_id": 1}},
 *           "records": [{"counter_id": {"handle": 31}, "value": 8.0}]}]},
 *        "buffer_records": {"kernel_dispatch": [ as dispatch_data ]}}]}
 *
 * The trace, in buffer_records, has the same launches without counters, and is read where there are
 * none with. The file is mapped, not read into memory; only names are kept, and one launch.
 */
#include "roofline/import/dispatches.h"
#include "base/hearer.h"
#include "base/json-read.h"

#include <string.h>

#define MAX_PIPE_BYTES (64 * 1024 * 1024) /* most bytes of a pipe, which cannot be mapped */

typedef struct {
    guint64 counter;
    double value;
} Value;

/* The part of a launch that is read so far. */
typedef struct {
    guint64 agent, kernel, dispatch, start, end;
    gboolean has_info;
    GArray *values; /* Value */
} Launch;

typedef struct {
    PsDispatches dispatches;
    GHashTable *agents;   /* guint64 * -> PsAgent * */
    GHashTable *counters; /* guint64 * -> char * */
    GHashTable *kernels;  /* guint64 * -> char * */
    Launch launch;
    PsProgress progress;
    gint64 told;
    guint64 last;      /* number of the last dispatch of the process, */
    guint64 n;         /* count of its dispatches so far */
    const char *later; /* its records, where they come before the names, else NULL, */
    const char *trace; /* and its trace */
} Reader;

/* ---- values -------------------------------------------------------------------------------- */

static gboolean handle_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    return strcmp(key, "handle") == 0 ? ps_json_unsigned(json, self, error)
                                      : ps_json_skip(json, error);
}

/* {"handle": 31}, or the number alone. */
static gboolean read_handle(PsJson *json, guint64 *handle, GError **error)
{
    return ps_json_peek(json) == '{' ? ps_json_object(json, handle_member, handle, error)
                                     : ps_json_unsigned(json, handle, error);
}

/* ---- names --------------------------------------------------------------------------------- */

/* An agent, a counter or a kernel, as far as it is read. */
typedef struct {
    guint64 id, index, wave_size;
    char *name, *other; /* the best name so far, and the next best */
} Named;

static gboolean take_text(PsJson *json, char **text, GError **error)
{
    g_clear_pointer(text, g_free);
    return ps_json_null(json) || ps_json_string(json, text, error);
}

static gboolean named_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Named *named = self;
    if (strcmp(key, "id") == 0 || strcmp(key, "kernel_id") == 0)
        return read_handle(json, &named->id, error);
    if (strcmp(key, "node_id") == 0)
        return ps_json_unsigned(json, &named->index, error);
    if (strcmp(key, "wave_front_size") == 0)
        return ps_json_unsigned(json, &named->wave_size, error);
    if (strcmp(key, "product_name") == 0 || strcmp(key, "formatted_kernel_name") == 0)
        return take_text(json, &named->name, error);
    if (strcmp(key, "name") == 0 || strcmp(key, "kernel_name") == 0)
        return take_text(json, &named->other, error);
    return ps_json_skip(json, error);
}

static gboolean read_named(PsJson *json, Named *named, GError **error)
{
    *named = (Named){0};
    return ps_json_object(json, named_member, named, error);
}

static void named_clear(Named *named)
{
    g_free(named->name);
    g_free(named->other);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Named, named_clear)

static gpointer copy_id(guint64 id)
{
    return g_memdup2(&id, sizeof id);
}

static gboolean agent_item(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    g_auto(Named) named = {0};
    if (!read_named(json, &named, error))
        return FALSE;
    PsAgent *agent = ps_agent_new(named.index, named.name);
    g_hash_table_replace(reader->agents, copy_id(named.id), agent);
    return named.wave_size == 0 || ps_agent_set_wave_size(agent, named.wave_size) ||
           ps_json_error(json, error, PS_ERROR_VALUE,
                         "an agent whose wave_front_size is %" G_GUINT64_FORMAT
                         "; waves have 32 or 64 threads",
                         named.wave_size);
}

static gboolean name_item(PsJson *json, GHashTable *names, GError **error)
{
    g_auto(Named) named = {0};
    if (!read_named(json, &named, error))
        return FALSE;
    char **best = named.name && *named.name ? &named.name : &named.other;
    if (*best && **best)
        g_hash_table_replace(names, copy_id(named.id), g_steal_pointer(best));
    return TRUE;
}

static gboolean counter_item(PsJson *json, gpointer self, GError **error)
{
    return name_item(json, ((Reader *)self)->counters, error);
}

static gboolean kernel_item(PsJson *json, gpointer self, GError **error)
{
    return name_item(json, ((Reader *)self)->kernels, error);
}

/* ---- a launch ------------------------------------------------------------------------------ */

static gboolean info_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Launch *launch = self;
    if (strcmp(key, "agent_id") == 0)
        return read_handle(json, &launch->agent, error);
    if (strcmp(key, "kernel_id") == 0)
        return ps_json_unsigned(json, &launch->kernel, error);
    if (strcmp(key, "dispatch_id") == 0)
        return ps_json_unsigned(json, &launch->dispatch, error);
    return ps_json_skip(json, error);
}

static gboolean dispatch_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Launch *launch = self;
    if (strcmp(key, "start_timestamp") == 0)
        return ps_json_unsigned(json, &launch->start, error);
    if (strcmp(key, "end_timestamp") == 0)
        return ps_json_unsigned(json, &launch->end, error);
    if (strcmp(key, "dispatch_info") != 0)
        return ps_json_skip(json, error);
    launch->has_info = TRUE;
    return ps_json_object(json, info_member, launch, error);
}

static gboolean value_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Value *value = self;
    if (strcmp(key, "counter_id") == 0)
        return read_handle(json, &value->counter, error);
    if (strcmp(key, "value") != 0)
        return ps_json_skip(json, error);
    return ps_json_number(json, &value->value, error) &&
           (value->value >= 0 ||
            ps_json_error(json, error, PS_ERROR_VALUE,
                          "a counter's value is negative, and no count can be"));
}

static gboolean value_item(PsJson *json, gpointer self, GError **error)
{
    const Reader *reader = self;
    Value value = {0};
    ps_json_peek(json);
    const char *start = json->at;
    if (!ps_json_object(json, value_member, &value, error))
        return FALSE;
    json->mark = start;
    g_array_append_val(reader->launch.values, value);
    return g_hash_table_contains(reader->counters, &value.counter) ||
           ps_json_error(json, error, PS_ERROR_VALUE,
                         "no counter has the handle %" G_GUINT64_FORMAT, value.counter);
}

static gboolean counted_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Reader *reader = self;
    if (strcmp(key, "dispatch_data") == 0)
        return ps_json_object(json, dispatch_member, &reader->launch, error);
    if (strcmp(key, "records") == 0)
        return ps_json_array(json, value_item, reader, error);
    return ps_json_skip(json, error);
}

static const char *counter_name(const Reader *reader, guint i)
{
    return g_hash_table_lookup(reader->counters,
                               &g_array_index(reader->launch.values, Value, i).counter);
}

/* Checks that a launch has what it needs; it begins where json->mark is. */
static gboolean check_launch(const Reader *reader, PsJson *json, GError **error)
{
    const Launch *launch = &reader->launch;
    if (!launch->has_info)
        return ps_json_error(json, error, PS_ERROR_VALUE, "a launch without \"dispatch_info\"");
    if (reader->n > 0 && launch->dispatch == reader->last)
        return ps_json_error(json, error, PS_ERROR_VALUE,
                             "dispatch %" G_GUINT64_FORMAT
                             " is told of again: of kernels that were replayed pipesim reads "
                             "nothing; count in passes, each a run of the program",
                             launch->dispatch);
    if (!g_hash_table_contains(reader->kernels, &launch->kernel))
        return ps_json_error(json, error, PS_ERROR_VALUE,
                             "no kernel has the kernel_id %" G_GUINT64_FORMAT, launch->kernel);
    if (!g_hash_table_contains(reader->agents, &launch->agent))
        return ps_json_error(json, error, PS_ERROR_VALUE,
                             "no agent has the handle %" G_GUINT64_FORMAT, launch->agent);
    if (launch->end <= launch->start && launch->end > 0)
        return ps_json_error(json, error, PS_ERROR_VALUE,
                             "end_timestamp is %" G_GUINT64_FORMAT
                             ", but start_timestamp %" G_GUINT64_FORMAT
                             ": a kernel takes more than 0",
                             launch->end, launch->start);
    return TRUE;
}

static gboolean tell(Reader *reader, const PsJson *json, GError **error)
{
    PsProgress *progress = &reader->progress;
    progress->done = (guint64)(json->at - json->start);
    progress->share = (double)progress->done / (double)progress->of;
    return !ps_progress_is_due(&reader->told) ||
           ps_hearer_tell(&reader->dispatches.rocprof.import->options->progress, progress, error);
}

static gboolean finish_launch(Reader *reader, PsJson *json, GError **error)
{
    const Launch *launch = &reader->launch;
    if (!tell(reader, json, error) || !check_launch(reader, json, error))
        return FALSE;
    const PsDispatch dispatch = {g_hash_table_lookup(reader->kernels, &launch->kernel),
                                 g_hash_table_lookup(reader->agents, &launch->agent),
                                 launch->values->len > 0 ? counter_name(reader, 0) : "",
                                 launch->end > 0 ? launch->end - launch->start : 0,
                                 ps_json_line(json)};
    reader->n++;
    reader->last = launch->dispatch;
    if (!ps_dispatches_begin(&reader->dispatches, &dispatch, error))
        return FALSE;
    for (guint i = 0; i < launch->values->len; i++)
        ps_dispatches_put(&reader->dispatches, counter_name(reader, i),
                          g_array_index(launch->values, Value, i).value);
    return TRUE;
}

static gboolean read_launch(Reader *reader, PsJson *json, PsJsonMember member, gpointer self,
                            GError **error)
{
    GArray *values = reader->launch.values;
    g_array_set_size(values, 0);
    reader->launch = (Launch){.values = values};
    ps_json_peek(json);
    const char *start = json->at;
    if (!ps_json_object(json, member, self, error))
        return FALSE;
    json->mark = start;
    return finish_launch(reader, json, error);
}

static gboolean counted_item(PsJson *json, gpointer self, GError **error)
{
    return read_launch(self, json, counted_member, self, error);
}

static gboolean traced_item(PsJson *json, gpointer self, GError **error)
{
    return read_launch(self, json, dispatch_member, &((Reader *)self)->launch, error);
}

/* ---- a process ----------------------------------------------------------------------------- */

static gboolean callback_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    return strcmp(key, "counter_collection") == 0 ? ps_json_array(json, counted_item, self, error)
                                                  : ps_json_skip(json, error);
}

static gboolean buffer_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    return strcmp(key, "kernel_dispatch") == 0 ? ps_json_array(json, traced_item, self, error)
                                               : ps_json_skip(json, error);
}

/* Passes over a value that is read later, when more is known; *begin is its begin. */
static gboolean pass_over(PsJson *json, const char **begin, GError **error)
{
    ps_json_peek(json);
    *begin = json->at;
    return ps_json_skip(json, error);
}

static gboolean has_names(const Reader *reader)
{
    return g_hash_table_size(reader->agents) > 0 && g_hash_table_size(reader->counters) > 0 &&
           g_hash_table_size(reader->kernels) > 0;
}

static gboolean process_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Reader *reader = self;
    if (strcmp(key, "agents") == 0)
        return ps_json_array(json, agent_item, reader, error);
    if (strcmp(key, "counters") == 0)
        return ps_json_array(json, counter_item, reader, error);
    if (strcmp(key, "kernel_symbols") == 0)
        return ps_json_array(json, kernel_item, reader, error);
    if (strcmp(key, "callback_records") == 0 && has_names(reader))
        return ps_json_object(json, callback_member, reader, error);
    if (strcmp(key, "callback_records") == 0)
        return pass_over(json, &reader->later, error);
    if (strcmp(key, "buffer_records") == 0 && reader->n == 0)
        return pass_over(json, &reader->trace, error);
    return ps_json_skip(json, error);
}

/* Goes back to a value that was passed over. */
static gboolean read_later(PsJson *json, const char *begin, PsJsonMember member, Reader *reader,
                           GError **error)
{
    const char *behind = json->at;
    if (!begin)
        return TRUE;
    json->at = begin;
    const gboolean ok = ps_json_object(json, member, reader, error);
    json->at = ok ? behind : json->at;
    return ok;
}

static gboolean process_item(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    g_hash_table_remove_all(reader->agents);
    g_hash_table_remove_all(reader->counters);
    g_hash_table_remove_all(reader->kernels);
    reader->n = 0;
    reader->later = reader->trace = NULL;
    ps_dispatches_process(&reader->dispatches);
    return ps_json_object(json, process_member, reader, error) &&
           read_later(json, reader->later, callback_member, reader, error) &&
           (reader->n > 0 || read_later(json, reader->trace, buffer_member, reader, error));
}

/* ---- the file ------------------------------------------------------------------------------ */

static const char outermost[] = "rocprofiler-sdk-tool";

gboolean ps_import_is_rocprof_json(const char *text)
{
    if (*text++ != '{')
        return FALSE;
    while (g_ascii_isspace(*text))
        text++;
    return *text == '"' && g_str_has_prefix(text + 1, outermost);
}

static gboolean outermost_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    return strcmp(key, outermost) == 0 ? ps_json_array(json, process_item, self, error)
                                       : ps_json_skip(json, error);
}

static gboolean read_text(PsImport *import, const char *text, gsize length, GError **error)
{
    static const char mark[] = "\xef\xbb\xbf";
    const gsize begin = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_rocprofv3_formulas);
    Reader reader = {
        .agents = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                        (GDestroyNotify)(void (*)(void))ps_agent_free),
        .counters = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
        .kernels = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
        .launch.values = g_array_new(FALSE, FALSE, sizeof(Value)),
        .progress = {.phase = PS_PHASE_FILE, .of = length, .since = g_get_monotonic_time()}};
    ps_dispatches_init(&reader.dispatches, import, collector);
    PsJson json;
    ps_json_init(&json, (PsPlace){import->csv->name, 1}, text + begin, length - begin);
    const gboolean ok = ps_json_object(&json, outermost_member, &reader, error) &&
                        ps_json_finish(&json, error) &&
                        ps_rocprof_finish(&reader.dispatches.rocprof, error);
    ps_dispatches_clear(&reader.dispatches);
    g_hash_table_destroy(reader.agents);
    g_hash_table_destroy(reader.counters);
    g_hash_table_destroy(reader.kernels);
    g_array_free(reader.launch.values, TRUE);
    return ok;
}

static gboolean read_mapped(PsImport *import, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new(import->csv->name, FALSE, &why);
    if (file)
        return read_text(import, g_mapped_file_get_contents(file), g_mapped_file_get_length(file),
                         error);
    ps_error_at(error, PS_ERROR_READ, (PsPlace){import->csv->name, 0}, "cannot be read: %s",
                why->message);
    return FALSE;
}

gboolean ps_import_rocprof_json(PsImport *import, GError **error)
{
    gsize length;
    if (g_file_test(import->csv->name, G_FILE_TEST_IS_REGULAR))
        return read_mapped(import, error);
    g_autofree char *text = ps_csv_rest(import->csv, MAX_PIPE_BYTES, &length, error);
    return text && read_text(import, text, length, error);
}
