/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace-event.h. */
#include "tell/trace-event.h"

/* Bytes that are collected before they are written. */
#define GATHER (1 << 16)

/* Fractions of a microsecond in which times are told. */
#define PARTS 8

/* 2 to this power microseconds are the longest trace: eighths of them fit a double. */
#define LONGEST 50

__extension__ typedef __int128 Wide;

void ps_trace_event_scale(PsTraceFile *file, gint64 from, gint64 to)
{
    const Wide most = (Wide)file->answer->machine->ticks_per_cycle << LONGEST;
    file->origin = to <= most ? 0 : from;
    file->shift = 0;
    while (to - file->origin > most << file->shift)
        file->shift++;
}

/* A time in these fractions, rounded, so that events that follow each other in ticks also do in the
 * file. */
static gint64 parts_of(const PsTraceFile *file, gint64 ticks)
{
    const Wide unit = (Wide)file->answer->machine->ticks_per_cycle << file->shift;
    return (gint64)(((Wide)(ticks - file->origin) * PARTS * 2 + unit) / (unit * 2));
}

gboolean ps_trace_event_lasts(const PsTraceFile *file, gint64 from, gint64 to)
{
    return parts_of(file, to) > parts_of(file, from);
}

static void put_time(PsJson *json, const char *key, gint64 parts)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT ".%03d", parts / PARTS,
                                            (int)(parts % PARTS) * (1000 / PARTS));
    ps_json_raw(json, key, text);
}

/* Times come first: readers look for them before names. */
static void put_times(const PsTraceFile *file, const PsTraceEvent *event, PsJson *json)
{
    const gint64 from = parts_of(file, event->from);
    if (event->phase != 'M')
        put_time(json, TRACE_KEY(TS), from);
    if (event->phase == 'X')
        put_time(json, TRACE_KEY(DUR), parts_of(file, event->to) - from);
}

PsJson ps_trace_event_begin(PsTraceFile *file, const PsTraceEvent *event)
{
    PsJson json = {.out = file->text};
    g_string_append(file->text, file->n++ > 0 ? ",\n" : "[\n");
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_text(&json, TRACE_KEY(PH), (char[]){event->phase, '\0'});
    put_times(file, event, &json);
    ps_json_int(&json, TRACE_KEY(PID), event->process);
    ps_json_int(&json, TRACE_KEY(TID), event->thread);
    ps_json_text(&json, TRACE_KEY(NAME), event->name);
    if (event->category)
        ps_json_text(&json, TRACE_KEY(CAT), event->category);
    if (event->phase == 's' || event->phase == 'f')
        ps_json_int(&json, TRACE_KEY(ID), (gint64)event->flow);
    if (event->phase == 'f')
        ps_json_text(&json, TRACE_KEY(BP), "e");
    ps_json_open(&json, TRACE_KEY(ARGS), '{', PS_JSON_LINE);
    return json;
}

void ps_trace_event_end(PsTraceFile *file, PsJson *json)
{
    ps_json_close(json, '}');
    ps_json_close(json, '}');
    if (file->text->len >= GATHER)
        ps_trace_file_flush(file);
}

void ps_trace_event_name(PsTraceFile *file, guint process, guint thread, gboolean is_thread,
                         const char *name)
{
    const PsTraceEvent event = {.phase = 'M',
                                .name = is_thread ? "thread_name" : "process_name",
                                .process = process,
                                .thread = thread};
    PsJson json = ps_trace_event_begin(file, &event);
    ps_json_text(&json, TRACE_KEY(ARGS_NAME), name);
    ps_trace_event_end(file, &json);
}

gboolean ps_trace_file_flush(PsTraceFile *file)
{
    if (!file->error)
        file->write(file->data, file->text->str, &file->error);
    g_string_truncate(file->text, 0);
    return !file->error;
}
