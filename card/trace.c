/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace.h. Times are whole nanoseconds: Perfetto keeps nothing smaller. */
#include "card/trace.h"

#include "base/kernel-name.h"
#include "tell/json.h"

#include <math.h>

#define KEY(fact) ps_fact_column(PS_FACT_PROGRAM_TRACE_##fact.n)

enum { STREAMS = 1, LINK };
/* A track with the number of a process would be its main thread. */
enum { FIRST_TRACK = 10 };

typedef struct {
    const PsCardLaunched *launch; /* either a launch */
    const PsCardCopied *copy;     /* or a copy */
    guint order;                  /* among events that begin at the same time */
} Item;

typedef struct {
    guint process, of; /* the stream, or the direction */
    gint64 end;        /* end of its last slice, in nanoseconds */
} Track;

typedef struct {
    GString *text;
    GArray *tracks; /* Track */
} Trace;

static double begin_of(const Item *item)
{
    return item->launch ? item->launch->begin : item->copy->begin;
}

static gint by_begin(gconstpointer a, gconstpointer b)
{
    const Item *x = a, *y = b;
    const double left = begin_of(x), right = begin_of(y);
    return left < right ? -1 : left > right ? 1 : x->order < y->order ? -1 : x->order > y->order;
}

static GArray *items_of(const PsCardRead *read)
{
    GArray *items = g_array_new(FALSE, FALSE, sizeof(Item));
    for (guint i = 0; i < read->launches->len; i++) {
        const Item item = {&g_array_index(read->launches, PsCardLaunched, i), NULL, items->len};
        g_array_append_val(items, item);
    }
    for (guint i = 0; i < read->copies->len; i++) {
        const Item item = {NULL, &g_array_index(read->copies, PsCardCopied, i), items->len};
        g_array_append_val(items, item);
    }
    g_array_sort(items, by_begin);
    return items;
}

/* ---- events --------------------------------------------------------------------------------- */

static void put_time(PsJson *json, const char *key, gint64 nanoseconds)
{
    enum { MICRO = 1000 };
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT ".%03d", nanoseconds / MICRO,
                                            (int)(nanoseconds % MICRO));
    ps_json_raw(json, key, text);
}

/* Begins an event with the fields that all have; times below 0 are left out. */
static PsJson begin(const Trace *trace, const char *phase, gint64 from, gint64 to)
{
    PsJson json = {.out = trace->text};
    g_string_append(trace->text, trace->text->len ? ",\n" : "[\n");
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_text(&json, KEY(PH), phase);
    if (from >= 0)
        put_time(&json, KEY(TS), from);
    if (to >= 0)
        put_time(&json, KEY(DUR), to - from);
    return json;
}

static void put_place(PsJson *json, guint process, guint track, const char *name)
{
    ps_json_int(json, KEY(PID), process);
    ps_json_int(json, KEY(TID), track);
    ps_json_text(json, KEY(NAME), name);
}

static void end(PsJson *json)
{
    ps_json_close(json, '}');
    ps_json_close(json, '}');
}

static void put_name(const Trace *trace, const char *of, guint process, guint track,
                     const char *name)
{
    PsJson json = begin(trace, "M", -1, -1);
    put_place(&json, process, track, of);
    ps_json_open(&json, KEY(ARGS), '{', PS_JSON_LINE);
    ps_json_text(&json, KEY(ARGS_NAME), name);
    end(&json);
}

/* The number of a track for an event at that time: a free one, or a new one. */
static guint track_of(Trace *trace, guint process, guint of, gint64 from, gint64 to)
{
    static const char *const ways[] = {"to device", "to host", "on device", "set"};
    guint same = 0;
    for (guint i = 0; i < trace->tracks->len; i++) {
        Track *track = &g_array_index(trace->tracks, Track, i);
        if (track->process != process || track->of != of)
            continue;
        same++;
        if (track->end <= from) {
            track->end = to;
            return FIRST_TRACK + i;
        }
    }
    const Track track = {process, of, to};
    g_autofree char *name = process == LINK ? g_strdup(ways[of]) : g_strdup_printf("stream %u", of);
    g_autofree char *more = same ? g_strdup_printf("%s, beside it", name) : NULL;
    put_name(trace, "thread_name", process, FIRST_TRACK + trace->tracks->len, more ? more : name);
    g_array_append_val(trace->tracks, track);
    return FIRST_TRACK + trace->tracks->len - 1;
}

static char *sizes(const guint n[3])
{
    return g_strdup_printf("%ux%ux%u", n[0], n[1], n[2]);
}

static void put_launch(PsJson *json, const PsCardLaunched *launch)
{
    g_autofree char *grid = sizes(launch->grid), *block = sizes(launch->block);
    ps_json_text(json, KEY(CAT), "launch");
    ps_json_open(json, KEY(ARGS), '{', PS_JSON_LINE);
    ps_json_text(json, KEY(ARGS_GRID), grid);
    ps_json_text(json, KEY(ARGS_BLOCK), block);
    ps_json_int(json, KEY(ARGS_INSTRUCTIONS), (gint64)launch->instructions);
    ps_json_known_text(json, KEY(ARGS_LIMIT), launch->limit);
    ps_json_known_text(json, KEY(ARGS_CODE), launch->code);
}

static void put_copy(PsJson *json, const PsCardCopied *copy)
{
    ps_json_text(json, KEY(CAT), "copy");
    ps_json_open(json, KEY(ARGS), '{', PS_JSON_LINE);
    ps_json_int(json, KEY(ARGS_BYTES), (gint64)copy->bytes);
}

/* A slice, or an instant if its time is unknown. */
static void put_item(Trace *trace, const Item *item)
{
    const PsCardLaunched *launch = item->launch;
    const PsCardCopied *copy = item->copy;
    const double seconds = launch ? launch->seconds : copy->seconds;
    const gint64 from = llround(begin_of(item) * 1e9);
    const gint64 to = isnan(seconds) ? from : llround((begin_of(item) + seconds) * 1e9);
    const gboolean link = copy && copy->way <= PS_CARD_TO_HOST;
    const guint of = launch ? launch->stream : link ? (guint)copy->way : copy->stream;
    const guint track = track_of(trace, link ? LINK : STREAMS, of, from, to);
    g_autofree char *readable = launch ? ps_kernel_demangle(launch->kernel) : NULL;
    g_autofree char *name = launch
                                ? ps_kernel_short_name(readable ? readable : launch->kernel, FALSE)
                            : copy->way == PS_CARD_SET ? g_strdup("set")
                                                       : g_strdup("copy");
    PsJson json = begin(trace, isnan(seconds) ? "i" : "X", from, isnan(seconds) ? -1 : to);
    put_place(&json, link ? LINK : STREAMS, track, name);
    if (launch)
        put_launch(&json, launch);
    else
        put_copy(&json, copy);
    end(&json);
}

char *ps_card_trace(const PsCardRead *read, const char *gpu)
{
    Trace trace = {g_string_new(NULL), g_array_new(FALSE, FALSE, sizeof(Track))};
    g_autoptr(GArray) items = items_of(read);
    put_name(&trace, "process_name", STREAMS, 0, gpu);
    put_name(&trace, "process_name", LINK, 0, "link to the host");
    for (guint i = 0; i < items->len; i++)
        put_item(&trace, &g_array_index(items, Item, i));
    g_string_append(trace.text, "\n]\n");
    g_array_unref(trace.tracks);
    return g_string_free(trace.text, FALSE);
}
