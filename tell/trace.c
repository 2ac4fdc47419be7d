/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace.h. */
#include "tell/trace.h"

#include "answer/words.h"
#include "sim/listen/path.h"
#include "sim/listen/timeline.h"
#include "tell/format.h"
#include "tell/trace-event.h"
#include "tell/trace-stages.h"
#include "tell/window-text.h"
#include "tell/words.h"

#include <string.h>

/* Slices on tracks, at most: in a window that was asked for, and in another. */
#define MOST_ASKED 1000000
#define MOST_USUAL 100000

/* Values of each counter of a queue. */
#define QUEUE_PARTS 500

enum { WARPS = 1, PIPELINES, SKIPPED };

/* Numbers of threads; those of warps stand behind the pipelines' (warp_thread). */
enum { THREAD_SKIPPED = 10, THREAD_PIPELINES = 100, THREAD_WARPS = 1000 };

typedef struct {
    const PsAnswer *answer;
    PsTraceFile file;
    PsTimeline *timeline;
    PsTraceStages *stages;
    gint64 from, to;
    guint64 most, slices;
    gint64 cut; /* the window was cut here because of too many slices; -1: it was not */
    guint per_group, copies;
    gboolean *named[2];       /* [track of warps, pipelines]: its name was told */
    GHashTable *places;       /* group (gint64 *) -> place + 1, for groups in the window */
    gint64 resident;          /* groups */
    gint64 counted, count_at; /* number told last; untold change, and its time */
    GArray *skips;            /* PsSkip within the window */
    gint64 part;              /* ticks */
    double *queued;           /* [pipeline][part]: warps' ticks */
    gint64 *group_at;         /* [place]: its group; -1: none */
} Trace;

/* ---- names --------------------------------------------------------------------------------- */

static const PsProgramNode *node_of(const Trace *trace, guint program, guint node)
{
    return &trace->answer->kernel->programs[program].nodes[node];
}

static const PsMachineClass *class_of(const Trace *trace, guint program, guint node)
{
    const PsMachine *machine = trace->answer->machine;
    return &machine->classes[machine->class_of[program][node]];
}

static void put_node(const Trace *trace, PsJson *json, guint program, guint node)
{
    const PsIdgItem *item = node_of(trace, program, node)->item;
    const char *path = item->file ? item->file : trace->answer->idg->file;
    ps_json_text(json, TRACE_KEY(ARGS_NODE), item->name);
    ps_json_text(json, TRACE_KEY(ARGS_CLASS), item->class_name);
    if (item->source_line == 0)
        return;
    g_autofree char *line = g_strdup_printf("%s:%d", path ? path : "?", item->source_line);
    ps_json_text(json, TRACE_KEY(ARGS_LINE), line);
}

static guint warp_track(const Trace *trace, guint place, guint warp)
{
    return place * trace->per_group + warp;
}

/* A multiple of thousand, so that the number shows the warp. */
static guint warp_thread(const Trace *trace, guint track)
{
    const guint before = THREAD_PIPELINES + trace->answer->gpu->pipelines->len * trace->copies;
    return (before + THREAD_WARPS - 1) / THREAD_WARPS * THREAD_WARPS + track;
}

/* Names a warp, with its role if warps of the kernel have roles. */
static void name_warp(Trace *trace, guint track, guint program)
{
    if (trace->named[0][track])
        return;
    const PsProgram *of = &trace->answer->kernel->programs[program];
    g_autofree char *name =
        of->role ? g_strdup_printf("warp %u, %s", track, ps_deeds_words(ps_role_does(of)))
                 : g_strdup_printf("warp %u", track);
    trace->named[0][track] = TRUE;
    ps_trace_event_name(&trace->file, WARPS, warp_thread(trace, track), TRUE, name);
}

static guint pipeline_track(const Trace *trace, const PsMachineClass *class, guint slot)
{
    return class->pipeline * trace->copies + (class->per_scheduler ? slot % trace->copies : 0);
}

static void name_pipeline(Trace *trace, const PsMachineClass *class, guint track)
{
    if (trace->named[1][track])
        return;
    g_autofree char *pipeline = ps_pipeline_words(trace->answer, class->pipeline);
    g_autofree char *name = class->per_scheduler ? g_strdup_printf("%s of scheduler %u", pipeline,
                                                                   track % trace->copies)
                                                 : g_steal_pointer(&pipeline);
    trace->named[1][track] = TRUE;
    ps_trace_event_name(&trace->file, PIPELINES, THREAD_PIPELINES + track, TRUE, name);
}

/* ---- the bound ----------------------------------------------------------------------------- */

/* Counts a slice at that time; too many end the window. */
static void count_slice(Trace *trace, gint64 time)
{
    if (++trace->slices < trace->most || trace->cut >= 0)
        return;
    trace->cut = MAX(time, trace->from + 1);
    ps_timeline_cut(trace->timeline, trace->cut);
    ps_trace_stages_cut(trace->stages, trace->cut);
}

static gint64 end_of(const Trace *trace)
{
    return trace->cut >= 0 ? MIN(trace->cut, trace->to) : trace->to;
}

/* ---- warps --------------------------------------------------------------------------------- */

static char *title_of(const Trace *trace, const PsTimelineSpan *span)
{
    const char *kind = ps_wait_kind_name(span->kind);
    const gboolean of_class = span->kind == PS_WAIT_DATA || span->kind == PS_WAIT_HOLD;
    if (span->kind == PS_WAIT_ISSUING)
        return g_strdup(node_of(trace, span->program, span->node)->item->name);
    if (!of_class && span->kind != PS_WAIT_QUEUE)
        return g_strdup(kind);
    g_autofree char *name = of_class ? ps_answer_class_words(trace->answer, span->which)
                                     : ps_pipeline_words(trace->answer, span->which);
    return g_strdup_printf("%s: %s", kind, name);
}

static void on_span(void *data, const PsTimelineSpan *span)
{
    static const char *const categories[] = {"issue",   "wait", "queue", "port",
                                             "barrier", "hold", "drain"};
    Trace *trace = data;
    if (span->kind != PS_WAIT_ISSUING && !ps_trace_event_lasts(&trace->file, span->from, span->to))
        return; /* at the window's end, within less than the file's resolution */
    const guint track = warp_track(trace, span->place, span->warp);
    g_autofree char *title = title_of(trace, span);
    const PsTraceEvent event = {.phase = 'X',
                                .name = title,
                                .category = categories[span->kind],
                                .process = WARPS,
                                .thread = warp_thread(trace, track),
                                .from = span->from,
                                .to = span->to};
    name_warp(trace, track, span->program);
    PsJson json = ps_trace_event_begin(&trace->file, &event);
    ps_json_int(&json, TRACE_KEY(ARGS_GROUP), span->group);
    ps_json_int(&json, TRACE_KEY(ARGS_WARP), span->warp);
    if (span->node != G_MAXUINT)
        put_node(trace, &json, span->program, span->node);
    ps_trace_event_end(&trace->file, &json);
    count_slice(trace, span->from);
}

/* Tells the number of resident warps since the latest change, once that instant has passed. */
static void put_resident(Trace *trace, gint64 now)
{
    const PsTraceEvent event = {.phase = 'C',
                                .name = "resident warps",
                                .process = WARPS,
                                .thread = WARPS,
                                .from = MAX(trace->count_at, trace->from)};
    if (now <= trace->count_at || now <= trace->from || trace->counted == trace->resident ||
        trace->count_at > end_of(trace))
        return;
    trace->counted = trace->resident;
    PsJson json = ps_trace_event_begin(&trace->file, &event);
    ps_json_int(&json, TRACE_KEY(ARGS_WARPS), trace->resident * trace->per_group);
    ps_trace_event_end(&trace->file, &json);
}

/* Notes the place of the group. */
static void know_place(const Trace *trace, guint place)
{
    const gint64 *group = &trace->group_at[place];
    g_hash_table_insert(trace->places, g_memdup2(group, sizeof *group),
                        GUINT_TO_POINTER(place + 1));
}

static void on_groups(void *data, gint64 time, gint64 group, guint place, gboolean launched)
{
    Trace *trace = data;
    put_resident(trace, time);
    trace->count_at = time;
    trace->resident += launched ? 1 : -1;
    trace->group_at[place] = launched ? group : -1;
    if (launched && time < end_of(trace))
        know_place(trace, place);
    else if (!launched && time <= trace->from)
        g_hash_table_remove(trace->places, &group);
}

/* ---- pipelines ----------------------------------------------------------------------------- */

/* Doubles the length of parts whenever there are too many. */
static void widen_parts(Trace *trace)
{
    for (guint p = 0; p < trace->answer->gpu->pipelines->len; p++) {
        double *queued = &trace->queued[(gsize)p * QUEUE_PARTS];
        for (guint i = 0; i < QUEUE_PARTS; i++)
            queued[i] = i < QUEUE_PARTS / 2 ? queued[2 * i] + queued[2 * i + 1] : 0;
    }
    trace->part *= 2;
}

static void add_queued(Trace *trace, guint pipeline, gint64 ready, gint64 time)
{
    gint64 at = MAX(ready, trace->from) - trace->from;
    const gint64 to = MIN(time, end_of(trace)) - trace->from;
    while (to > trace->part * QUEUE_PARTS)
        widen_parts(trace);
    while (at < to) {
        const gint64 part = at / trace->part, end = MIN(to, (part + 1) * trace->part);
        trace->queued[pipeline * QUEUE_PARTS + part] += (double)(end - at);
        at = end;
    }
}

static void on_issued(void *data, const PsTimelineIssue *issue)
{
    Trace *trace = data;
    const PsInstance *instance = issue->instance;
    const PsMachineClass *class = class_of(trace, instance->program, instance->node);
    const guint slot = warp_track(trace, issue->place, instance->warp);
    const guint track = pipeline_track(trace, class, slot);
    add_queued(trace, class->pipeline, issue->ready, issue->time);
    if (issue->time >= end_of(trace))
        return;
    const PsTraceEvent event = {.phase = 'X',
                                .name =
                                    node_of(trace, instance->program, instance->node)->item->name,
                                .category = "issue",
                                .process = PIPELINES,
                                .thread = THREAD_PIPELINES + track,
                                .from = issue->time,
                                .to = issue->time + class->issue};
    name_pipeline(trace, class, track);
    PsJson json = ps_trace_event_begin(&trace->file, &event);
    ps_json_int(&json, TRACE_KEY(ARGS_GROUP), issue->group);
    ps_json_int(&json, TRACE_KEY(ARGS_WARP), instance->warp);
    put_node(trace, &json, instance->program, instance->node);
    g_autofree char *queued =
        ps_format_rational(ps_machine_cycles(trace->answer->machine, issue->time - issue->ready));
    ps_json_raw(&json, TRACE_KEY(ARGS_QUEUED_CYCLES), queued);
    ps_trace_event_end(&trace->file, &json);
    count_slice(trace, issue->time);
}

/* Puts a queue's counter up to the last part with something in the queue. */
static void put_queue(Trace *trace, guint pipeline)
{
    g_autofree char *of = ps_pipeline_words(trace->answer, pipeline);
    g_autofree char *name = g_strdup_printf("queue: %s", of);
    double last = 0;
    for (gint64 part = 0; part < QUEUE_PARTS; part++) {
        const double mean = trace->queued[pipeline * QUEUE_PARTS + part] / (double)trace->part;
        const PsTraceEvent event = {.phase = 'C',
                                    .name = name,
                                    .process = PIPELINES,
                                    .thread = PIPELINES,
                                    .from = trace->from + part * trace->part};
        if (mean == last || event.from >= end_of(trace))
            continue;
        PsJson json = ps_trace_event_begin(&trace->file, &event);
        g_autofree char *text = ps_format_plain(mean);
        ps_json_raw(&json, TRACE_KEY(ARGS_WARPS), text);
        ps_trace_event_end(&trace->file, &json);
        last = mean;
    }
}

/* ---- skipped time -------------------------------------------------------------------------- */

/* Groups of all CUs share one numbering (sim/engine/cus.h). */
static void renumber(Trace *trace, const PsSkip *skip)
{
    const PsMachine *machine = trace->answer->machine;
    for (guint place = 0; skip->groups > 0 && place < machine->launch.active_groups; place++)
        if (trace->group_at[place] >= 0) {
            trace->group_at[place] += skip->groups / skip->n_cus * machine->n_cus;
            know_place(trace, place);
        }
}

static void on_skipped(void *data, const PsSkip *skip)
{
    Trace *trace = data;
    const gint64 from = MAX(skip->from, trace->from), to = MIN(skip->to, end_of(trace));
    renumber(trace, skip);
    if (from >= to)
        return;
    g_array_append_val(trace->skips, *skip);
    g_autofree char *period = ps_window_cycles(trace->answer, skip->period);
    g_autofree char *times = ps_format_count(skip->times);
    g_autofree char *title =
        g_strdup_printf("skipped: %s times the %s cycles before", times, period);
    const PsTraceEvent event = {.phase = 'X',
                                .name = title,
                                .category = "skipped",
                                .process = SKIPPED,
                                .thread = THREAD_SKIPPED,
                                .from = from,
                                .to = to};
    PsJson json = ps_trace_event_begin(&trace->file, &event);
    ps_json_int(&json, TRACE_KEY(ARGS_GROUPS), skip->groups / skip->n_cus);
    ps_json_int(&json, TRACE_KEY(ARGS_INSTRUCTIONS), skip->instructions / skip->n_cus);
    ps_trace_event_end(&trace->file, &json);
    count_slice(trace, from);
}

/* ---- the critical path --------------------------------------------------------------------- */

static gboolean is_skipped(const Trace *trace, gint64 time)
{
    guint low = 0, high = trace->skips->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(trace->skips, PsSkip, middle).to <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low < trace->skips->len && g_array_index(trace->skips, PsSkip, low).from <= time;
}

/* The end of an arrow: the issue with which a stretch begins. FALSE: it is not in the trace. */
static gboolean find_end(const Trace *trace, const PsPathStretch *stretch, PsTraceEvent *event)
{
    const PsInstance *instance = &stretch->instance;
    gconstpointer place = g_hash_table_lookup(trace->places, &instance->of.group);
    if (instance->node == G_MAXUINT || !place || stretch->from < trace->from ||
        stretch->from >= end_of(trace) || is_skipped(trace, stretch->from))
        return FALSE;
    const PsMachineClass *class = class_of(trace, instance->program, instance->node);
    const guint slot = warp_track(trace, GPOINTER_TO_UINT(place) - 1, instance->warp);
    event->thread = THREAD_PIPELINES + pipeline_track(trace, class, slot);
    event->from = stretch->from;
    return TRUE;
}

static void put_arrow(Trace *trace, const PsPathStretch *before, const PsPathStretch *after,
                      guint64 flow)
{
    PsTraceEvent start = {.phase = 's',
                          .name = "critical path",
                          .category = "critical",
                          .process = PIPELINES,
                          .flow = flow};
    PsTraceEvent end = start;
    end.phase = 'f';
    if (!find_end(trace, before, &start) || !find_end(trace, after, &end))
        return;
    PsJson json = ps_trace_event_begin(&trace->file, &start);
    ps_json_text(&json, TRACE_KEY(ARGS_OF), ps_path_kind_name(before->kind));
    ps_trace_event_end(&trace->file, &json);
    json = ps_trace_event_begin(&trace->file, &end);
    ps_trace_event_end(&trace->file, &json);
}

/* There are no more arrows than slices of pipelines. */
static void put_arrows(Trace *trace, PsPath *path, gint64 ticks)
{
    g_autoptr(GArray) stretches =
        ps_path_stretches(path, ticks, trace->from, end_of(trace), (guint)trace->most);
    for (guint i = 1; i < stretches->len; i++) {
        const PsPathStretch *before = &g_array_index(stretches, PsPathStretch, i - 1);
        const PsPathStretch *after = &g_array_index(stretches, PsPathStretch, i);
        if (before->from < after->from && before->to == after->from)
            put_arrow(trace, before, after, i);
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean simulate(Trace *trace, const PsTraceAsk *ask, GError **error)
{
    const PsMachine *machine = trace->answer->machine;
    const PsTimelineSink sink = {trace, on_span, on_issued, on_groups, on_skipped};
    g_autoptr(PsTimeline) timeline = ps_timeline_new(machine, trace->from, trace->to, &sink);
    g_autoptr(PsPath) path = ps_path_new(machine);
    g_autoptr(PsTraceStages) stages = ps_trace_stages_new(trace->answer, trace->from, trace->to);
    PsListener listeners[3] = {ps_timeline_listener(timeline), ps_path_listener(path)};
    PsSimOptions run = {.listeners = listeners,
                        .n_listeners = ps_trace_stages_listener(stages, &listeners[2]) ? 3 : 2,
                        .no_fast_forward = ask->no_fast_forward,
                        .precision = trace->answer->precision};
    PsSimResult result;
    trace->timeline = timeline;
    trace->stages = stages;
    if (ask->window.given)
        ps_window_make_whole(trace->answer, trace->from, trace->to, &run);
    if (!ps_sim_run(machine, &run, &result, error))
        return FALSE;
    put_resident(trace, G_MAXINT64);
    for (guint p = 0; p < trace->answer->gpu->pipelines->len; p++)
        put_queue(trace, p);
    ps_trace_stages_put(stages, &trace->file, WARPS);
    put_arrows(trace, path, result.ticks);
    return TRUE;
}

/* Tells that the trace ends before its window (g_free); NULL: it does not. */
static char *cut_text(const Trace *trace)
{
    if (trace->cut < 0 || trace->cut >= trace->to)
        return NULL;
    g_autofree char *slices = ps_format_count((gint64)trace->most);
    g_autofree char *cut = ps_window_cycles(trace->answer, trace->cut);
    return g_strdup_printf("after %s slices the trace ends, at cycle %s", slices, cut);
}

static void trace_init(Trace *trace, const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const guint pipelines = MAX(answer->gpu->pipelines->len, 1);
    trace->answer = trace->file.answer = answer;
    trace->file.text = g_string_new(NULL);
    trace->cut = -1;
    trace->per_group = (guint)machine->launch.warps_per_group;
    trace->copies = (guint)MAX(machine->refinements.schedulers, 1);
    trace->named[0] = g_new0(gboolean, machine->launch.active_groups * trace->per_group + 1);
    trace->named[1] = g_new0(gboolean, (gsize)pipelines * trace->copies);
    trace->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    trace->queued = g_new0(double, QUEUE_PARTS *(gsize)pipelines);
    trace->part = machine->ticks_per_cycle;
    trace->skips = g_array_new(FALSE, FALSE, sizeof(PsSkip));
    trace->group_at = g_new(gint64, machine->launch.active_groups + 1);
    memset(trace->group_at, 0xff, (gsize)machine->launch.active_groups * sizeof(gint64));
}

static void trace_clear(Trace *trace)
{
    g_string_free(trace->file.text, TRUE);
    g_clear_error(&trace->file.error);
    g_free(trace->named[0]);
    g_free(trace->named[1]);
    g_hash_table_unref(trace->places);
    g_array_unref(trace->skips);
    g_free(trace->queued);
    g_free(trace->group_at);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Trace, trace_clear)

/* Viewers show microseconds: each process's name says what these are. */
static void name_process(Trace *trace, guint process, const char *what)
{
    g_autofree char *origin = ps_window_cycles(trace->answer, trace->file.origin);
    g_autofree char *name = g_strdup_printf(
        "%s (1 us is %" G_GUINT64_FORMAT " cycle%s%s%s)", what, (guint64)1 << trace->file.shift,
        trace->file.shift ? "s" : "", trace->file.origin ? ", from cycle " : "",
        trace->file.origin ? origin : "");
    ps_trace_event_name(&trace->file, process, process, FALSE, name);
}

static gboolean fill(Trace *trace, const PsTraceAsk *ask, GError **error)
{
    ps_trace_event_scale(&trace->file, trace->from, trace->to);
    name_process(trace, WARPS, "warps of CU 0");
    name_process(trace, PIPELINES, "pipelines of CU 0");
    name_process(trace, SKIPPED, "skipped time");
    ps_trace_event_name(&trace->file, SKIPPED, THREAD_SKIPPED, TRUE, "skipped");
    if (!simulate(trace, ask, error))
        return FALSE;
    g_string_append(trace->file.text, "\n]\n");
    if (ps_trace_file_flush(&trace->file))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&trace->file.error));
    return FALSE;
}

gboolean ps_trace_write(const PsAnswer *answer, const PsTraceAsk *ask, PsTraceWriter write,
                        gpointer data, char **cut, GError **error)
{
    g_auto(Trace) trace = {.cut = -1};
    trace_init(&trace, answer);
    trace.file.write = write;
    trace.file.data = data;
    trace.most = ask->window.given ? MOST_ASKED : MOST_USUAL;
    if (!ps_window_place(&ask->window, answer, &trace.from, &trace.to, error) ||
        !fill(&trace, ask, error))
        return FALSE;
    *cut = cut_text(&trace);
    return TRUE;
}
