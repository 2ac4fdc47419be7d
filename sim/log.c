/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/log.h"

struct PsLog {
    const PsMachine *machine;
    GString *text;
};

PsLog *ps_log_new(const PsMachine *machine)
{
    PsLog *log = g_new(PsLog, 1);
    *log = (PsLog){machine, g_string_new(NULL)};
    return log;
}

void ps_log_free(PsLog *log)
{
    if (log == NULL)
        return;
    g_string_free(log->text, TRUE);
    g_free(log);
}

static void append(PsLog *log, gint64 time, const char *event, gint64 group)
{
    g_autofree char *cycles = ps_rational_format(ps_machine_cycles(log->machine, time));
    g_string_append_printf(log->text, "%-10s %-9s group %" G_GINT64_FORMAT, cycles, event, group);
}

static void append_instance(PsLog *log, gint64 time, const char *event, const PsInstance *instance)
{
    const PsProgram *program = &log->machine->kernel->programs[instance->program];
    append(log, time, event, instance->group);
    g_string_append_printf(log->text, " warp %u %s[%" G_GINT64_FORMAT "]", instance->warp,
                           program->nodes[instance->node].item->name, instance->position);
}

static void on_launched(void *self, gint64 time, guint cu, gint64 group)
{
    (void)cu;
    PsLog *log = self;
    append(log, time, "launch", group);
    g_string_append_c(log->text, '\n');
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    PsLog *log = self;
    g_autofree char *cycles = ps_rational_format(ps_machine_cycles(log->machine, ready));
    append_instance(log, time, "issue", instance);
    g_string_append_printf(log->text, " ready %s\n", cycles);
}

static void on_completed(void *self, gint64 time, const PsInstance *instance)
{
    PsLog *log = self;
    append_instance(log, time, "complete", instance);
    g_string_append_c(log->text, '\n');
}

static void on_finished(void *self, gint64 time, guint cu, gint64 group)
{
    (void)cu;
    PsLog *log = self;
    append(log, time, "done", group);
    g_string_append_c(log->text, '\n');
}

PsListener ps_log_listener(PsLog *log)
{
    return (PsListener){.self = log,
                        .launched = on_launched,
                        .issued = on_issued,
                        .completed = on_completed,
                        .finished = on_finished};
}

const char *ps_log_text(const PsLog *log)
{
    return log->text->str;
}
