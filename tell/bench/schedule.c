/* SPDX-License-Identifier: BSD-3-Clause */
/* See schedule.h. */
#include "tell/bench/schedule.h"

#include "tell/table.h"

/* ---- for people ---------------------------------------------------------------------------- */

/* "4"; "(4)" if the wait is not the class's own; "-" if there is none (g_free). */
static char *format_wait(gint64 cycles, gboolean known)
{
    return cycles <= 0
               ? g_strdup("-")
               : g_strdup_printf(known ? "%" G_GINT64_FORMAT : "(%" G_GINT64_FORMAT ")", cycles);
}

static char *format_completion(const PsScheduled *class)
{
    return class->by == PS_SCHEDULED_SCOREBOARD
               ? g_strdup("scoreboard")
               : format_wait(class->completion, class->by == PS_SCHEDULED_FIXED);
}

static void put_classes(const PsSchedule *schedule, const PsPaper *paper)
{
    g_autoptr(PsTable) table = ps_table_new("lrrl");
    static const char *const heads[] = {"", "lambda", "Lambda", "instructions"};
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        ps_table_add(table, g_strdup(heads[i]));
    for (guint i = 0; i < schedule->classes->len; i++) {
        const PsScheduled *class = &g_array_index(schedule->classes, PsScheduled, i);
        if (class->by == PS_SCHEDULED_ABSENT)
            continue;
        ps_table_add(table, g_strdup(class->class_name));
        ps_table_add(table, format_wait(class->issue, class->by == PS_SCHEDULED_FIXED));
        ps_table_add(table, format_completion(class));
        ps_table_add(table, g_strdup(class->instructions));
    }
    ps_paper_heading(paper, "Classes (cycles; lambda per scheduler)");
    ps_paper_table(paper, table, 2);
}

/* Explains parentheses. */
static void put_notes(const PsSchedule *schedule, const PsPaper *paper)
{
    gboolean scoreboard = FALSE, borrowed = FALSE;
    for (guint i = 0; i < schedule->classes->len; i++) {
        const PsScheduled *class = &g_array_index(schedule->classes, PsScheduled, i);
        scoreboard |= class->by == PS_SCHEDULED_SCOREBOARD;
        borrowed |= class->by == PS_SCHEDULED_BORROWED;
    }
    if (scoreboard)
        ps_paper_text(
            paper, "  ",
            "scoreboard: hardware decides when the result is there, and how often such an "
            "instruction starts; in parentheses what the assembler leaves at least");
    if (borrowed)
        ps_paper_text(paper, "  ",
                      "In parentheses, too: the schedule of sm_80, which the assembler takes for "
                      "these pipelines, whatever the chip has");
}

static void put_forwards(const PsSchedule *schedule, const PsPaper *paper)
{
    ps_paper_heading(paper, "From one instruction to another that needs its result (cycles)");
    for (guint i = 0; i < schedule->forwards->len; i++) {
        const PsForward *forward = &g_array_index(schedule->forwards, PsForward, i);
        g_autofree char *line =
            g_strdup_printf("  %2" G_GINT64_FORMAT "  %s (%s, %s)", forward->cycles, forward->what,
                            forward->from, forward->to);
        ps_paper_line(paper, line);
    }
}

void ps_schedule_text(const PsScheduleReport *report, const PsPaper *paper)
{
    g_autofree char *title =
        g_strdup_printf("%s, by the stall counts of %s", report->architecture, report->compiler);
    g_autofree char *family =
        g_strconcat(report->output, report->schedule->family ? ", which extends " : NULL,
                    report->schedule->family, NULL);
    ps_paper_title(paper, title, "");
    put_classes(report->schedule, paper);
    put_notes(report->schedule, paper);
    put_forwards(report->schedule, paper);
    ps_paper_gap(paper);
    ps_paper_text(paper, "Family        ", family);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void tell_class(const PsScheduled *class, PsTold *facts)
{
    static const char *const by[] = {[PS_SCHEDULED_FIXED] = "assembler",
                                     [PS_SCHEDULED_SCOREBOARD] = "scoreboard",
                                     [PS_SCHEDULED_BORROWED] = "sm_80",
                                     [PS_SCHEDULED_ABSENT] = NULL};
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SCHEDULE_CLASSES_CLASS, class->class_name);
    ps_tell(facts, PS_FACT_SCHEDULE_CLASSES_BY, by[class->by]);
    ps_tell_positive(facts, PS_FACT_SCHEDULE_CLASSES_ISSUE, class->issue);
    ps_tell_positive(facts, PS_FACT_SCHEDULE_CLASSES_COMPLETION, class->completion);
    ps_tell(facts, PS_FACT_SCHEDULE_CLASSES_INSTRUCTIONS, class->instructions);
    ps_tell_close(facts);
}

static void tell_forward(const PsForward *forward, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SCHEDULE_FORWARDS_WHAT, forward->what);
    ps_tell(facts, PS_FACT_SCHEDULE_FORWARDS_FROM, forward->from);
    ps_tell(facts, PS_FACT_SCHEDULE_FORWARDS_TO, forward->to);
    ps_tell(facts, PS_FACT_SCHEDULE_FORWARDS_CYCLES, forward->cycles);
    ps_tell_close(facts);
}

PsTold *ps_schedule_told(const PsScheduleReport *report)
{
    PsTold *facts = ps_told_new();
    const PsSchedule *schedule = report->schedule;
    ps_tell(facts, PS_FACT_SCHEDULE_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_SCHEDULE_ARCHITECTURE, report->architecture);
    ps_tell(facts, PS_FACT_SCHEDULE_COMPILER, report->compiler);
    ps_tell(facts, PS_FACT_SCHEDULE_FAMILY, report->output);
    ps_tell(facts, PS_FACT_SCHEDULE_EXTENDS, schedule->family);
    ps_tell_open(facts, PS_FACT_SCHEDULE_CLASSES);
    for (guint i = 0; i < schedule->classes->len; i++)
        tell_class(&g_array_index(schedule->classes, PsScheduled, i), facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_SCHEDULE_FORWARDS);
    for (guint i = 0; i < schedule->forwards->len; i++)
        tell_forward(&g_array_index(schedule->forwards, PsForward, i), facts);
    ps_tell_close(facts);
    return facts;
}
