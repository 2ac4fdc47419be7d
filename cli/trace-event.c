/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace-event.h. */
#include "cli/trace-event.h"

/* What is gathered before it is written. */
#define GATHER (1 << 16)

/* A time of the run in whole picoseconds, so that what follows each other in ticks does in the
 * file, too. */
static gint64 picoseconds(const Answer *answer, gint64 ticks)
{
    __extension__ typedef __int128 Wide;
    const Wide up = (Wide)ticks * answer->clock.den * 1000000;
    return (gint64)(up / answer->clock.num / answer->machine->ticks_per_cycle);
}

static void put_time(Json *json, const char *key, gint64 time)
{
    g_autofree char *text =
        g_strdup_printf("%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT, time / 1000000, time % 1000000);
    json_raw(json, key, text);
}

Json trace_event_begin(TraceFile *file, const TraceEvent *event)
{
    const gint64 from = picoseconds(file->answer, event->from);
    Json json = {.out = file->text};
    g_string_append(file->text, file->n++ > 0 ? ",\n" : "[\n");
    json_open(&json, NULL, '{', JSON_LINE);
    json_text(&json, "ph", (char[]){event->phase, '\0'});
    json_text(&json, "name", event->name);
    if (event->category)
        json_text(&json, "cat", event->category);
    json_int(&json, "pid", event->process);
    json_int(&json, "tid", event->thread);
    if (event->phase != 'M')
        put_time(&json, "ts", from);
    if (event->phase == 'X')
        put_time(&json, "dur", picoseconds(file->answer, event->to) - from);
    if (event->phase == 's' || event->phase == 'f')
        json_int(&json, "id", (gint64)event->flow);
    if (event->phase == 'f')
        json_text(&json, "bp", "e");
    json_open(&json, "args", '{', JSON_LINE);
    return json;
}

void trace_event_end(TraceFile *file, Json *json)
{
    json_close(json, '}');
    json_close(json, '}');
    if (file->text->len >= GATHER)
        trace_file_flush(file);
}

void trace_event_name(TraceFile *file, guint process, guint thread, gboolean is_thread,
                      const char *name)
{
    const TraceEvent event = {.phase = 'M',
                              .name = is_thread ? "thread_name" : "process_name",
                              .process = process,
                              .thread = thread};
    Json json = trace_event_begin(file, &event);
    json_text(&json, "name", name);
    trace_event_end(file, &json);
}

gboolean trace_file_flush(TraceFile *file)
{
    if (!file->error)
        output_put(file->output, file->text->str, &file->error);
    g_string_truncate(file->text, 0);
    return !file->error;
}
