/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace-stages.h. Changes do not arrive in order of time, so they are kept and sorted. */
#include "tell/trace-stages.h"

#include "tell/format.h"
#include "tell/words.h"

#include <math.h>
#include <string.h>

/* Fillings of a counter are rounded to this fraction, since sums of parts are not exact. */
#define PARTS 1e6

struct PsTraceStages {
    const PsAnswer *answer;
    GPtrArray *rings;
    PsStages *stages;
    gint64 from, to;
    GArray *changes;                     /* PsStageChange within the window */
    double (*before)[PS_STAGE_N_STATES]; /* [ring]: its states when the window begins */
};

static void on_change(void *data, const PsStageChange *change)
{
    PsTraceStages *stages = data;
    if (change->time <= stages->from)
        stages->before[change->ring][change->state] += change->fillings;
    else if (change->time < stages->to)
        g_array_append_vals(stages->changes, change, 1);
}

PsTraceStages *ps_trace_stages_new(const PsAnswer *answer, gint64 from, gint64 to)
{
    PsTraceStages *stages = g_new0(PsTraceStages, 1);
    const PsMachine *machine = answer->machine;
    stages->answer = answer;
    stages->rings = ps_rings_new(machine->kernel, machine->launch.warps_per_group);
    stages->stages = ps_stages_new(machine, stages->rings);
    stages->from = from;
    stages->to = to;
    stages->before = g_malloc0_n(stages->rings->len + 1, sizeof *stages->before);
    stages->changes = g_array_new(FALSE, FALSE, sizeof(PsStageChange));
    ps_stages_watch(stages->stages, on_change, stages);
    return stages;
}

void ps_trace_stages_free(PsTraceStages *stages)
{
    if (!stages)
        return;
    ps_stages_free(stages->stages);
    g_ptr_array_unref(stages->rings);
    g_array_unref(stages->changes);
    g_free(stages->before);
    g_free(stages);
}

void ps_trace_stages_cut(PsTraceStages *stages, gint64 to)
{
    stages->to = MIN(stages->to, to);
}

gboolean ps_trace_stages_listener(const PsTraceStages *stages, PsListener *listener)
{
    *listener = ps_stages_listener(stages->stages);
    return stages->rings->len > 0;
}

/* ---- writing ------------------------------------------------------------------------------- */

static int by_time(gconstpointer a, gconstpointer b)
{
    const PsStageChange *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->ring > y->ring) - (x->ring < y->ring);
}

/* "stages at mmul.cu:37", or "stages 2". */
static char *name_of(const PsTraceStages *stages, guint ring)
{
    const PsRing *of = stages->rings->pdata[ring];
    g_autofree char *place =
        ps_near_words(stages->answer, of->producer, g_array_index(of->copies, PsRingCopy, 0).node);
    return *place ? g_strdup_printf("stages %u: %s", ring, place)
                  : g_strdup_printf("stages %u", ring);
}

static void put_number(PsJson *json, const char *key, double fillings)
{
    g_autofree char *text = ps_format_plain(fabs(round(fillings * PARTS) / PARTS));
    ps_json_raw(json, key, text);
}

typedef struct {
    const PsTraceStages *stages;
    PsTraceFile *file;
    guint track, ring;
    double there[PS_STAGE_N_STATES];
} Counter;

static void put_counter(const Counter *counter, const char *name, gint64 time)
{
    const PsRing *ring = counter->stages->rings->pdata[counter->ring];
    const PsTraceEvent event = {.phase = 'C',
                                .name = name,
                                .process = counter->track,
                                .thread = counter->track,
                                .from = time};
    PsJson json = ps_trace_event_begin(counter->file, &event);
    put_number(&json, TRACE_KEY(ARGS_UNDER_WAY), counter->there[PS_STAGE_UNDER_WAY]);
    put_number(&json, TRACE_KEY(ARGS_FULL), counter->there[PS_STAGE_FULL]);
    if (ring->givers > 0)
        put_number(&json, TRACE_KEY(ARGS_IN_USE), counter->there[PS_STAGE_IN_USE]);
    ps_trace_event_end(counter->file, &json);
}

static void put_ring(Counter *counter)
{
    const PsTraceStages *stages = counter->stages;
    g_autofree char *name = name_of(stages, counter->ring);
    gint64 time = stages->from;
    memcpy(counter->there, stages->before[counter->ring], sizeof counter->there);
    for (guint i = 0; i < stages->changes->len; i++) {
        const PsStageChange *change = &g_array_index(stages->changes, PsStageChange, i);
        if (change->ring != counter->ring || change->time >= stages->to)
            continue;
        if (change->time > time)
            put_counter(counter, name, time);
        time = change->time;
        counter->there[change->state] += change->fillings;
    }
    put_counter(counter, name, time);
}

void ps_trace_stages_put(const PsTraceStages *stages, PsTraceFile *file, guint track)
{
    g_array_sort(stages->changes, by_time);
    for (guint r = 0; r < stages->rings->len; r++) {
        Counter counter = {.stages = stages, .file = file, .track = track, .ring = r};
        put_ring(&counter);
    }
}
