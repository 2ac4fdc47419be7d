/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the part of a description that follows from a schedule: classes, their pipelines, their
 * source. */
#include "latency-bench/schedule.h"

#include "latency-bench/describe/describe.h"
#include "latency-bench/schedule/probe.h"

#include <string.h>

static const PsScheduled *find(const PsSchedule *schedule, const char *class_name)
{
    for (guint i = 0; i < schedule->classes->len; i++) {
        const PsScheduled *class = &g_array_index(schedule->classes, PsScheduled, i);
        if (strcmp(class->class_name, class_name) == 0 && class->by == PS_SCHEDULED_FIXED)
            return class;
    }
    return NULL;
}

static void add_class(PsGpu *gpu, const char *name, const char *unit, gint64 issue,
                      gint64 completion, const char *source)
{
    PsClass *class = ps_gpu_add_class(gpu, name);
    class->pipeline = ps_describe_pipeline(gpu, unit, TRUE);
    class->latency = (PsLatency){PS_RATIONAL_INT(issue), PS_RATIONAL_INT(completion)};
    class->source = g_strdup(source);
}

/* Adds the class of a loop: an addition and a comparison, whose predicate guards a branch. */
static void add_loop(PsGpu *gpu, const PsSchedule *schedule, const char *source)
{
    const PsScheduled *add = find(schedule, "iadd"), *compare = find(schedule, "isetp");
    for (guint i = 0; add && compare && i < schedule->forwards->len; i++) {
        const PsForward *forward = &g_array_index(schedule->forwards, PsForward, i);
        if (strstr(forward->what, "guards"))
            add_class(gpu, "loop", "int", add->issue + compare->issue,
                      add->completion + forward->cycles, source);
    }
}

static char *source_text(const PsSchedule *schedule, const char *compiler)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(
        text,
        "Stall counts in chains that %s assembled for compute capability %d.%d. Issue: cycles "
        "of a scheduler from one instruction to the next that does not wait for it; completion: to "
        "the next that does. A loop is an addition and a comparison, whose predicate guards a "
        "branch. Instructions:",
        compiler, schedule->capability / 10, schedule->capability % 10);
    for (guint i = 0; i < schedule->classes->len; i++) {
        const PsScheduled *class = &g_array_index(schedule->classes, PsScheduled, i);
        if (class->by == PS_SCHEDULED_FIXED)
            g_string_append_printf(text, " %s: %s;", class->class_name, class->instructions);
    }
    text->str[text->len - 1] = '.';
    return g_string_free(text, FALSE);
}

PsGpu *ps_schedule_describe(const PsSchedule *schedule, const char *compiler, GError **error)
{
    g_autofree char *id = g_strdup_printf("sm%d-stalls", schedule->capability);
    g_autoptr(PsGpu) gpu = ps_gpu_new("ptxas");
    for (guint i = 0; i < ps_n_probes; i++) {
        const PsProbe *probe = &ps_probes[i];
        const PsScheduled *class = probe->unit ? find(schedule, probe->name) : NULL;
        if (class)
            add_class(gpu, probe->name, probe->unit, class->issue, class->completion, id);
    }
    add_loop(gpu, schedule, id);
    if (!gpu->classes->len) {
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){0},
                    "not a single class has a fixed latency in what %s made for sm_%d", compiler,
                    schedule->capability);
        return NULL;
    }
    PsSource *source = g_new0(PsSource, 1);
    *source = (PsSource){g_strdup(id), PS_SOURCE_DERIVED, source_text(schedule, compiler), NULL};
    g_ptr_array_add(gpu->sources, source);
    for (guint i = 0; i < gpu->pipelines->len; i++)
        ((PsPipeline *)gpu->pipelines->pdata[i])->source = g_strdup(id);
    return g_steal_pointer(&gpu);
}
