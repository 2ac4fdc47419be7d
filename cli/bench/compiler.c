/* SPDX-License-Identifier: BSD-3-Clause */
/* See compiler.h. */
#include "cli/bench/compiler.h"

#include "cli/bench/measure.h"
#include "cli/fail.h"
#include "cli/report/table.h"
#include "cli/system/draft.h"
#include "cli/system/output.h"
#include "pipesim-private.h"

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

static void put_classes(const PsSchedule *schedule, GString *out)
{
    g_autoptr(Table) table = table_new("lrrl");
    static const char *const heads[] = {"", "lambda", "Lambda", "instructions"};
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        table_add(table, g_strdup(heads[i]));
    for (guint i = 0; i < schedule->classes->len; i++) {
        const PsScheduled *class = &g_array_index(schedule->classes, PsScheduled, i);
        if (class->by == PS_SCHEDULED_ABSENT)
            continue;
        table_add(table, g_strdup(class->class_name));
        table_add(table, format_wait(class->issue, class->by == PS_SCHEDULED_FIXED));
        table_add(table, format_completion(class));
        table_add(table, g_strdup(class->instructions));
    }
    g_string_append(out, "\nClasses (cycles; lambda per scheduler)\n");
    table_print(table, 2, out);
}

/* What is in parentheses. */
static void put_notes(const PsSchedule *schedule, GString *out)
{
    gboolean scoreboard = FALSE, borrowed = FALSE;
    for (guint i = 0; i < schedule->classes->len; i++) {
        const PsScheduled *class = &g_array_index(schedule->classes, PsScheduled, i);
        scoreboard |= class->by == PS_SCHEDULED_SCOREBOARD;
        borrowed |= class->by == PS_SCHEDULED_BORROWED;
    }
    if (scoreboard)
        wrap_text(out, "  ",
                  "scoreboard: hardware decides when the result is there, and how often such an "
                  "instruction starts; in parentheses what the assembler leaves at least");
    if (borrowed)
        wrap_text(out, "  ",
                  "In parentheses, too: the schedule of sm_80, which the assembler takes for "
                  "these pipelines, whatever the chip has");
}

static void put_forwards(const PsSchedule *schedule, GString *out)
{
    g_string_append(out, "\nFrom one instruction to another that needs its result (cycles)\n");
    for (guint i = 0; i < schedule->forwards->len; i++) {
        const PsForward *forward = &g_array_index(schedule->forwards, PsForward, i);
        g_string_append_printf(out, "  %2" G_GINT64_FORMAT "  %s (%s, %s)\n", forward->cycles,
                               forward->what, forward->from, forward->to);
    }
}

static char *report_text(const Work *work)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s, by the stall counts of %s\n", work->architecture,
                           work->compiler);
    put_classes(work->schedule, out);
    put_notes(work->schedule, out);
    put_forwards(work->schedule, out);
    g_string_append_printf(out, "\nFamily        %s%s%s\n", work->output,
                           work->schedule->family ? ", which extends " : "",
                           work->schedule->family ? work->schedule->family : "");
    return g_string_free(out, FALSE);
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

static char *report_json(const Work *work)
{
    g_autoptr(PsTold) facts = ps_told_new();
    tell_schedule(work, facts);
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_told_object(&json, facts);
    g_string_append_c(json.out, '\n');
    return g_string_free(json.out, FALSE);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* The family goes first: whoever reads the report has it. Both to one stream would be neither. */
static gboolean write_all(const Work *work, const Options *options, GError **error)
{
    g_autofree char *family = ps_gpu_write_family(work->gpu, work->schedule->family);
    g_autofree char *report =
        options->format == FORMAT_JSON ? report_json(work) : report_text(work);
    return output_write(work->output, family, error) &&
           (strcmp(work->output, "-") == 0 || output_write(NULL, report, error));
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
