/* SPDX-License-Identifier: BSD-3-Clause */
/* See variant.h. */
#include "answer/variant.h"

#include "base/workers.h"

#include <math.h>

static void add_latency(GPtrArray *list, const char *class_name, PsLatency latency)
{
    PsWhatIf *what_if = ps_what_if_new(class_name);
    what_if->issue = latency.issue;
    what_if->completion = latency.completion;
    g_ptr_array_add(list, what_if);
}

PsVariant *ps_variant_new(const PsQuestion *question)
{
    PsVariant *variant = g_new0(PsVariant, 1);
    variant->question = *question;
    variant->question.progress = (PsHearer){0};
    variant->question.explain = FALSE;
    variant->latencies = g_ptr_array_new_with_free_func((GDestroyNotify)ps_what_if_free);
    for (guint i = 0; question->latencies && i < question->latencies->len; i++) {
        const PsWhatIf *what_if = question->latencies->pdata[i];
        PsWhatIf *copy = g_memdup2(what_if, sizeof *what_if);
        copy->class_name = g_strdup(what_if->class_name);
        g_ptr_array_add(variant->latencies, copy);
    }
    variant->question.latencies = variant->latencies;
    variant->seconds = NAN;
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
    g_free(variant->why);
    g_free(variant->key);
    g_free(variant);
}

/* A what-if is for subclasses, too: those that the graph asks for keep what they have. */
void ps_variant_set_latency(PsVariant *variant, const PsAnswer *answer, guint class_index,
                            PsLatency latency)
{
    const PsMachine *machine = answer->machine;
    const char *asked = machine->classes[class_index].asked;
    for (guint i = 0; i < machine->n_classes; i++) {
        const char *other = machine->classes[i].asked;
        if (i != class_index && ps_class_covers(asked, other))
            add_latency(variant->latencies, other, ps_what_if_latency(machine, i));
    }
    add_latency(variant->latencies, asked, latency);
    if (latency.issue.num)
        variant->share += ps_explain_path_share(answer, PS_PATH_PIPELINE, class_index);
    if (latency.completion.num)
        variant->share += ps_explain_path_share(answer, PS_PATH_COMPLETION, class_index);
}

void ps_variant_set_active(PsVariant *variant, const PsAnswer *answer, gint64 groups)
{
    variant->question.launch.active = groups;
    variant->share = ps_explain_path_share(answer, PS_PATH_COMPLETION, G_MAXUINT) +
                     ps_explain_path_share(answer, PS_PATH_MEMORY, G_MAXUINT);
}

/* ---- running ------------------------------------------------------------------------------- */

/* The machine of a variant, NULL (and why) where it can have none. */
static PsAnswer *prepare(PsVariant *variant)
{
    g_autoptr(GError) error = NULL;
    PsAnswer *answer = ps_answer_prepare(&variant->question, &error);
    if (!answer)
        variant->why = g_strdup(error->message);
    return answer;
}

/* Finds out what its time follows from. Its machine is made again when it runs: those of all
 * variants at once may be large. */
static void name_variant(void *data)
{
    PsVariant *variant = data;
    g_autoptr(PsAnswer) answer = prepare(variant);
    if (!answer)
        return;
    variant->key = ps_cycle_cache_key(&variant->question, answer->machine);
    variant->ticks_per_cycle = answer->machine->ticks_per_cycle;
}

/* Simulates, unless its cycles are known. */
static void run_variant(void *data)
{
    PsVariant *variant = data;
    g_autoptr(PsAnswer) answer = prepare(variant);
    g_autoptr(GError) error = NULL;
    if (!answer)
        return;
    if (!ps_answer_time(answer, &variant->question, variant->has_result ? &variant->result : NULL,
                        variant->cancel, &error)) {
        if (!g_error_matches(error, PS_ERROR, PS_ERROR_CANCELLED))
            variant->why = g_strdup(error->message);
        return;
    }
    variant->result = answer->result;
    variant->has_result = TRUE;
    variant->seconds = answer->seconds;
    variant->half_width = answer->clamped ? 0 : answer->half_width;
    if (variant->keep)
        variant->answer = g_steal_pointer(&answer);
}

/* Work on each of them for the question. */
static PsWork work_on(const GPtrArray *variants, guint threads, const PsQuestion *question)
{
    return (PsWork){.jobs = variants,
                    .threads = threads,
                    .progress = question->progress,
                    .deadline = question->deadline};
}

/* Simulates each. */
static gboolean run_all(const GPtrArray *variants, guint threads, const PsQuestion *question,
                        GError **error)
{
    gint cancel = 0;
    PsWork work = work_on(variants, threads, question);
    work.work = run_variant;
    work.phase = PS_PHASE_POINTS;
    work.hurry = work.cancel = &cancel; /* what is hurried is no good to compare with */
    for (guint i = 0; i < variants->len; i++)
        ((PsVariant *)variants->pdata[i])->cancel = &cancel;
    return ps_work_off(&work, error);
}

/* Of variants with a key: those that must be simulated, and those that are known then. */
static void divide(const GPtrArray *variants, const PsCycleCache *cache, GPtrArray *new,
                   GPtrArray *same)
{
    g_autoptr(GHashTable) planned = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < variants->len; i++) {
        PsVariant *variant = variants->pdata[i];
        if (!variant->key)
            continue;
        variant->has_result =
            ps_cycle_cache_find(cache, variant->key, variant->ticks_per_cycle, &variant->result);
        const gboolean is_new = !variant->has_result && g_hash_table_add(planned, variant->key);
        g_ptr_array_add(is_new ? new : same, variant);
    }
}

static int largest_share_first(gconstpointer a, gconstpointer b)
{
    const PsVariant *x = *(PsVariant *const *)a, *y = *(PsVariant *const *)b;
    return (x->share < y->share) - (x->share > y->share);
}

/* So many begin before it is looked what the effort allows; where it allows all, all do. */
#define TOGETHER 8

/* Simulates them as far as the effort allows, and adds what came of it. */
static gboolean run_new(const PsQuestion *question, const GPtrArray *new, guint threads,
                        PsCycleCache *cache, PsVariantEffort *effort, GError **error)
{
    const guint n = effort->most < G_MAXINT64 ? TOGETHER : new->len;
    for (guint first = 0; first < new->len && effort->instructions < effort->most; first += n) {
        g_autoptr(GPtrArray) some = g_ptr_array_new();
        for (guint i = first; i < new->len &&i - first < n; i++)
            g_ptr_array_add(some, new->pdata[i]);
        if (!run_all(some, threads, question, error))
            return FALSE;
        for (guint i = 0; i < some->len; i++) {
            const PsVariant *variant = some->pdata[i];
            if (!variant->has_result)
                continue;
            if (!variant->idg) /* another graph may come to lie where its is */
                ps_cycle_cache_add(cache, variant->key, &variant->result);
            effort->instructions += variant->result.simulated;
        }
        effort->runs += some->len - ps_variants_untried(some);
    }
    return TRUE;
}

/* Simulates the new ones; others are like them, or known, or (where ps_cycle_cache_find is careful)
 * simulated after all, if what they are like was. */
static gboolean simulate(const PsQuestion *question, const GPtrArray *variants, guint threads,
                         PsCycleCache *cache, PsVariantEffort *effort, GError **error)
{
    g_autoptr(GPtrArray) new = g_ptr_array_new(), same = g_ptr_array_new();
    divide(variants, cache, new, same);
    g_ptr_array_sort(new, largest_share_first);
    if (!run_new(question, new, threads, cache, effort, error))
        return FALSE;
    const gboolean is_spent = effort->instructions >= effort->most;
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    for (guint i = 0; i < same->len; i++) {
        PsVariant *variant = same->pdata[i];
        if (!variant->has_result)
            variant->has_result = ps_cycle_cache_find(cache, variant->key, variant->ticks_per_cycle,
                                                      &variant->result);
        effort->runs += !variant->has_result && !is_spent;
        if (variant->has_result || !is_spent)
            g_ptr_array_add(known, variant);
    }
    return run_all(known, threads, question, error);
}

gint64 ps_variants_most(const PsQuestion *question, const PsAnswer *answer)
{
    static const gint64 runs = 5;
    return question->deadline ? G_MAXINT64
                              : MAX(runs * answer->result.simulated, PS_SIM_EXACT_INSTRUCTIONS);
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
    g_autoptr(GPtrArray) open = g_ptr_array_new();
    for (guint i = 0; i < variants->len; i++) {
        const PsVariant *variant = variants->pdata[i];
        if (!variant->known && !variant->why)
            g_ptr_array_add(open, variants->pdata[i]);
    }
    PsWork naming = work_on(open, threads, question);
    naming.work = name_variant;
    naming.phase = PS_PHASE_PLAN;
    return ps_work_off(&naming, error) && simulate(question, open, threads, cache, effort, error);
}
