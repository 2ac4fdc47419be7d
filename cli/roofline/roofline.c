/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb roofline: kernels of profiles and graphs on GPUs, by the quantitative roofline, without
 * simulation. Kernels pass one by one from their files (input.h) through their predictions
 * (kernel.h) to the output (format.h, chart.h).
 */
#include "cli/build/graph.h"
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/report/paper.h"
#include "cli/system/gnuplot.h"
#include "cli/system/output.h"
#include "cli/roofline/format.h"
#include "cli/roofline/input.h"
#include "cli/roofline/top.h"
#include "pipesim-private.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

/* Kernels that a message names, and columns of each name. */
#define MAX_NAMES 5
#define MAX_NAME 60

/* Bytes of text that are collected before they are written. */
#define MAX_BUFFER (1 << 16)

typedef struct {
    const Options *options;
    GPtrArray *descriptions; /* PsGpu */
    GArray *gpus;            /* PsRooflineGpu of these descriptions */
    PsNotes *notes;
    const RooflineFormat *format;
    RooflinePage page;
    Output *output;     /* NULL when it is complete */
    GPtrArray *drawn;   /* PsRooflineKernel; NULL: no chart is wanted */
    GPtrArray *skipped; /* names of the first kernels that do not match the pattern */
    guint kernels;      /* number of kernels that match */
    Top top;            /* the longest of them, if only these are wanted */
} Run;

static void run_clear(Run *run)
{
    ps_roofline_page_clear(&run->page.text);
    g_string_free(run->page.out, TRUE);
    g_ptr_array_unref(run->descriptions);
    g_array_unref(run->gpus);
    ps_notes_free(run->notes);
    output_drop(run->output);
    g_clear_pointer(&run->drawn, g_ptr_array_unref);
    g_ptr_array_unref(run->skipped);
    top_clear(&run->top);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

static void run_init(Run *run, const Options *options)
{
    *run = (Run){.options = options, .notes = ps_notes_new()};
    run->descriptions = g_ptr_array_new_with_free_func((GDestroyNotify)ps_gpu_free);
    run->gpus = g_array_new(FALSE, FALSE, sizeof(PsRooflineGpu));
    run->skipped = g_ptr_array_new_with_free_func(g_free);
    top_init(&run->top, options->roofline.top);
    run->format = roofline_format(options->format);
    if (options->chart || options->format == FORMAT_GNUPLOT)
        run->drawn = g_ptr_array_new_with_free_func(ps_roofline_kernel_unref);
    roofline_page_init(&run->page, paper_for(options, g_string_new(NULL)), run->gpus,
                       options->roofline.apart);
}

static gboolean load_gpus(Run *run, GError **error)
{
    if (run->options->roofline.peaks && run->options->gpus[0] && run->options->gpus[1])
        return usage_error(error, "--peaks were measured on one GPU, and there are several");
    for (char **name = run->options->gpus; *name; name++) {
        PsGpu *gpu = find_gpu(*name, error);
        if (!gpu)
            return FALSE;
        g_ptr_array_add(run->descriptions, gpu);
        if (run->options->roofline.peaks &&
            !ps_peaks_load(gpu, run->options->roofline.peaks, error))
            return FALSE;
        PsRational clock;
        if (!options_clock(run->options, gpu, &clock, error))
            return FALSE;
        const gboolean is_asked_for = run->options->clock.choice != PS_CLOCK_USUAL;
        const PsRooflineGpu on = ps_roofline_gpu_at(gpu, clock, is_asked_for);
        g_array_append_val(run->gpus, on);
    }
    return TRUE;
}

/* ---- kernels ------------------------------------------------------------------------------- */

static gboolean is_asked_for(Run *run, const char *name)
{
    const char *pattern = run->options->roofline.kernel;
    if (!pattern || ps_kernel_fit(name, pattern) >= PS_KERNEL_FIT_NAME ||
        g_pattern_match_simple(pattern, name))
        return TRUE;
    g_autofree char *shown = ps_format_cut(name, MAX_NAME);
    if (run->skipped->len <= MAX_NAMES &&
        !g_ptr_array_find_with_equal_func(run->skipped, shown, g_str_equal, NULL))
        g_ptr_array_add(run->skipped, g_steal_pointer(&shown));
    return FALSE;
}

static gboolean check_measured(const Run *run, GError **error)
{
    if (run->options->measured <= 0)
        return TRUE;
    if (run->gpus->len > 1)
        return usage_error(error, "--measured is the time on one GPU, and there are several");
    return run->kernels == 1 ||
           usage_error(error, "--measured is the time of one kernel, and there are more; choose "
                              "one with --kernel");
}

static gboolean keep_for_chart(Run *run, PsRooflineKernel *kernel, GError **error)
{
    if (!run->drawn)
        return TRUE;
    if (run->drawn->len == PS_ROOFLINE_MOST_DRAWN) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "a chart has at most %d kernels%s; choose some with --kernel",
                    PS_ROOFLINE_MOST_DRAWN, run->options->roofline.apart ? " or launches" : "");
        return FALSE;
    }
    g_ptr_array_add(run->drawn, ps_roofline_kernel_ref(kernel));
    return TRUE;
}

/* Writes collected text, so that memory does not grow with it. */
static gboolean write_some(Run *run, gsize above, GError **error)
{
    GString *out = run->page.out;
    if (out->len <= above)
        return TRUE;
    const gboolean put = output_put(run->output, out->str, error);
    g_string_truncate(out, 0);
    return put;
}

/* Done before the first kernel, so that a bad file leaves no output. */
static gboolean begin(Run *run, GError **error)
{
    run->output = output_open(run->options->output, error);
    if (!run->output)
        return FALSE;
    run->format->begin(&run->page);
    return TRUE;
}

/* Refuses impossible parameters, such as counters from runs that differ. */
static gboolean check_parameters(const char *path, const PsProfileKernel *kernel, GError **error)
{
    PsParams params = kernel->params;
    g_autoptr(GError) why = NULL;
    if (ps_params_complete(&params, &why))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){path, kernel->line}, "kernel %s: %s", kernel->name,
                why->message);
    return FALSE;
}

/* Before the first kernel of sums, collects facts about all: their total time, and names that
 * several files have. If only the longest are wanted, this waits until these are known. */
static void expect_kernel(void *self, const char *path, const PsProfileKernel *kernel)
{
    Run *run = self;
    const double measured = run->options->measured > 0 ? run->options->measured : kernel->seconds;
    if (!graph_is_built(path) && !is_asked_for(run, kernel->name))
        return;
    if (measured > 0)
        run->page.text.seconds += measured;
    if (!run->top.most)
        ps_roofline_page_expect(&run->page.text, path, kernel->name);
}

/* Passes a kernel to the chart and to the output. */
static gboolean hand_on(Run *run, PsRooflineKernel *kernel, GError **error)
{
    if (!keep_for_chart(run, kernel, error))
        return FALSE;
    run->format->kernel(&run->page, kernel);
    return write_some(run, MAX_BUFFER, error);
}

static gboolean take_kernel(void *self, const char *path, const PsProfileKernel *kernel,
                            const PsMetrics *on_gpus, GError **error)
{
    Run *run = self;
    /* For code, --kernel has already chosen, perhaps by a name that its graphs do not have. */
    if (!graph_is_built(path) && !is_asked_for(run, kernel->name))
        return TRUE;
    if (!run->kernels++ && !begin(run, error))
        return FALSE;
    if (!check_measured(run, error) || !check_parameters(path, kernel, error))
        return FALSE;
    PsProfileKernel measured = *kernel;
    if (run->options->measured > 0)
        measured.seconds = run->options->measured;
    g_autoptr(PsRooflineKernel) made =
        ps_roofline_kernel_new(&measured, path, on_gpus, run->gpus, run->notes, error);
    if (!made)
        return FALSE;
    if (run->options->roofline.apart && !kernel->launch && kernel->launches > 1)
        ps_notes_add(run->notes, "launches are together, since the file tells only their sums",
                     kernel->name);
    if (run->options->roofline.apart && measured.seconds > 0)
        run->page.text.seconds += measured.seconds;
    if (!run->top.most)
        return hand_on(run, made, error);
    top_add(&run->top, made);
    return TRUE;
}

static gboolean no_match(const Run *run, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < MIN(run->skipped->len, MAX_NAMES); i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "", (char *)run->skipped->pdata[i]);
    if (run->skipped->len > MAX_NAMES)
        g_string_append(names, ", ...");
    const char *pattern = run->options->roofline.kernel;
    g_autofree char *near = ps_did_you_mean(pattern, run->skipped);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "--kernel %s: no kernel has such a name; there are: %s%s", pattern, names->str,
                near);
    return FALSE;
}

/* ---- the chart, and the end ---------------------------------------------------------------- */

static gboolean draw(Run *run, Gnuplot *gnuplot, GError **error)
{
    if (!run->drawn)
        return TRUE;
    double height;
    const RooflineOptions *asked = &run->options->roofline;
    guint discounted = 0;
    if (asked->discounted &&
        !ps_roofline_chart_find(run->drawn, asked->discounted, &discounted, error)) {
        g_prefix_error(error, "--discounted %s: ", asked->discounted);
        return FALSE;
    }
    const PsRooflineChart chart = {run->gpus, run->drawn, asked->kind, asked->trajectory,
                                   asked->discounted ? (int)discounted : -1};
    g_autofree char *script = ps_roofline_chart_script(&chart, &height, error);
    if (!script)
        return FALSE;
    if (run->options->format == FORMAT_GNUPLOT)
        g_string_append(run->page.out, script);
    return !gnuplot || gnuplot_draw(gnuplot, "", script, height, error);
}

static gboolean finish(Run *run, Gnuplot *gnuplot, GError **error)
{
    g_autoptr(GPtrArray) warnings = ps_notes_texts(run->notes);
    for (guint i = 0; i < run->top.kept->len; i++) {
        const PsRooflineKernel *kernel = run->top.kept->pdata[i];
        ps_roofline_page_expect(&run->page.text, kernel->path, kernel->kernel->name);
    }
    for (guint i = 0; i < run->top.kept->len; i++)
        if (!hand_on(run, run->top.kept->pdata[i], error))
            return FALSE;
    run->page.text.others = run->top.others;
    run->format->end(&run->page, warnings);
    if (!draw(run, gnuplot, error) || !write_some(run, 0, error) ||
        !output_commit(g_steal_pointer(&run->output), error))
        return FALSE;
    for (guint i = 0; !run->format->says_warnings && i < warnings->len; i++)
        warn(warnings->pdata[i]);
    return TRUE;
}

static gboolean read_and_write(Run *run, GError **error)
{
    const Options *options = run->options;
    g_autoptr(Gnuplot) gnuplot = options->chart ? gnuplot_open(options->chart, error) : NULL;
    if ((options->chart && !gnuplot) || !load_gpus(run, error))
        return FALSE;
    const RooflineInput input = {options,       run->descriptions, run->notes,
                                 expect_kernel, take_kernel,       run};
    if (!roofline_input_read(&input, error))
        return FALSE;
    return run->kernels ? finish(run, gnuplot, error) : no_match(run, error);
}

static gboolean check(const Options *options, GError **error)
{
    return check_files(options, "profiles or graphs to hold against the roofline", error) &&
           check_graphs(options, error) && check_gpus(options, error) &&
           check_stdin(options, error);
}

int roofline_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    g_auto(Run) run;
    run_init(&run, options);
    return read_and_write(&run, &error) ? EXIT_SUCCESS : fail(error);
}
