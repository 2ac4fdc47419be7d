/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of a launch. Launches of a kernel belong to one kind if grid, block and shared memory
 * are equal, and their groups executed as many instructions and accessed the same memory; a kind is
 * simulated once. If a kernel has more kinds than a budget, the times of others are interpolated.
 * They also are once enough kinds in a row had the time that interpolation foretold, as where each
 * launch works on other random numbers.
 */
#include "card/launch.h"
#include "card/waits.h"

#include "answer/answer.h"
#include "launch/launch.h"

#include <math.h>
#include <string.h>

/* Kinds of a kernel's launches that are simulated: enough for a search in a graph, level by
 * level. */
#define MOST_KINDS 64

/* Kinds of one shape in a row whose times the kinds on both sides foretold, within that part. */
#define ENOUGH_FORETOLD 12
#define FORETOLD_WITHIN 0.01

gboolean ps_card_time_may_ask(const PsCardFunction *function)
{
    return function->kinds->len < MOST_KINDS;
}

/* ---- one launch ----------------------------------------------------------------------------- */

/* The code's architecture, as nvcc names that of machine code and of PTX. */
static const char *name_of(const PsPtxModule *code)
{
    const gboolean ptx = !code->machine && code->target && g_str_has_prefix(code->target, "sm_");
    g_autofree char *name = ptx ? g_strdup_printf("compute_%s", code->target + 3) : NULL;
    return g_intern_string(ptx ? name : code->target);
}

static void note(const PsCardRun *run, const char *text)
{
    ps_card_log_note_kernel(run->card->log, run->launch->function->name, text);
}

/* Results of other groups are complete when the launch has been executed. FALSE also if that fails:
 * then the group goes on waiting, which is an error. */
static gboolean bring(gpointer data, guint64 address, guint bytes)
{
    PsCardRun *run = data;
    if (run->late) {
        run->late = FALSE;
        if (!ps_card_run(run, NULL))
            return FALSE;
    }
    return ps_card_snapshot_bring(run->snapshot, address, bytes);
}

/* The graph of machine code, or of PTX (machine NULL). points: instructions that wait for other
 * groups. */
static PsBuild *lift_once(PsCardRun *run, const PsSassCode *machine, GArray *points, GError **error)
{
    const PsPtxOthers others = {points, bring, run};
    const PsCardFunction *function = run->launch->function;
    const PsCardModule *module = function->module;
    const PsPtxModule *code = machine ? machine->module : module->run->module;
    GArray *placed = ps_card_place(run, code, machine, FALSE);
    PsBuildOptions options;
    ps_build_options_init(&options);
    options.module = code;
    options.machine = machine;
    options.made = machine && module->made;
    options.registers = function->registers;
    options.launch = ps_card_launch_of(run, code, placed);
    options.launch.most_instructions = 0;
    options.launch.others = run->workspace ? NULL : &others;
    PsBuild *build = ps_launch_build(&options, run->card->gpu, error);
    ps_card_place_free(placed, machine);
    return build;
}

static gboolean reads_workspace(const PsPtxInstruction *instruction)
{
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_SPECIAL &&
            (instruction->operands[i].value == PS_PTX_ENVREG1 ||
             instruction->operands[i].value == PS_PTX_ENVREG2))
            return TRUE;
    return FALSE;
}

/* TRUE if the code may make all groups of the grid meet. */
static gboolean may_meet(const PsPtxModule *code)
{
    for (guint i = 0; i < code->functions->len; i++) {
        const GArray *list = ((PsPtxFunction *)code->functions->pdata[i])->instructions;
        for (guint k = 0; k < list->len; k++)
            if (reads_workspace(&g_array_index(list, PsPtxInstruction, k)))
                return TRUE;
    }
    return FALSE;
}

/* Groups may wait for writes of other groups, as a scan in one pass does. Once it is known where,
 * the awaited values are there when groups look for them. A launch in which these waits follow one
 * another from group to group has no time. *name: name of the code. */
static PsBuild *lift(PsCardRun *run, const PsSassCode *machine, const char **name, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    const PsPtxModule *code =
        machine ? machine->module : run->launch->function->module->run->module;
    PsBuild *build = NULL;
    guint known;
    *name = name_of(code);
    do {
        known = points->len;
        g_clear_pointer(&build, ps_build_free);
        g_clear_error(error);
        ps_card_snapshot_renew(run->snapshot);
        build = lift_once(run, machine, points, error);
    } while (points->len > known);
    if (build && known > 0 && !ps_card_waits_check(run, code, machine, points, error))
        g_clear_pointer(&build, ps_build_free);
    if (build && known > 0)
        note(run, "its groups wait for what other groups write, which is there when they look: "
                  "such waits are not in its time, so it takes at least that long");
    if (build && run->workspace && may_meet(code))
        note(run, "where all its groups meet (grid.sync), each takes the time of its own "
                  "operations there; waits for groups that come later are not in its time, so it "
                  "takes at least that long");
    return build;
}

/* A GPU runs machine code. If that has what cannot be executed, such as atomic operations on
 * surfaces, the PTX from which it was made serves instead. */
PsBuild *ps_card_lift(PsCardRun *run, const char **name, GError **error)
{
    PsCardFunction *function = run->launch->function;
    g_autoptr(GError) why = NULL;
    const PsSassCode *machine = ps_card_function_timed(function);
    if (!machine)
        machine = function->run; /* executed code needs no assembler */
    PsBuild *build = lift(run, machine, name, machine && !function->run ? &why : error);
    if (build || !machine || function->run)
        return build;
    build = lift(run, NULL, name, error);
    g_autofree char *text =
        g_strdup_printf("its time is that of its PTX, not of its machine code: %s", why->message);
    if (build)
        note(run, text);
    else
        g_prefix_error(error, "its machine code: %s; its PTX: ", why->message);
    return build;
}

static void simulate(PsCardRun *run, PsCardLaunchKind *kind)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsBuild) build = ps_card_lift(run, &kind->code, &error);
    const PsQuestion question = {.idg = build ? build->idg : NULL, .gpu = run->card->gpu};
    g_autoptr(PsAnswer) answer = build ? ps_answer_new(&question, NULL, &error) : NULL;
    kind->seconds = answer ? answer->seconds : NAN;
    kind->graph = answer ? ps_card_log_graph(run->card->log, build->idg) : 0;
    kind->limit = answer ? g_intern_string(ps_answer_limit(answer)) : NULL;
    g_autofree char *words = answer ? ps_answer_limit_words(answer) : NULL;
    kind->limit_words = g_intern_string(words);
    if (!answer) {
        g_autofree char *text = g_strdup_printf("its time is not known: %s", error->message);
        note(run, text);
    }
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static gboolean same_shape(const PsCardLaunchKind *kind, const PsCardLaunch *launch)
{
    return memcmp(kind->grid, launch->grid, sizeof kind->grid) == 0 &&
           memcmp(kind->block, launch->block, sizeof kind->block) == 0 &&
           kind->shared == launch->shared;
}

static gboolean same(const PsCardLaunchKind *kind, const PsCardRun *run)
{
    return same_shape(kind, run->launch) && memcmp(&kind->work, &run->work, sizeof kind->work) == 0;
}

/* The kinds nearest to a launch by executed work, on both sides; or NULL. */
typedef struct {
    const PsCardLaunchKind *less, *more;
} Beside;

static void look_beside(Beside *beside, const PsCardLaunchKind *kind, guint64 threads)
{
    const PsCardLaunchKind *less = beside->less, *more = beside->more;
    if (isnan(kind->seconds))
        return;
    if (kind->work.threads <= threads && (!less || kind->work.threads > less->work.threads))
        beside->less = kind;
    if (kind->work.threads >= threads && (!more || kind->work.threads < more->work.threads))
        beside->more = kind;
}

/* The kind itself; or NULL and the kinds beside it, of all and of those of its shape. */
static const PsCardLaunchKind *find(const PsCardRun *run, Beside *all, Beside *shape)
{
    const GArray *kinds = run->launch->function->kinds;
    *all = *shape = (Beside){NULL, NULL};
    for (guint i = 0; i < kinds->len; i++) {
        const PsCardLaunchKind *kind = &g_array_index(kinds, PsCardLaunchKind, i);
        if (same(kind, run))
            return kind;
        look_beside(all, kind, run->work.threads);
        if (same_shape(kind, run->launch))
            look_beside(shape, kind, run->work.threads);
    }
    return NULL;
}

/* The time of so much work between two kinds, in proportion to it. */
static double between(const Beside *beside, guint64 threads)
{
    const PsCardLaunchKind *less = beside->less, *more = beside->more;
    if (more->work.threads == less->work.threads)
        return less->seconds;
    const double part =
        (double)(threads - less->work.threads) / (double)(more->work.threads - less->work.threads);
    return less->seconds + part * (more->seconds - less->seconds);
}

/* Whether the last kinds of a launch's shape had the times that others foretold. Kinds that lay
 * beyond all others say nothing of it. */
static gboolean foretells(const PsCardLaunch *launch, const Beside *shape)
{
    const GArray *kinds = launch->function->kinds;
    guint row = 0;
    for (guint i = kinds->len; i > 0 && row < ENOUGH_FORETOLD; i--) {
        const PsCardLaunchKind *kind = &g_array_index(kinds, PsCardLaunchKind, i - 1);
        if (!same_shape(kind, launch))
            continue;
        if (kind->foretold == PS_CARD_MISSED)
            return FALSE;
        row += kind->foretold == PS_CARD_FORETOLD;
    }
    return row == ENOUGH_FORETOLD && shape->less && shape->more;
}

/* Interpolates in proportion to executed work, between two kinds or beyond one. */
static void interpolate(const Beside *beside, PsCardLaunched *told)
{
    const PsCardLaunchKind *near = beside->less ? beside->less : beside->more;
    if (!near)
        return;
    const double at = (double)told->instructions;
    told->how = PS_CARD_INTERPOLATED;
    told->limit = near->limit;
    told->limit_words = near->limit_words;
    told->code = near->code;
    if (beside->less && beside->more)
        told->seconds = between(beside, told->instructions);
    else
        told->seconds =
            near->seconds * (beside->less ? at / (double)MAX(near->work.threads, 1) : 1);
}

/* Simulates the launch, whose kind is known from then on. */
static const PsCardLaunchKind *ask(PsCardRun *run, const PsCardLaunched *told, const Beside *shape)
{
    GArray *kinds = run->launch->function->kinds;
    PsCardLaunchKind kind = {.shared = told->shared, .work = run->work};
    const double foretold = shape->less && shape->more ? between(shape, run->work.threads) : NAN;
    memcpy(kind.grid, told->grid, sizeof kind.grid);
    memcpy(kind.block, told->block, sizeof kind.block);
    simulate(run, &kind);
    if (!isnan(foretold))
        kind.foretold = fabs(foretold - kind.seconds) <= FORETOLD_WITHIN * kind.seconds
                            ? PS_CARD_FORETOLD
                            : PS_CARD_MISSED;
    g_array_append_val(kinds, kind);
    return &g_array_index(kinds, PsCardLaunchKind, kinds->len - 1);
}

void ps_card_time(PsCardRun *run, PsCardLaunched *told)
{
    Beside all, shape;
    const PsCardLaunchKind *known = find(run, &all, &shape);
    const gboolean can_interpolate = run->work.threads > 0; /* else that is not known */
    const gboolean foretold = !known && can_interpolate && foretells(run->launch, &shape);
    const gboolean full = !ps_card_time_may_ask(run->launch->function);
    if (foretold || (!known && can_interpolate && full)) {
        interpolate(foretold ? &shape : &all, told);
        return;
    }
    const gboolean alike = known != NULL;
    if (!known)
        known = ask(run, told, &shape);
    told->seconds = known->seconds;
    told->limit = known->limit;
    told->limit_words = known->limit_words;
    told->code = known->code;
    told->graph = known->graph;
    told->how = isnan(known->seconds) ? PS_CARD_UNKNOWN : alike ? PS_CARD_ALIKE : PS_CARD_SIMULATED;
}
