/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb run: one graph on one GPU, with an optional what-if. */
#include "cli/build/graph.h"
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/program/source.h"
#include "cli/report/paper.h"
#include "cli/system/output.h"
#include "cli/question.h"
#include "cli/system/terminal.h"
#include "cli/run/launches.h"
#include "cli/verbs.h"

#include <stdlib.h>

/* Names the option that a problem of the library's concerns. Returns FALSE for the caller's
 * return. */
static gboolean is_about(const char *option, GError *problem /* taken */, GError **error)
{
    if (problem->domain == PS_ERROR)
        g_prefix_error(&problem, "%s: ", option);
    g_propagate_error(error, problem);
    return FALSE;
}

/* The timeline (g_free); NULL and *error if there is none. */
static char *draw_timeline(const PsAnswer *answer, const Options *options, GError **error)
{
    const gboolean both = options->what_if_text != NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    GError *problem = NULL;
    g_autoptr(GArray) warps =
        ps_timeline_warps(answer, options->given[OPTION_TIMELINE_WARPS].text, &problem);
    if (!warps) {
        is_about("--timeline-warps", problem, error);
        return NULL;
    }
    const PsTimelineLook look = {.window = options->timeline_window,
                                 .warps = (const guint *)(void *)warps->data,
                                 .n_warps = warps->len,
                                 .which = both ? "as it is" : NULL,
                                 .width = terminal_width(),
                                 .colour = terminal_wants_colour(options->output),
                                 .shades = terminal_gets(options->output) && terminal_has_shades(),
                                 .no_fast_forward = options->no_fast_forward};
    if (!ps_timeline_text(answer, &look, out, &problem)) {
        is_about("--timeline", problem, error);
        return NULL;
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static gboolean put_trace(gpointer output, const char *text, GError **error)
{
    return output_put(output, text, error);
}

/* Writes the trace. FALSE and *error on failure; then no part of it remains. */
static gboolean write_trace(const PsAnswer *answer, const Options *options, GError **error)
{
    const PsTraceAsk ask = {options->trace_window, options->no_fast_forward};
    GError *problem = NULL;
    g_autofree char *cut = NULL;
    Output *output = output_open(options->given[OPTION_TRACE].text, error);
    if (!output)
        return FALSE;
    if (!ps_trace_write(answer, &ask, put_trace, output, &cut, &problem)) {
        output_drop(output);
        return is_about(ask.window.given ? "--trace-window" : "--trace", problem, error);
    }
    if (!output_commit(output, error))
        return FALSE;
    g_autofree char *text =
        cut ? g_strconcat("--trace: ", cut, "; --trace-window FROM..TO chooses another part", NULL)
            : NULL;
    if (text)
        warn(text);
    return TRUE;
}

/* Prints the advice as findings. */
static void report_findings(const PsReported *report, const Options *options, GString *out)
{
    g_autoptr(PsTold) facts = ps_reported_told(report);
    g_autofree char *root = g_get_current_dir();
    if (options->format == FORMAT_NOTES)
        ps_findings_notes(out, facts, root, ps_code_shown(&options->code, options->files[0]));
    else
        ps_findings_sarif(out, facts, root);
}

static char *format_report(const PsReported *report, const Options *options)
{
    GString *out = g_string_new(NULL);
    PsJson json = {.out = out};
    const PsPaper paper = paper_for(options, out);
    switch (options->format) {
    case FORMAT_TEXT:
    case FORMAT_MARKDOWN:
        ps_reported_text(report, &paper);
        break;
    case FORMAT_JSON:
        ps_reported_json(report, &json);
        g_string_append_c(out, '\n');
        break;
    case FORMAT_CSV:
        ps_reported_csv(report, out);
        break;
    case FORMAT_NOTES:
    case FORMAT_SARIF:
        report_findings(report, options, out);
        break;
    case FORMAT_GNUPLOT: /* formats of other verbs */
    case FORMAT_JUNIT:
    case FORMAT_GITHUB:
        break;
    }
    return g_string_free(out, FALSE);
}

/* Prints warnings on standard error if the report has no place for them. */
static void say_warnings(const PsAnswer *answer, const Options *options)
{
    const gboolean has_place = options->format == FORMAT_TEXT ||
                               options->format == FORMAT_MARKDOWN || options->format == FORMAT_JSON;
    for (guint i = 0; !has_place && i < answer->warnings->len; i++)
        warn(answer->warnings->pdata[i]);
}

typedef struct {
    PsVariedQuestion *setup;
    const PsBuiltCode *code;    /* code that the graph was built from; NULL: none */
    PsAnswer *answer, *what_if; /* what_if is NULL if nothing was asked */
    char *log;
    PsReportSweep *sweep; /* for --report; NULL: not wanted, or impossible */
    gint64 steps;         /* steps to come, which share the time */
} Run;

static void run_clear(Run *run)
{
    ps_answer_free(run->answer);
    ps_answer_free(run->what_if);
    ps_report_sweep_free(run->sweep);
    ps_varied_question_free(run->setup);
    g_free(run->log);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

/* Gives each step to come the same part of the remaining time (--budget). */
static void begin_step(Run *run, const Options *options)
{
    const gint64 now = g_get_monotonic_time(), left = MAX(options->deadline - now, 1);
    if (!options->deadline)
        return;
    run->setup->question.deadline = now + left / MAX(run->steps, 1);
    run->steps--;
}

/* Simulates with and without the what-if. */
static gboolean simulate(Run *run, const Options *options, GError **error)
{
    PsQuestion *question = &run->setup->question;
    begin_step(run, options);
    run->answer =
        ps_answer_new(question, options->given[OPTION_LOG].text ? &run->log : NULL, error);
    if (run->answer)
        ps_answer_note_measured(run->answer, options->measured);
    if (!run->answer || !run->setup->what_if_latencies)
        return run->answer != NULL;
    question->latencies = run->setup->what_if_latencies;
    begin_step(run, options);
    run->what_if = ps_answer_new(question, NULL, error);
    return run->what_if != NULL;
}

/* TRUE if any output shows the whole table of sensitivities. */
static gboolean shows_table(const Options *options)
{
    return options->sensitivity || options->report;
}

/* A reader expects source lines only where they are shown. */
static void note_changed_source(PsAnswer *answer, const Options *options)
{
    if (options->explain || options->advise || options->given[OPTION_TABLES].on)
        ps_answer_note_changed_source(answer);
}

/* Finds what would help the answer to that question. */
static gboolean look_further(Run *run, PsAnswer *answer, const Options *options, GError **error)
{
    const PsQuestion *question = &run->setup->question;
    const gboolean advises = options->advise || options->report;
    if (answer)
        note_changed_source(answer, options);
    if (!answer || !(options->sensitivity || advises))
        return TRUE;
    begin_step(run, options);
    if (!ps_answer_find_sensitivities(answer, question, shows_table(options), options->jobs, error))
        return FALSE;
    if (advises)
        begin_step(run, options);
    if (advises && !ps_answer_find_advice(answer, question, options->jobs, error))
        return FALSE;
    if (advises)
        ps_answer_unroll(answer, question, options->files[0], run->code);
    ps_answer_note_untried(answer, options->given[OPTION_BUDGET].text != NULL);
    return TRUE;
}

static gboolean look_at_both(Run *run, const Options *options, GError **error)
{
    PsQuestion *question = &run->setup->question;
    question->latencies = run->setup->latencies;
    if (!look_further(run, run->answer, options, error))
        return FALSE;
    question->latencies = run->setup->what_if_latencies;
    return look_further(run, run->what_if, options, error);
}

/* Counts simulations in sequence: for each answer the run, its sensitivities, and its advice. */
static gint64 count_steps(const Run *run, const Options *options)
{
    const gboolean advises = options->advise || options->report;
    const gint64 each = 1 + (options->sensitivity || advises) + advises;
    return (run->setup->what_if_latencies ? 2 : 1) * each + (options->report != NULL);
}

/* Simulates everything, with progress. */
static gboolean find_answers(Run *run, const Options *options, GError **error)
{
    progress_begin(options->progress, "simulating", NULL);
    PsQuestion *question = &run->setup->question;
    if (options->report)
        run->sweep = ps_report_sweep_new(question, options->jobs, NULL);
    if (run->sweep && options->jobs > 1 && !options->deadline)
        question->spare = &run->sweep->spare;
    question->progress = progress_hearer(options->progress);
    run->steps = count_steps(run, options);
    const gboolean done = simulate(run, options, error) && look_at_both(run, options, error);
    progress_begin(options->progress, NULL, NULL);
    return done;
}

/* Keeps the last problem for the caller and prints earlier ones. Each names its option, since all
 * outputs may go to one place. */
static void keep_last(GError **last, const char *option, GError *problem /* taken, may be NULL */)
{
    if (!problem)
        return;
    if (problem->domain == G_FILE_ERROR && option)
        g_prefix_error(&problem, "%s: ", option);
    if (*last)
        fail(*last);
    g_clear_error(last);
    *last = problem;
}

/* Writes the page to share. Messages name what is missing on it, and which files of others are on
 * it. */
static gboolean write_page(const Options *options, const PsReported *report, const Run *run,
                           GError **error)
{
    const PsReport page = {.question = &run->setup->question,
                           .answer = report->answer,
                           .what_if = report->what_if,
                           .what_if_text = report->what_if_text,
                           .measured = report->measured,
                           .machine = report->machine,
                           .without_source = options->given[OPTION_NO_SOURCE].on};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = ps_report_page(&page, run->sweep, warnings, notes, error);
    for (guint i = 0; i < warnings->len; i++) {
        g_autofree char *said = g_strconcat("--report: ", warnings->pdata[i], NULL);
        warn(said);
    }
    for (guint i = 0; i < notes->len; i++) {
        g_autofree char *said =
            g_strconcat("--report: ", notes->pdata[i], "; --no-source leaves it out", NULL);
        note(said);
    }
    return text && output_write(options->report, text, error);
}

/* Writes the log, the answer with its timeline, the trace and the page; one failure does not stop
 * the others. */
static gboolean deliver(const Options *options, PsReported *report, Run *run, GError **error)
{
    GError *last = NULL, *problem = NULL;
    PsQuestion *question = &run->setup->question;
    question->latencies = run->setup->latencies;
    if (run->log)
        output_write(options->given[OPTION_LOG].text, run->log, &problem);
    keep_last(&last, "--log", g_steal_pointer(&problem));
    progress_begin(options->progress, "writing the answer", NULL);
    g_autofree char *timeline =
        options->given[OPTION_TIMELINE].text ? draw_timeline(run->answer, options, &problem) : NULL;
    keep_last(&last, "--timeline", g_steal_pointer(&problem));
    report->timeline = timeline;
    g_autofree char *text = format_report(report, options);
    output_write(options->output, text, &problem);
    keep_last(&last, options->output ? "--output" : NULL, g_steal_pointer(&problem));
    say_warnings(report->answer, options);
    if (options->format == FORMAT_TEXT)
        terminal_note_narrow(options->output);
    if (options->given[OPTION_TRACE].text)
        write_trace(run->answer, options, &problem);
    keep_last(&last, "--trace", g_steal_pointer(&problem));
    begin_step(run, options);
    if (options->report)
        write_page(options, report, run, &problem);
    keep_last(&last, "--report", g_steal_pointer(&problem));
    if (last)
        g_propagate_error(error, last);
    return !last;
}

/* The code that advice tries in other shapes; NULL: there is none, or it is gone. Values for the
 * graph's parameters hold for its own launch only. */
static PsBuiltCode *code_to_advise(const Options *options, const PsGpu *gpu)
{
    const gboolean advises = options->advise || options->report;
    return advises && ps_kernel_code_is(options->files[0]) && !options->given[OPTION_PARAM].list
               ? ps_built_code_new(&options->code, options->files[0], gpu, NULL)
               : NULL;
}

/* Optional parts of a page. */
#define MORE                                                                                       \
    "--tables (by pipeline, class and line), --explain (where the time goes), --advise (what "     \
    "each change would give)"

/* Simulates, and writes everything that was asked for. */
static gboolean answer_and_report(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                                  const PsSassCode *machine, GError **error)
{
    g_autoptr(PsBuiltCode) code = code_to_advise(options, gpu);
    g_auto(Run) run = {.setup = question_of(options, idg, gpu, error)};
    const gboolean late = options->deadline && g_get_monotonic_time() >= options->deadline;
    run.code = code;
    if (run.setup && code)
        run.setup->question.code = ps_built_code_launch(code);
    if (!run.setup || !find_answers(&run, options, error)) {
        if (error && g_error_matches(*error, PS_ERROR, PS_ERROR_TIME))
            g_prefix_error(error, "--budget %s: %s", options->given[OPTION_BUDGET].text,
                           late ? "reading and building took longer; " : "");
        return FALSE;
    }
    PsReported report = {.answer = run.answer,
                         .what_if = run.what_if,
                         .what_if_text = options->what_if_text,
                         .vary = options->vary,
                         .measured = options->measured,
                         .shows = (options->explain ? PS_EXPLAIN_SHOWS_PATH : 0) |
                                  (options->sensitivity ? PS_EXPLAIN_SHOWS_SENSITIVITY : 0) |
                                  (options->advise ? PS_EXPLAIN_SHOWS_ADVICE : 0),
                         .tables = options->given[OPTION_TABLES].on,
                         .more = MORE,
                         .machine = options->given[OPTION_LISTING].on ? machine : NULL};
    return deliver(options, &report, &run, error);
}

/* In CSV each part is a table of its own. */
static gboolean check_tables(const Options *options, GError **error)
{
    const guint n = (guint)options->explain + (guint)options->sensitivity + (guint)options->advise;
    if (options->given[OPTION_TABLES].on && !format_is_for_people(options->format))
        return usage_error(error, "--tables is for text; other formats always have the tables");
    if (options->given[OPTION_LISTING].on && options->format == FORMAT_CSV)
        return usage_error(error, "--listing: CSV has no listing; --format json has it");
    return options->format != FORMAT_CSV || n < 2 ||
           usage_error(error, "--format csv writes one table: --explain, --sensitivity or "
                              "--advise; --format json has all of them");
}

static gboolean check(const Options *options, GError **error)
{
    return check_files(options, "graph to simulate", error) && check_graphs(options, error) &&
           check_one_file(options, "; sweep takes several", error) &&
           check_gpus(options->launches ? options->launches->pdata[0] : options, error) &&
           launches_check(options, error) && check_one_gpu(options, error) &&
           check_measured_time(options, error) && check_tables(options, error) &&
           check_stdin(options, error) && check_folders(options, error);
}

int run_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    if (program_is_source(options))
        return program_of_source(options);
    if (options->launches)
        return launches_run(options, &error) ? EXIT_SUCCESS : fail(error);
    g_autoptr(PsGpu) gpu = NULL;
    g_autoptr(PsSassCode) machine = NULL;
    const gboolean listed = options->given[OPTION_LISTING].on || options->report;
    g_autoptr(PsIdg) idg =
        graph_of(options, options->files[0], &gpu, listed ? &machine : NULL, &error);
    if (idg && !gpu)
        gpu = find_gpu(options->gpus[0], &error);
    if (!idg || !gpu || !check_listing(options, options->files[0], machine, &error) ||
        !answer_and_report(options, idg, gpu, machine, &error))
        return fail(error);
    return EXIT_SUCCESS;
}
