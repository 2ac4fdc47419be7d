/* SPDX-License-Identifier: BSD-3-Clause */
/* See compiler.h. */
#include "cli/bench/compiler.h"

#include "cli/bench/measure.h"
#include "cli/fail.h"
#include "cli/report/paper.h"
#include "pipesim-private.h"
#include "cli/system/draft.h"
#include "cli/system/output.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *architecture; /* "sm_90" */
    const char *output;       /* where the family is */
    char *compiler;           /* "ptxas 13.0.88" */
    PsSchedule *schedule;
    PsGpu *gpu;
} Work;

static void work_clear(Work *work)
{
    g_free(work->compiler);
    ps_schedule_free(work->schedule);
    ps_gpu_free(work->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Work, work_clear)

static gboolean assemble(Work *work, GError **error)
{
    const PsCodeOptions options = {.host.tools = &draft_host, .prefix = "--"};
    g_autofree char *version = NULL, *ptx = ps_schedule_source(work->architecture, error);
    g_autoptr(GBytes) cubin =
        ptx ? ps_toolchain_make_cubin(&options, ptx, work->architecture, &version, error) : NULL;
    work->schedule = cubin ? ps_schedule_read(cubin, work->architecture, error) : NULL;
    work->compiler = work->schedule ? ps_toolchain_name_ptxas(&draft_host, error) : NULL;
    work->gpu = work->compiler ? ps_schedule_describe(work->schedule, work->compiler, error) : NULL;
    return work->gpu != NULL;
}

/* ---- for people ---------------------------------------------------------------------------- */

/* "4"; "(4)" of what is not the class's; "-" where there is none (g_free). */
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

/* What is in parentheses. */
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

static void report_text(const Work *work, const PsPaper *paper)
{
    g_autofree char *title =
        g_strdup_printf("%s, by the stall counts of %s", work->architecture, work->compiler);
    g_autofree char *family =
        g_strconcat(work->output, work->schedule->family ? ", which extends " : NULL,
                    work->schedule->family, NULL);
    ps_paper_title(paper, title, "");
    put_classes(work->schedule, paper);
    put_notes(work->schedule, paper);
    put_forwards(work->schedule, paper);
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

static void tell_schedule(const Work *work, PsTold *facts)
{
    const PsSchedule *schedule = work->schedule;
    ps_tell(facts, PS_FACT_SCHEDULE_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_SCHEDULE_ARCHITECTURE, work->architecture);
    ps_tell(facts, PS_FACT_SCHEDULE_COMPILER, work->compiler);
    ps_tell(facts, PS_FACT_SCHEDULE_FAMILY, work->output);
    ps_tell(facts, PS_FACT_SCHEDULE_EXTENDS, schedule->family);
    ps_tell_open(facts, PS_FACT_SCHEDULE_CLASSES);
    for (guint i = 0; i < schedule->classes->len; i++)
        tell_class(&g_array_index(schedule->classes, PsScheduled, i), facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_SCHEDULE_FORWARDS);
    for (guint i = 0; i < schedule->forwards->len; i++)
        tell_forward(&g_array_index(schedule->forwards, PsForward, i), facts);
    ps_tell_close(facts);
}

static char *report(const Work *work, const Options *options)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    g_autoptr(PsTold) facts = ps_told_new();
    tell_schedule(work, facts);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else
        report_text(work, &paper);
    return g_string_free(out, FALSE);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* The family goes first: whoever reads the report has it. Both to one stream would be neither. */
static gboolean write_all(const Work *work, const Options *options, GError **error)
{
    g_autofree char *family = ps_gpu_write_family(work->gpu, work->schedule->family);
    g_autofree char *text = report(work, options);
    return output_write(work->output, family, error) &&
           (strcmp(work->output, "-") == 0 || output_write(NULL, text, error));
}

int bench_compiler(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *usual = g_strconcat("ptxas-", options->bench.compiler, ".xml", NULL);
    g_auto(Work) work = {.architecture = options->bench.compiler,
                         .output = options->output ? options->output : usual};
    if (bench_check_absent(&options->bench, work.output, &error) && assemble(&work, &error) &&
        write_all(&work, options, &error))
        return EXIT_SUCCESS;
    return fail(error);
}
