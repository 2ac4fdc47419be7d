/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb compare: simulates two sides at once and reports them beside each other. */

#include "cli/build/graph.h"
#include "cli/build/recorded.h"
#include "cli/check.h"
#include "cli/compare/line.h"
#include "cli/compare/programs.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/report/paper.h"
#include "cli/system/output.h"
#include "cli/question.h"
#include "cli/system/terminal.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

/* The inputs of both sides. B uses A's unless it has its own. */
typedef struct {
    PsIdg *idg[2];
    PsGpu *gpu[2];
    GPtrArray *lacking[2];  /* char *: values of --arg without an argument; NULL: not built */
    GPtrArray *warnings[2]; /* char *: warnings of building */
    char *arguments[2];     /* arguments of the kernel */
    char *ptx;              /* PTX of A */
    PsSassCode *machine[2]; /* executed machine code; NULL: none */
} Read;

static void read_clear(Read *read)
{
    if (read->idg[1] != read->idg[0])
        ps_idg_free(read->idg[1]);
    if (read->gpu[1] != read->gpu[0])
        ps_gpu_free(read->gpu[1]);
    ps_idg_free(read->idg[0]);
    ps_gpu_free(read->gpu[0]);
    for (guint side = 0; side < 2; side++) {
        g_clear_pointer(&read->lacking[side], g_ptr_array_unref);
        g_clear_pointer(&read->warnings[side], g_ptr_array_unref);
        g_free(read->arguments[side]);
        g_clear_pointer(&read->machine[side], ps_sass_code_free);
    }
    g_free(read->ptx);
}

/* The questions and their answers. */
typedef struct {
    PsVariedQuestion *setups[2];
    PsAnswer *answers[2];
    PsTold *told[2]; /* facts of the answers */
} Both;

static void both_clear(Both *both)
{
    for (guint side = 0; side < 2; side++) {
        ps_told_free(both->told[side]);
        ps_answer_free(both->answers[side]);
        ps_varied_question_free(both->setups[side]);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Read, read_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Both, both_clear)

/* ---- reading ------------------------------------------------------------------------------- */

static gboolean is_among(const GPtrArray *warnings, guint n, const char *text)
{
    for (guint i = 0; i < n; i++)
        if (strcmp(warnings->pdata[i], text) == 0)
            return TRUE;
    return FALSE;
}

/* Prints the first n[] warnings of A and of B; a warning of both is printed once. */
static void warn_of_both(GPtrArray *const warnings[2], const guint n[2])
{
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < n[side]; i++) {
            const char *text = warnings[side]->pdata[i];
            const gboolean both = is_among(warnings[!side], n[!side], text);
            g_autofree char *whole = g_strconcat(both   ? "A and B: "
                                                 : side ? "B: "
                                                        : "A: ",
                                                 text, NULL);
            if (!both || side == 0)
                warn(whole);
        }
}

/* Builds the graph of code for the GPU, which is already read. */
static gboolean build_side(const Options *const sides[2], guint side, Read *read, GError **error)
{
    GError *why = NULL;
    PsCodeOptions options = sides[side]->code; /* these own what it points to */
    options.said = sides[0]->code.said;
    options.ptx = side && options_have_one_ptx(sides[0], sides[1]) ? read->ptx : NULL;
    g_autofree char *begin = compare_line_begin(sides), *more = compare_line_more(sides),
                    *rest = compare_line_rest(sides);
    options.program = side ? begin : options.program;
    options.more = side ? more : options.more;
    options.rest = side ? NULL : rest;
    g_autoptr(PsBuiltGraph) built =
        ps_built_graph_new(&options, sides[side]->files[0], read->gpu[side], &why);
    if (!built) {
        g_propagate_prefixed_error(error, why, "%s: ", side ? "B" : "A");
        return FALSE;
    }
    read->warnings[side] = g_ptr_array_ref(built->build->warnings);
    read->idg[side] = g_steal_pointer(&built->build->idg);
    read->lacking[side] = g_ptr_array_ref(built->arguments->lacking);
    read->arguments[side] = ps_launch_arguments_describe(built->arguments);
    read->machine[side] = g_steal_pointer(&built->machine);
    if (!side)
        read->ptx = g_steal_pointer(&built->module->text);
    return TRUE;
}

static gboolean read_gpu(const Options *const sides[2], guint side, Read *read, GError **error)
{
    const char *name = sides[side]->gpus[0];
    if (side && read->gpu[0] && strcmp(name, sides[0]->gpus[0]) == 0)
        read->gpu[1] = read->gpu[0];
    else
        read->gpu[side] = find_gpu(name, error);
    return read->gpu[side] && options_fit(sides[side], read->gpu[side], error);
}

static gboolean read_side(const Options *const sides[2], guint side, Read *read, GError **error)
{
    const char *name = sides[side]->files[0];
    if (ps_kernel_code_is(name))
        return read_gpu(sides, side, read, error) && build_side(sides, side, read, error);
    if (ps_card_recording_is(name)) {
        if (!read_gpu(sides, side, read, error))
            return FALSE;
        read->idg[side] =
            recorded_graph(sides[side], name, read->gpu[side], &read->machine[side], error);
        return read->idg[side] != NULL;
    }
    read->idg[side] = side && strcmp(name, sides[0]->files[0]) == 0
                          ? read->idg[0]
                          : find_graph(name, sides[side]->gpus[0], error);
    return read->idg[side] && read_gpu(sides, side, read, error);
}

/* A value of --arg that stands for both kernels must belong to one of them. */
static gboolean check_lacking(const Read *read, GError **error)
{
    for (guint i = 0; read->lacking[0] && read->lacking[1] && i < read->lacking[0]->len; i++) {
        const char *text = read->lacking[0]->pdata[i];
        if (g_ptr_array_find_with_equal_func(read->lacking[1], text, g_str_equal, NULL))
            return usage_error(error,
                               "--arg %s: neither kernel has an argument of this name; those of A "
                               "are: %s; those of B: %s",
                               text, read->arguments[0], read->arguments[1]);
    }
    return TRUE;
}

/* Prints warnings of building from code; A's also if building B fails. */
static void warn_of_builds(const Read *read)
{
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    GPtrArray *warnings[2];
    guint n[2];
    for (guint side = 0; side < 2; side++) {
        warnings[side] = read->warnings[side] ? read->warnings[side] : none;
        n[side] = warnings[side]->len;
    }
    warn_of_both(warnings, n);
}

static gboolean read_sides(const Options *const sides[2], Read *read, GError **error)
{
    const gboolean done = read_side(sides, 0, read, error) && read_side(sides, 1, read, error) &&
                          check_lacking(read, error);
    warn_of_builds(read);
    return done;
}

/* ---- simulating ---------------------------------------------------------------------------- */

static gboolean simulate_both(Both *both, Progress *progress, GError **error)
{
    PsQuestion *questions[2];
    progress_begin(progress, "simulating", NULL);
    for (guint side = 0; side < 2; side++) {
        questions[side] = &both->setups[side]->question;
        questions[side]->latencies = both->setups[side]->what_if_latencies;
        questions[side]->progress = progress_hearer(progress);
    }
    const gboolean done = ps_compared_answers(questions, both->answers, error);
    progress_begin(progress, NULL, NULL);
    return done;
}

static gboolean ask_both(const Options *const sides[2], const Read *read, Both *both,
                         GError **error)
{
    for (guint side = 0; side < 2; side++) {
        both->setups[side] = question_of(sides[side], read->idg[side], read->gpu[side], error);
        if (!both->setups[side])
            return FALSE;
    }
    return simulate_both(both, sides[0]->progress, error);
}

/* ---- reporting ----------------------------------------------------------------------------- */

static char *format_versus(const PsVersus *versus, const Options *options)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    if (options->format != FORMAT_JSON && options->format != FORMAT_CSV) {
        ps_versus_page(versus, &paper);
        return g_string_free(out, FALSE);
    }
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, versus->told);
    else
        ps_csv_told(out, PS_VIEW_COMPARE, versus->told);
    return g_string_free(out, FALSE);
}

static void warn_of_answers(const PsAnswer *const answers[2], const Options *options)
{
    GPtrArray *const warnings[2] = {answers[0]->warnings, answers[1]->warnings};
    const guint n[2] = {warnings[0]->len, warnings[1]->len};
    if (options->format == FORMAT_CSV) /* the other formats contain them */
        warn_of_both(warnings, n);
}

static void warn_of_lines(const PsComparison *comparison)
{
    const char *const texts[] = {comparison->line_problem, comparison->line_note};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        if (texts[i])
            warn(texts[i]);
}

/* The options in a side's title (g_strfreev): the clock is named there, and --kernel shows in the
 * name where names differ. */
static char **titled(const Options *side, const PsAnswer *const answers[2])
{
    const gboolean one_name = strcmp(answers[0]->idg->name, answers[1]->idg->name) == 0;
    g_autoptr(GStrvBuilder) options = g_strv_builder_new();
    for (char **option = side->apart; *option; option++)
        if (!g_str_has_prefix(*option, "--clock ") &&
            (one_name || !g_str_has_prefix(*option, "--kernel ")))
            g_strv_builder_add(options, *option);
    return g_strv_builder_end(options);
}

static gboolean compare_both(const Options *const sides[2], GError **error)
{
    /* Options of place and form count once, on either side of --versus. */
    const Options *last = sides[1];
    g_auto(Read) read = {0};
    g_auto(Both) both = {0};
    if (!read_sides(sides, &read, error) ||
        !check_listing(last, sides[0]->files[0], read.machine[0], error) ||
        !check_listing(last, last->files[0], read.machine[1], error) ||
        !ask_both(sides, &read, &both, error))
        return FALSE;
    const PsAnswer *const answers[] = {both.answers[0], both.answers[1]};
    g_autoptr(PsComparison) comparison = ps_comparison_new(answers[0], answers[1]);
    PsVersus versus = {.comparison = comparison};
    for (guint side = 0; side < 2; side++) {
        const PsSassCode *machine = last->given[OPTION_LISTING].on ? read.machine[side] : NULL;
        both.told[side] = ps_reported_answer_told(answers[side], machine);
        versus.sides[side] = (PsComparedSide){
            both.told[side], ps_code_shown(&sides[side]->code, sides[side]->files[0]),
            sides[side]->apart, sides[side]->what_if_text, machine};
    }
    g_autoptr(PsTold) told = ps_comparison_told(comparison, versus.sides);
    g_auto(GStrv) a = titled(sides[0], answers), b = titled(sides[1], answers);
    versus.told = told;
    versus.titled[0] = a;
    versus.titled[1] = b;
    g_autofree char *text = format_versus(&versus, last);
    if (!output_write(last->output, text, error))
        return FALSE;
    warn_of_answers(answers, last);
    if (last->format == FORMAT_CSV)
        warn_of_lines(comparison);
    if (last->format == FORMAT_TEXT)
        terminal_note_narrow(last->output);
    return TRUE;
}

int compare_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    const Options *const sides[] = {options, options->versus};
    if (options->versus && options->given[OPTION_STAND_IN].text) {
        usage_error(&error, "--stand-in is of programs (--program)");
        return fail(error);
    }
    if (options->versus ? !compare_both(sides, &error) : !compare_programs(options, &error))
        return fail(error);
    return EXIT_SUCCESS;
}
