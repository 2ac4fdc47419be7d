/* SPDX-License-Identifier: BSD-3-Clause */
/* See variant.h. */
#include "answer/variant.h"

#include "answer/avoidable.h"
#include "base/workers.h"

#include <math.h>

PsVariant *ps_variant_new(const PsQuestion *question)
{
    PsVariant *variant = g_new0(PsVariant, 1);
    variant->question = *question;
    variant->question.progress = (PsHearer){0};
    variant->question.explain = FALSE;
    variant->question.spare = NULL;
    variant->latencies = g_ptr_array_new_with_free_func((GDestroyNotify)ps_what_if_free);
    for (guint i = 0; question->latencies && i < question->latencies->len; i++) {
        const PsWhatIf *what_if = question->latencies->pdata[i];
        PsWhatIf *copy = g_memdup2(what_if, sizeof *what_if);
        copy->class_name = g_strdup(what_if->class_name);
        g_ptr_array_add(variant->latencies, copy);
    }
    variant->question.latencies = variant->latencies;
    variant->seconds = NAN;
    variant->wanted = INFINITY;
    return variant;
}

void ps_variant_free(PsVariant *variant)
{
    if (!variant)
        return;
    g_ptr_array_unref(variant->latencies);
    g_clear_pointer(&variant->answer, ps_answer_free);
    ps_idg_free(variant->idg);
    g_free(variant->refinements);
    g_free(variant->data);
    g_free(variant->why);
    g_free(variant->key);
    g_free(variant);
}

/* Appends factors whose values are set later. */
static PsWhatIf *add_factors(PsVariant *variant, const char *name)
{
    PsWhatIf *what_if = ps_what_if_new(name);
    what_if->times = what_if->alone = TRUE;
    g_ptr_array_add(variant->latencies, what_if);
    return what_if;
}

void ps_variant_times_latency(PsVariant *variant, const PsAnswer *answer, guint class_index,
                              PsLatency factors)
{
    PsWhatIf *what_if = add_factors(variant, answer->machine->classes[class_index].asked);
    what_if->issue = factors.issue;
    what_if->completion = factors.completion;
    if (factors.issue.num)
        variant->share += ps_explain_path_share(answer, PS_PATH_PIPELINE, class_index);
    if (factors.completion.num)
        variant->share += ps_explain_path_share(answer, PS_PATH_COMPLETION, class_index);
}

PsWhatIf *ps_variant_times_level(PsVariant *variant, const PsAnswer *answer, PsLevel level)
{
    variant->share = ps_explain_path_share(answer, PS_PATH_MEMORY, G_MAXUINT);
    return add_factors(variant, ps_level_name(level));
}

void ps_variant_set_active(PsVariant *variant, const PsAnswer *answer, gint64 groups)
{
    variant->question.launch.active = groups;
    variant->share = fmin(ps_explain_path_share(answer, PS_PATH_COMPLETION, G_MAXUINT) +
                              ps_explain_path_share(answer, PS_PATH_MEMORY, G_MAXUINT),
                          ps_latency_most_gain(answer));
}

/* ---- what it costs -------------------------------------------------------------------------- */

/* Building the machine of a graph takes as long, for each node, as simulating so many instructions
 * with schedulers. */
#define NODE_COST 32

/* Twice as many instructions without schedulers are simulated in the same time. */
static gint64 pace(const PsAnswer *answer)
{
    return answer->machine->refinements.schedulers > 0 ? 1 : 2;
}

static gint64 cost_of_machine(const PsAnswer *answer)
{
    gint64 nodes = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        nodes += answer->kernel->programs[p].n_nodes;
    return NODE_COST * pace(answer) * nodes;
}

PsVariantEffort ps_variants_effort(const PsQuestion *question, const PsAnswer *answer)
{
    /* Instructions take three times as long if their path and waits are recorded. */
    static const gint64 runs = 5, explained = 3;
    static const gint64 longest = 15 * PS_SIM_EXACT_INSTRUCTIONS;
    static const gint64 least = 3 * PS_SIM_EXACT_INSTRUCTIONS;
    const gint64 simulated = answer->result.simulated, sketched = answer->explain->simulated;
    const gint64 machine = cost_of_machine(answer), graph = (1 + PS_VARIANT_BUILT) * machine;
    const gint64 spent = graph + explained * sketched + (sketched == simulated ? 0 : simulated);
    const gint64 most = MIN(runs * (graph + simulated), longest * pace(answer)) - spent;
    return (PsVariantEffort){.most = question->deadline ? G_MAXINT64 : MAX(most, least),
                             .sketches = TRUE,
                             .machine = machine,
                             .sketch = sketched,
                             .whole = simulated};
}

/* ---- running ------------------------------------------------------------------------------- */

/* A pass over the variants, as sketches or precisely. */
typedef struct {
    const PsQuestion *question;
    guint threads;
    PsCycleCache *cache;
    PsVariantEffort *effort;
    gboolean sketch;
    PsVariantEffort before;
    PsWorkCourse course;
    PsSpare early; /* variants that idle threads may simulate before their turn */
} Pass;

/* Builds the missing graphs, one after the other. */
static GPtrArray *make_graphs(const GPtrArray *variants)
{
    GPtrArray *made = g_ptr_array_new();
    for (guint i = 0; i < variants->len; i++) {
        PsVariant *variant = variants->pdata[i];
        if (variant->make)
            variant->question.idg = variant->idg = variant->make(variant);
        if (variant->question.idg)
            g_ptr_array_add(made, variant);
    }
    return made;
}

/* Finds the clock that power allows after the change. An early simulation used another clock. */
static void find_clock(PsVariant *variant)
{
    PsQuestion usual = variant->question, slower;
    usual.clock = (PsRational){0, 1};
    variant->question.clock =
        ps_question_by_power(&usual, variant->cancel, &slower) ? slower.clock : usual.clock;
    variant->early.is_known = FALSE;
}

/* Builds the variant's machine, or says why it has none, and finds the key of its result. */
static void prepare(void *data)
{
    PsVariant *variant = data;
    g_autoptr(GError) error = NULL;
    g_clear_pointer(&variant->key, g_free);
    if (variant->by_power && !variant->sketch)
        find_clock(variant);
    variant->answer = ps_answer_prepare(&variant->question, &error);
    if (variant->answer)
        variant->key = ps_cycle_cache_key(&variant->question, variant->answer->machine);
    else
        variant->why = g_strdup(error->message);
}

/* The key of its sketch. */
static char *sketch_of(const char *key)
{
    return g_strconcat("~", key, NULL);
}

static gboolean is_cached(const PsCycleCache *cache, gboolean as_sketch, const PsMachine *machine,
                          const char *key, PsSimResult *result)
{
    const gint64 ticks = machine->ticks_per_cycle;
    g_autofree char *sketch = sketch_of(key);
    return ps_cycle_cache_find(cache, key, ticks, result) ||
           (as_sketch && ps_cycle_cache_find(cache, sketch, ticks, result));
}

static void note_result(PsVariant *variant, const PsSimResult *result)
{
    variant->result = *result;
    variant->has_result = TRUE;
    variant->seconds = variant->answer->seconds;
    variant->half_width = variant->answer->clamped ? 0 : variant->answer->half_width;
}

/* Takes an early simulation as the present one: they agree up to the limit of instructions. FALSE
 * if the early one stopped before that. */
static gboolean take_early(PsVariant *variant)
{
    const PsVariantEarly *early = &variant->early;
    const PsSimResult *result = &early->result;
    if (!early->is_known || variant->has_result || (result->stopped && variant->most > early->most))
        return FALSE;
    variant->ended = result->stopped || result->simulated > variant->most;
    if (!variant->ended &&
        ps_answer_time(variant->answer, &variant->question, result, 0, NULL, NULL)) {
        variant->answer->result = *result;
        note_result(variant, result);
    }
    return TRUE;
}

/* Simulates, unless its cycles are known. */
static void run_variant(void *data)
{
    PsVariant *variant = data;
    PsQuestion question = variant->question;
    g_autoptr(GError) error = NULL;
    if (take_early(variant))
        return;
    if (variant->sketch)
        (void)ps_question_sketch(&question);
    if (!ps_answer_time(variant->answer, &question, variant->has_result ? &variant->result : NULL,
                        variant->most, variant->cancel, &error)) {
        variant->ended = variant->answer->result.stopped;
        if (!g_error_matches(error, PS_ERROR, PS_ERROR_CANCELLED) && !variant->ended)
            variant->why = g_strdup(error->message);
        return;
    }
    note_result(variant, &variant->answer->result);
}

/* Simulates in an idle thread, with the largest limit that it may have. */
static void run_early(void *data)
{
    PsVariant *variant = data;
    PsVariantEarly *early = &variant->early;
    PsQuestion question = variant->question;
    early->is_tried = TRUE;
    g_autoptr(PsAnswer) answer = ps_answer_prepare(&question, NULL);
    /* Several CUs share the limit: their sum does not show whether a smaller one had sufficed. */
    if (!answer || answer->machine->n_cus > 1)
        return;
    g_autofree char *key = ps_cycle_cache_key(&question, answer->machine);
    if (is_cached(early->cache, variant->sketch, answer->machine, key, &early->result))
        return;
    if (variant->sketch)
        (void)ps_question_sketch(&question);
    const gboolean done =
        ps_answer_time(answer, &question, NULL, early->most, variant->cancel, NULL);
    early->result = answer->result;
    early->is_known = done || early->result.stopped;
}

/* Jobs of idle threads: variants first, since the question's own run can follow beside one that is
 * simulated alone. */
static PsSpare *spare_of(Pass *pass, const gint *cancel)
{
    const GPtrArray *early = pass->early.jobs;
    if (!early || early->len == 0)
        return pass->question->spare;
    for (guint i = 0; i < early->len; i++)
        ((PsVariant *)early->pdata[i])->cancel = cancel;
    return &pass->early;
}

/* Runs a function on each variant. */
static gboolean work_off(Pass *pass, const GPtrArray *variants, void (*do_it)(void *),
                         PsPhase phase, GError **error)
{
    gint cancel = 0;
    for (guint i = 0; i < variants->len; i++)
        ((PsVariant *)variants->pdata[i])->cancel = &cancel;
    const PsWork work = {.jobs = variants,
                         .threads = pass->threads,
                         .work = do_it,
                         .phase = phase,
                         .progress = pass->question->progress,
                         .deadline = pass->question->deadline,
                         .hurry = &cancel, /* a hurried result cannot be compared */
                         .cancel = &cancel,
                         .spare = spare_of(pass, &cancel),
                         .course = phase == PS_PHASE_POINTS ? &pass->course : NULL};
    return ps_work_off(&work, error);
}

/* ---- what is known -------------------------------------------------------------------------- */

static gboolean find_known(const Pass *pass, PsVariant *variant)
{
    return is_cached(pass->cache, pass->sketch, variant->answer->machine, variant->key,
                     &variant->result);
}

/* A sketch may be as precise as a full run. */
static void learn(const Pass *pass, const GPtrArray *variants)
{
    for (guint i = 0; i < variants->len; i++) {
        const PsVariant *variant = variants->pdata[i];
        const PsSimResult *result = &variant->result;
        const gboolean is_precise =
            !pass->sketch ||
            (result->half_width == 0 && result->simulated <= PS_SIM_EXACT_INSTRUCTIONS);
        g_autofree char *sketch = sketch_of(variant->key);
        if (variant->has_result && !variant->idg) /* another graph may later have its address */
            ps_cycle_cache_add(pass->cache, is_precise ? variant->key : sketch, result);
    }
}

/* Instructions that were simulated for it; for a run that was ended, its limit. */
static gint64 simulated_of(const PsVariant *variant)
{
    const PsSimResult *result = &variant->answer->result;
    return variant->ended ? variant->most : result->simulated;
}

/* The cost of a variant so far, with building its own graph. */
static gint64 cost_of(const PsVariant *variant)
{
    return (1 + variant->making) * cost_of_machine(variant->answer) + simulated_of(variant);
}

/* Divides variants with a machine into those to simulate and those whose results follow. */
static void divide(const Pass *pass, const GPtrArray *variants, GPtrArray *new, GPtrArray *same)
{
    g_autoptr(GHashTable) planned = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < variants->len; i++) {
        PsVariant *variant = variants->pdata[i];
        if (!variant->answer)
            continue;
        variant->has_result = find_known(pass, variant);
        variant->most = MAX(variant->most - cost_of(variant), !!variant->most);
        const gboolean is_new = !variant->has_result && g_hash_table_add(planned, variant->key);
        g_ptr_array_add(is_new ? new : same, variant);
    }
}

/* ---- as many as may be ---------------------------------------------------------------------- */

/* Adds the costs of variants, simulated or not, and frees unwanted results. */
static void account(const Pass *pass, const GPtrArray *variants)
{
    PsVariantEffort *effort = pass->effort;
    for (guint i = 0; i < variants->len; i++) {
        PsVariant *variant = variants->pdata[i];
        if (!variant->answer)
            continue;
        effort->cost += cost_of(variant);
        effort->instructions += simulated_of(variant);
        effort->runs += variant->answer->result.simulated > 0;
        if (variant->look && !isnan(variant->seconds))
            variant->look(variant);
        g_clear_pointer(&variant->answer, ps_answer_free);
        if (variant->make)
            g_clear_pointer(&variant->idg, ps_idg_free);
    }
}

/* Simulates the new ones of some variants; others have the same key, or are known, or (where
 * ps_cycle_cache_find is careful) must be simulated after all. Idle threads do variants of `early`
 * (NULL: none). */
static gboolean simulate(Pass *pass, const GPtrArray *some, const GPtrArray *early, gint64 most,
                         GError **error)
{
    g_autoptr(GPtrArray) new = g_ptr_array_new(), same = g_ptr_array_new();
    for (guint i = 0; i < some->len; i++) {
        PsVariant *variant = some->pdata[i];
        variant->sketch = pass->sketch;
        variant->most = most;
        variant->ended = FALSE;
    }
    g_autoptr(GPtrArray) made = make_graphs(some);
    if (!work_off(pass, made, prepare, PS_PHASE_PLAN, error))
        return FALSE;
    divide(pass, made, new, same);
    pass->early = (PsSpare){early, run_early, pass->threads, 0};
    const gboolean done = work_off(pass, new, run_variant, PS_PHASE_POINTS, error);
    pass->early.jobs = NULL;
    if (!done)
        return FALSE;
    learn(pass, new);
    for (guint i = 0; i < same->len; i++) {
        PsVariant *variant = same->pdata[i];
        variant->has_result = variant->has_result || find_known(pass, variant);
    }
    if (!work_off(pass, same, run_variant, PS_PHASE_POINTS, error))
        return FALSE;
    account(pass, made);
    return TRUE;
}

/* Variants that start before the effort is checked again; with unlimited effort as many per thread,
 * since threads wait for each other in between. */
#define TOGETHER 8
#define TOGETHER_OF_THREAD 32

/* The expected cost of a variant: the mean number of instructions so far, or more. */
static gint64 expected_cost(const Pass *pass, const PsVariant *variant)
{
    const PsVariantEffort *effort = pass->effort, *before = &pass->before;
    const guint n = effort->runs - before->runs;
    const gint64 mean = n > 0 ? (effort->instructions - before->instructions) / n : 0;
    const gint64 simulated = MAX(mean, pass->sketch ? effort->sketch : effort->whole);
    return (1 + variant->making) * effort->machine + simulated;
}

/* Room for variants that start together, in multiples of their expected cost: one may take many
 * times the run's instructions, if the run soon repeats and the variant does not. */
#define ROOM 8

/* The next variants that may be simulated now: the remaining effort has room for all of them, or is
 * enough for one. Variants that exceed it are skipped. */
static GPtrArray *next_ones(const Pass *pass, const GPtrArray *variants, guint *next)
{
    const PsVariantEffort *effort = pass->effort;
    const gboolean has_end = effort->most < G_MAXINT64;
    const gint64 left = effort->most - effort->cost;
    const guint most = has_end ? TOGETHER : TOGETHER_OF_THREAD * MAX(pass->threads, 1);
    GPtrArray *some = g_ptr_array_new();
    gint64 sum = 0;
    for (; *next < variants->len && some->len < most; ++*next) {
        const gint64 cost = expected_cost(pass, variants->pdata[*next]);
        if (has_end && cost >= left)
            continue;
        sum += cost;
        if (has_end && some->len > 0 && sum > left / ROOM)
            break;
        g_ptr_array_add(some, variants->pdata[*next]);
    }
    return some;
}

/* The variants that come next, as far as the remaining effort should suffice. With unlimited effort
 * many start together anyway. A variant that builds its graph in its turn is not built early. */
static GPtrArray *early_ones(const Pass *pass, const GPtrArray *some, const GPtrArray *variants,
                             guint next)
{
    const PsVariantEffort *effort = pass->effort;
    const gint64 most = effort->most - effort->cost;
    gint64 left = effort->most < G_MAXINT64 ? most : 0;
    GPtrArray *early = g_ptr_array_new();
    for (guint i = 0; i < some->len; i++)
        left -= expected_cost(pass, some->pdata[i]);
    for (guint i = next; i < variants->len && left > 0; i++) {
        PsVariant *variant = variants->pdata[i];
        if (variant->make || variant->early.is_tried)
            continue;
        left -= expected_cost(pass, variant);
        variant->sketch = pass->sketch;
        variant->early.most = most;
        variant->early.cache = pass->cache;
        g_ptr_array_add(early, variant);
    }
    return early;
}

/* Runs the variants that were ended once more, one after the other, with all remaining effort. */
static gboolean run_ended(Pass *pass, const GPtrArray *variants, GError **error)
{
    for (guint i = 0; i < variants->len; i++) {
        const gint64 left = pass->effort->most - pass->effort->cost;
        PsVariant *variant = variants->pdata[i];
        g_autoptr(GPtrArray) one = g_ptr_array_new();
        g_ptr_array_add(one, variant);
        if (variant->ended && left > 2 * variant->most && !simulate(pass, one, NULL, left, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean run_pass(Pass *pass, const GPtrArray *variants, GError **error)
{
    const PsVariantEffort *effort = pass->effort;
    pass->before = *effort;
    pass->course = ps_work_course(PS_PHASE_POINTS, variants->len);
    for (guint i = 0; i < variants->len; i++)
        ((PsVariant *)variants->pdata[i])->early = (PsVariantEarly){0}; /* from an earlier pass */
    for (guint next = 0; next < variants->len;) {
        g_autoptr(GPtrArray) some = next_ones(pass, variants, &next);
        g_autoptr(GPtrArray) early = early_ones(pass, some, variants, next);
        const gint64 each = (effort->most - effort->cost) / MAX(some->len, 1);
        if (!simulate(pass, some, early, effort->most < G_MAXINT64 ? MAX(each, 1) : 0, error))
            return FALSE;
        pass->course.progress.done = next; /* including variants that cannot run */
    }
    return run_ended(pass, variants, error);
}

static int largest_share_first(gconstpointer a, gconstpointer b)
{
    const PsVariant *x = *(PsVariant *const *)a, *y = *(PsVariant *const *)b;
    return (x->share < y->share) - (x->share > y->share);
}

static int fastest_first(gconstpointer a, gconstpointer b)
{
    const PsVariant *x = *(PsVariant *const *)a, *y = *(PsVariant *const *)b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

guint ps_variants_untried(const GPtrArray *variants)
{
    guint n = 0;
    for (guint i = 0; i < variants->len; i++) {
        const PsVariant *variant = variants->pdata[i];
        n += !variant->known && !variant->why && isnan(variant->seconds);
    }
    return n;
}

gboolean ps_variants_run(const PsQuestion *question, const GPtrArray *variants, guint threads,
                         PsCycleCache *cache, PsVariantEffort *effort, GError **error)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new(), wanted = g_ptr_array_new();
    for (guint i = 0; i < variants->len; i++) {
        const PsVariant *variant = variants->pdata[i];
        if (!variant->known && !variant->why)
            g_ptr_array_add(open, variants->pdata[i]);
    }
    PsQuestion sketch = *question;
    Pass pass = {.question = question,
                 .threads = threads,
                 .cache = cache,
                 .effort = effort,
                 .sketch = effort->sketches && ps_question_sketch(&sketch)};
    g_ptr_array_sort(open, largest_share_first);
    if (!run_pass(&pass, open, error))
        return FALSE;
    for (guint i = 0; pass.sketch && i < open->len; i++) {
        PsVariant *variant = open->pdata[i];
        const gboolean is_open = variant->half_width > 0 || variant->by_power;
        if (is_open && variant->seconds - variant->half_width < variant->wanted)
            g_ptr_array_add(wanted, variant);
    }
    pass.sketch = FALSE;
    g_ptr_array_sort(wanted, fastest_first);
    /* Half of the remaining effort may make these results precise; the other half may be worth more
     * elsewhere. */
    const gint64 most = effort->most;
    if (most < G_MAXINT64)
        effort->most -= (effort->most - effort->cost) / 2;
    const gboolean done = run_pass(&pass, wanted, error);
    effort->most = most;
    return done;
}
