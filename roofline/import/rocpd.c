/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rocpd, the database of rocprofv3. Each process that was profiled has tables of its own, whose
 * names end in its identifier; views make one of them, and are not read. A launch is a row of
 * rocpd_kernel_dispatch; counters are rows of rocpd_pmc_event with the number of the same event,
 * several of one counter where it has instances. Times stand in the launch, or since version 4 of
 * the schema in rocpd_timestamp, and its agent in rocpd_track then.
 */
#include "roofline/import/databases.h"
#include "roofline/import/dispatches.h"
#include "base/json-read.h"

#include <string.h>

#define DISPATCH "rocpd_kernel_dispatch"

enum { START, END, AGENT, KERNEL, EVENT, START_ID, END_ID, TRACK };

typedef struct {
    PsDispatches *dispatches;
    PsDatabase *database;
    const char *suffix; /* suffix of this process's tables */
    PsRows *times, *tracks, *agents;
    PsRows *counters; /* counters by event, in the order of launches; NULL: none were collected */
    gint64 event;     /* event of the counter that is read next; G_MAXINT64: there are no more */
    PsNames *kernel_names, *counter_names;
    GHashTable *known_agents; /* gint64 * -> PsAgent * */
} Reader;

/* ---- tables -------------------------------------------------------------------------------- */

static PsSelect of_process(const Reader *reader, const PsSelect *select)
{
    PsSelect own = *select;
    own.table = g_strconcat(select->table, reader->suffix, NULL);
    return own;
}

static PsRows *open_rows(const Reader *reader, const PsSelect *select, GError **error)
{
    const PsSelect own = of_process(reader, select);
    PsRows *rows = ps_rows_new(reader->database, &own, error);
    g_free((char *)own.table);
    return rows;
}

static PsNames *open_names(const Reader *reader, const PsSelect *select, GError **error)
{
    const PsSelect own = of_process(reader, select);
    PsNames *names = ps_names_new(reader->database, &own, error);
    g_free((char *)own.table);
    return names;
}

/* Opens tables that version 4 of the schema added; where they are missing, *rows is NULL. */
static gboolean open_newer(const Reader *reader, const PsSelect *select, PsRows **rows,
                           GError **error)
{
    g_autofree char *table = g_strconcat(select->table, reader->suffix, NULL);
    gboolean has;
    if (!ps_database_has(reader->database, table, &has, error))
        return FALSE;
    *rows = has ? open_rows(reader, select, error) : NULL;
    return !has || *rows;
}

static gboolean open_tables(Reader *reader, GError **error)
{
    static const PsSelect
        times = {"rocpd_timestamp", {"value"}, "id", NULL},
        tracks = {"rocpd_track", {"?agent_id"}, "id", NULL},
        agents = {"rocpd_info_agent", {"absolute_index", "?product_name", "?extdata"}, "id", NULL},
        counters = {"rocpd_pmc_event", {"event_id", "pmc_id", "value"}, NULL, "event_id"},
        kernel_names = {"rocpd_info_kernel_symbol", {"?display_name", "kernel_name"}, "id", NULL},
        counter_names = {"rocpd_info_pmc", {"name"}, "id", NULL};
    return open_newer(reader, &times, &reader->times, error) &&
           open_newer(reader, &tracks, &reader->tracks, error) &&
           (reader->agents = open_rows(reader, &agents, error)) &&
           (reader->counters = open_rows(reader, &counters, error)) &&
           (reader->kernel_names = open_names(reader, &kernel_names, error)) &&
           (reader->counter_names = open_names(reader, &counter_names, error));
}

static void close_tables(Reader *reader)
{
    g_clear_pointer(&reader->times, ps_rows_free);
    g_clear_pointer(&reader->tracks, ps_rows_free);
    g_clear_pointer(&reader->agents, ps_rows_free);
    g_clear_pointer(&reader->counters, ps_rows_free);
    g_clear_pointer(&reader->kernel_names, ps_names_free);
    g_clear_pointer(&reader->counter_names, ps_names_free);
    g_hash_table_remove_all(reader->known_agents);
}

/* Goes to the row of that number, which must exist. */
static gboolean seek(PsRows *rows, gint64 number, GError **error)
{
    gboolean more;
    ps_rows_seek(rows, number);
    return ps_rows_next(rows, &more, error) &&
           (more || ps_rows_error(rows, error, "there is no such row"));
}

/* ---- launches ------------------------------------------------------------------------------ */

static gboolean agent_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    guint64 size;
    if (strcmp(key, "wave_front_size") != 0)
        return ps_json_skip(json, error);
    return ps_json_unsigned(json, &size, error) &&
           (size == 0 || ps_agent_set_wave_size(self, size) ||
            ps_json_error(json, error, PS_ERROR_VALUE, "waves have 32 or 64 threads"));
}

/* Reads the further properties of an agent, a text of JSON. */
static gboolean read_extdata(const PsRows *rows, PsAgent *agent, GError **error)
{
    const char *text = ps_rows_text(rows, 2);
    PsJson json;
    g_autoptr(GError) why = NULL;
    if (!text)
        return TRUE;
    ps_json_init(&json, (PsPlace){"extdata", 1}, text, strlen(text));
    return ps_json_object(&json, agent_member, agent, &why) ||
           ps_rows_error(rows, error, "%s", why->message);
}

/* NULL and *error where the agent is not known. */
static const PsAgent *find_agent(const Reader *reader, gint64 number, GError **error)
{
    gint64 index;
    PsAgent *agent = g_hash_table_lookup(reader->known_agents, &number);
    if (agent)
        return agent;
    if (!seek(reader->agents, number, error) || !ps_rows_integer(reader->agents, 0, &index, error))
        return NULL;
    agent = ps_agent_new((guint64)index, ps_rows_text(reader->agents, 1));
    g_hash_table_insert(reader->known_agents, g_memdup2(&number, sizeof number), agent);
    return read_extdata(reader->agents, agent, error) ? agent : NULL;
}

static gboolean read_agent(const Reader *reader, const PsRows *rows, gint64 *agent, GError **error)
{
    gint64 track;
    if (!ps_rows_is_null(rows, AGENT) || !reader->tracks)
        return ps_rows_integer(rows, AGENT, agent, error);
    return ps_rows_integer(rows, TRACK, &track, error) && seek(reader->tracks, track, error) &&
           ps_rows_integer(reader->tracks, 0, agent, error);
}

static gboolean read_time(const Reader *reader, const PsRows *rows, int column, int number,
                          gint64 *time, GError **error)
{
    gint64 id;
    if (!ps_rows_is_null(rows, column) || !reader->times)
        return ps_rows_integer(rows, column, time, error);
    return ps_rows_integer(rows, number, &id, error) && seek(reader->times, id, error) &&
           ps_rows_integer(reader->times, 0, time, error);
}

/* ---- counters ------------------------------------------------------------------------------ */

/* Goes on to the next counter that belongs to an event. */
static gboolean next_counter(Reader *reader, GError **error)
{
    gboolean more;
    do
        if (!ps_rows_next(reader->counters, &more, error))
            return FALSE;
    while (more && ps_rows_is_null(reader->counters, 0));
    if (more)
        return ps_rows_integer(reader->counters, 0, &reader->event, error);
    reader->event = G_MAXINT64;
    return TRUE;
}

/* Goes on to the counters of this event, or to the first ones behind them. */
static gboolean skip_counters(Reader *reader, gint64 event, GError **error)
{
    while (reader->event < event)
        if (!next_counter(reader, error))
            return FALSE;
    return TRUE;
}

/* NULL and *error where the counter has no name. */
static const char *counter_name(const Reader *reader, GError **error)
{
    gint64 id;
    return ps_rows_integer(reader->counters, 1, &id, error)
               ? ps_names_get(reader->counter_names, id, error)
               : NULL;
}

static gboolean read_counters(Reader *reader, gint64 event, GError **error)
{
    while (reader->event == event && event < G_MAXINT64) {
        double value;
        const char *name = counter_name(reader, error);
        if (!name || !ps_rows_count(reader->counters, 2, &value, error))
            return FALSE;
        ps_dispatches_put(reader->dispatches, name, value);
        if (!next_counter(reader, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- a launch ------------------------------------------------------------------------------ */

static gboolean begin_launch(Reader *reader, const PsRows *rows, const char *lead, GError **error)
{
    gint64 start, end, kernel, agent_number;
    if (!read_time(reader, rows, START, START_ID, &start, error) ||
        !read_time(reader, rows, END, END_ID, &end, error) ||
        !ps_rows_check_times(rows, start, end, error) ||
        !ps_rows_integer(rows, KERNEL, &kernel, error) ||
        !read_agent(reader, rows, &agent_number, error))
        return FALSE;
    const char *name = ps_names_get(reader->kernel_names, kernel, error);
    const PsAgent *agent = name ? find_agent(reader, agent_number, error) : NULL;
    if (!agent)
        return FALSE;
    const PsDispatch dispatch = {name, agent, lead, (guint64)(end - start), ps_rows_number(rows)};
    return ps_dispatches_begin(reader->dispatches, &dispatch, error);
}

static gboolean read_launch(Reader *reader, const PsRows *rows, GError **error)
{
    gint64 event = -1;
    const char *lead = "";
    if (!ps_rows_is_null(rows, EVENT) && !ps_rows_integer(rows, EVENT, &event, error))
        return FALSE;
    if (!skip_counters(reader, event, error))
        return FALSE;
    if (reader->event == event)
        lead = counter_name(reader, error);
    return lead && begin_launch(reader, rows, lead, error) && read_counters(reader, event, error);
}

static gboolean read_process(Reader *reader, GError **error)
{
    static const PsSelect launches = {DISPATCH,
                                      {"?start", "?end", "?agent_id", "kernel_id", "event_id",
                                       "?start_id", "?end_id", "?track_id"},
                                      NULL,
                                      "event_id"};
    gboolean more = TRUE;
    reader->event = -1;
    ps_dispatches_process(reader->dispatches);
    if (!open_tables(reader, error) || !next_counter(reader, error))
        return FALSE;
    g_autoptr(PsRows) rows = open_rows(reader, &launches, error);
    if (!rows)
        return FALSE;
    while (more) {
        if (!ps_rows_next(rows, &more, error) || (more && !read_launch(reader, rows, error)))
            return FALSE;
    }
    return TRUE;
}

/* Reads processes: the table's name has the identifier behind an underscore; a name without one is
 * a view of all processes. */
static gboolean read_processes(Reader *reader, GError **error)
{
    g_auto(GStrv) suffixes = ps_database_suffixes(reader->database, DISPATCH, error);
    for (guint i = 0; suffixes && suffixes[i]; i++) {
        reader->suffix = suffixes[i];
        const gboolean ok = read_process(reader, error);
        close_tables(reader);
        if (!ok)
            return FALSE;
    }
    return suffixes && ps_rocprof_finish(&reader->dispatches->rocprof, error);
}

gboolean ps_import_rocpd(PsImport *import, PsDatabase *database, GError **error)
{
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_rocprofv3_formulas);
    g_auto(PsDispatches) dispatches;
    ps_dispatches_init(&dispatches, import, collector);
    Reader reader = {.dispatches = &dispatches,
                     .database = database,
                     .known_agents =
                         g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                               (GDestroyNotify)(void (*)(void))ps_agent_free)};
    const gboolean ok = read_processes(&reader, error);
    g_hash_table_destroy(reader.known_agents);
    return ok;
}
