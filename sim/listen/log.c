/* SPDX-License-Identifier: BSD-3-Clause */
/* Events arrive in order of time only per pipeline and kind. So they are collected first, and
 * become text when the log is read. */
#include "sim/listen/log.h"

/* Kinds of lines, in the order in which they stand within an instant. */
typedef enum { SKIPPED, COMPLETED, FINISHED, LAUNCHED, ISSUED } Kind;

typedef struct {
    gint64 time;
    gint64 ready; /* of ISSUED */
    Kind kind;
    union {
        PsInstance instance; /* on one CU; of a group only cu and group are set */
        PsSkip skip;         /* of SKIPPED */
    } of;
} Event;

struct PsLog {
    const PsMachine *machine;
    GArray *events; /* Event */
    GString *text;
};

PsLog *ps_log_new(const PsMachine *machine)
{
    PsLog *log = g_new(PsLog, 1);
    *log = (PsLog){machine, g_array_new(FALSE, FALSE, sizeof(Event)), g_string_new(NULL)};
    return log;
}

void ps_log_free(PsLog *log)
{
    if (!log)
        return;
    g_array_unref(log->events);
    g_string_free(log->text, TRUE);
    g_free(log);
}

/* ---- listening ----------------------------------------------------------------------------- */

/* Records the event once for each of its CUs. */
static void hear(const PsLog *log, Event event)
{
    PsGroups *of = &event.of.instance.of;
    for (; of->n_cus > 0; of->n_cus--, of->cu++, of->group += of->step)
        g_array_append_val(log->events, event);
}

static void hear_groups(const PsLog *log, Kind kind, gint64 time, const PsGroups *groups)
{
    Event event = {.time = time, .kind = kind};
    event.of.instance = (PsInstance){.of = *groups};
    hear(log, event);
}

static void on_launched(void *self, gint64 time, const PsGroups *groups)
{
    hear_groups(self, LAUNCHED, time, groups);
}

static void on_finished(void *self, gint64 time, const PsGroups *groups)
{
    hear_groups(self, FINISHED, time, groups);
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    hear(self, (Event){.time = time, .ready = ready, .kind = ISSUED, .of.instance = *instance});
}

static void on_completed(void *self, gint64 time, const PsInstance *instance)
{
    hear(self, (Event){.time = time, .kind = COMPLETED, .of.instance = *instance});
}

static void on_skipped(void *self, const PsSkip *skip)
{
    const PsLog *log = self;
    const Event event = {.time = skip->from, .kind = SKIPPED, .of.skip = *skip};
    g_array_append_val(log->events, event);
}

PsListener ps_log_listener(PsLog *log)
{
    return (PsListener){.self = log,
                        .launched = on_launched,
                        .issued = on_issued,
                        .completed = on_completed,
                        .finished = on_finished,
                        .skipped = on_skipped};
}

/* ---- order --------------------------------------------------------------------------------- */

static int compare(gint64 a, gint64 b)
{
    return (a > b) - (a < b);
}

static int compare_instances(const PsInstance *a, const PsInstance *b)
{
    int order = compare(a->of.cu, b->of.cu);
    order = order != 0 ? order : compare(a->of.group, b->of.group);
    order = order != 0 ? order : compare(a->warp, b->warp);
    return order != 0 ? order : compare(a->position, b->position);
}

static int compare_events(const void *a, const void *b)
{
    const Event *x = a, *y = b;
    int order = compare(x->time, y->time);
    order = order != 0 ? order : compare(x->kind, y->kind);
    if (order != 0)
        return order;
    if (x->kind == SKIPPED)
        return compare(x->of.skip.cu, y->of.skip.cu);
    return compare_instances(&x->of.instance, &y->of.instance);
}

/* ---- text ---------------------------------------------------------------------------------- */

static char *format_time(const PsLog *log, gint64 time)
{
    return ps_rational_format(ps_machine_cycles(log->machine, time));
}

static void write_skip(const PsLog *log, const PsSkip *skip)
{
    g_autofree char *from = format_time(log, skip->from);
    g_autofree char *to = format_time(log, skip->to);
    g_autofree char *period = format_time(log, skip->period);
    g_string_append_printf(log->text, "%-10s %-9s ", "...", "skipped");
    if (log->machine->n_cus > 1)
        g_string_append_printf(log->text, "CU %u ", skip->cu);
    if (skip->n_cus > 1)
        g_string_append_printf(log->text, "to %u ", skip->cu + skip->n_cus - 1);
    g_string_append_printf(log->text, "from %s to %s: ", from, to);
    if (skip->times > 1)
        g_string_append_printf(log->text, "%" G_GINT64_FORMAT " times ", skip->times);
    g_string_append_printf(log->text, "the %s cycles before%s\n", period,
                           skip->times > 1 ? "" : " again");
}

static void write_instance(const PsLog *log, const PsInstance *instance)
{
    const PsProgram *program = &log->machine->kernel->programs[instance->program];
    g_string_append_printf(log->text, " warp %u %s[%" G_GINT64_FORMAT "]", instance->warp,
                           program->nodes[instance->node].item->name, instance->position);
}

static void write_event(const PsLog *log, const Event *event)
{
    static const char *const words[] = {
        [COMPLETED] = "complete", [FINISHED] = "done", [LAUNCHED] = "launch", [ISSUED] = "issue"};
    const PsInstance *instance = &event->of.instance;
    g_autofree char *time = format_time(log, event->time);
    g_string_append_printf(log->text, "%-10s %-9s ", time, words[event->kind]);
    if (log->machine->n_cus > 1)
        g_string_append_printf(log->text, "CU %u ", instance->of.cu);
    g_string_append_printf(log->text, "group %" G_GINT64_FORMAT, instance->of.group);
    if (event->kind == COMPLETED || event->kind == ISSUED)
        write_instance(log, instance);
    if (event->kind == ISSUED) {
        g_autofree char *ready = format_time(log, event->ready);
        g_string_append_printf(log->text, " ready %s", ready);
    }
    g_string_append_c(log->text, '\n');
}

const char *ps_log_text(const PsLog *log)
{
    g_array_sort(log->events, compare_events);
    g_string_truncate(log->text, 0);
    for (guint i = 0; i < log->events->len; i++) {
        const Event *event = &g_array_index(log->events, Event, i);
        if (event->kind == SKIPPED)
            write_skip(log, &event->of.skip);
        else
            write_event(log, event);
    }
    return log->text->str;
}
