/* SPDX-License-Identifier: BSD-3-Clause */
/* See best.h. */
#include "sweep/best.h"

#include "tell/format.h"

#include <string.h>

#define MOST_REASONS 5

typedef struct {
    PsSweepPoint point; /* with its own values */
    PsIdg *idg;         /* graph of the point, if nothing else keeps it; or NULL */
    double bound;
} Candidate;

struct PsSweepBest {
    const PsSweepAsked *asked;
    guint most;
    GPtrArray *candidates;   /* Candidate; sorted by bound from ps_sweep_best_begin on */
    GPtrArray *best;         /* PsSweepJob, sorted by time */
    guint next, taken;       /* next candidate to simulate, and next one to come back */
    GHashTable *reasons;     /* why points are impossible: message -> their number */
    guint failed, unbounded; /* points without a result, and those among them without a bound */
    gboolean done;           /* no candidate from `taken` on can be among the best */
};

static void candidate_free(gpointer data)
{
    Candidate *candidate = data;
    g_free(candidate->point.values);
    g_clear_pointer(&candidate->idg, ps_idg_free);
    g_free(candidate);
}

PsSweepBest *ps_sweep_best_new(const PsSweepAsked *asked, guint most)
{
    PsSweepBest *best = g_new0(PsSweepBest, 1);
    best->asked = asked;
    best->most = most;
    best->reasons = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    best->candidates = g_ptr_array_new_with_free_func(candidate_free);
    best->best = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_job_free);
    return best;
}

void ps_sweep_best_free(PsSweepBest *best)
{
    if (!best)
        return;
    g_hash_table_unref(best->reasons);
    g_ptr_array_unref(best->best);
    g_ptr_array_unref(best->candidates);
    g_free(best);
}

static void note_reason(PsSweepBest *best, const GError *why)
{
    const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(best->reasons, why->message));
    g_hash_table_insert(best->reasons, g_strdup(why->message), GUINT_TO_POINTER(before + 1));
}

void ps_sweep_best_take_bound(PsSweepBest *best, PsSweepJob *job)
{
    if (job->error) {
        note_reason(best, job->error);
        best->failed++;
        best->unbounded++;
    } else {
        Candidate *candidate = g_new0(Candidate, 1);
        *candidate = (Candidate){.point = job->point, .bound = job->bound};
        candidate->point.values = g_steal_pointer(&job->point.values);
        if (job->idg && !best->asked->code->store)
            candidate->idg = g_steal_pointer(&job->idg);
        if (job->point.file)
            candidate->point.idg = candidate->idg;
        g_ptr_array_add(best->candidates, candidate);
    }
    ps_sweep_job_free(job);
}

/* Candidates with equal bounds keep the order of points. */
static int by_bound(const void *a, const void *b)
{
    const Candidate *x = *(const Candidate *const *)a, *y = *(const Candidate *const *)b;
    return x->bound != y->bound
               ? (x->bound > y->bound) - (x->bound < y->bound)
               : (x->point.number > y->point.number) - (x->point.number < y->point.number);
}

guint ps_sweep_best_begin(PsSweepBest *best)
{
    g_ptr_array_sort(best->candidates, by_bound);
    return best->candidates->len;
}

PsSweepJob *ps_sweep_best_next(PsSweepBest *best)
{
    if (best->done || best->next == best->candidates->len ||
        best->next - best->taken >= 2 * best->asked->threads)
        return NULL;
    const Candidate *candidate = best->candidates->pdata[best->next++];
    return ps_sweep_job_new(best->asked, &candidate->point, NULL);
}

static int by_time(const void *a, const void *b)
{
    const PsSweepJob *x = *(const PsSweepJob *const *)a, *y = *(const PsSweepJob *const *)b;
    return x->answer->seconds != y->answer->seconds
               ? (x->answer->seconds > y->answer->seconds) -
                     (x->answer->seconds < y->answer->seconds)
               : (x->point.number > y->point.number) - (x->point.number < y->point.number);
}

/* TRUE if neither the candidate nor any behind it can be among the best. */
static gboolean is_excluded(const PsSweepBest *best, const Candidate *candidate)
{
    const PsSweepJob *worst = ps_sweep_best_at(best, best->most - 1);
    return worst && candidate->bound > worst->answer->seconds;
}

void ps_sweep_best_take(PsSweepBest *best, PsSweepJob *job)
{
    best->done |= is_excluded(best, best->candidates->pdata[best->taken]);
    if (!best->done)
        best->taken++;
    if (!best->done && !job->error) {
        g_ptr_array_add(best->best, job);
        g_ptr_array_sort(best->best, by_time);
        g_ptr_array_set_size(best->best, (int)MIN(best->best->len, best->most));
        return;
    }
    best->failed += !best->done;
    if (!best->done)
        note_reason(best, job->error);
    ps_sweep_job_free(job);
}

const PsSweepJob *ps_sweep_best_at(const PsSweepBest *best, guint i)
{
    return i < best->best->len ? best->best->pdata[i] : NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The reasons why points are impossible, with their numbers: ": 3 since TEXT; 1 since TEXT; and 2
 * more reasons" (g_free). */
static char *describe_reasons(const PsSweepBest *best)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GPtrArray) reasons = g_ptr_array_new();
    GHashTableIter iter;
    gpointer reason;
    g_hash_table_iter_init(&iter, best->reasons);
    while (g_hash_table_iter_next(&iter, &reason, NULL))
        g_ptr_array_add(reasons, reason);
    g_ptr_array_sort(reasons, by_text);
    for (guint i = 0; i < MIN(reasons->len, MOST_REASONS); i++)
        g_string_append_printf(
            text, "%s %u since %s", i ? ";" : ":",
            GPOINTER_TO_UINT(g_hash_table_lookup(best->reasons, reasons->pdata[i])),
            (const char *)reasons->pdata[i]);
    if (reasons->len > MOST_REASONS)
        g_string_append_printf(text, "; %u more reason%s", reasons->len - MOST_REASONS,
                               reasons->len - MOST_REASONS == 1 ? "" : "s");
    return g_string_free(text, FALSE);
}

/* The sentence on n points that are left out; "" for none. */
static char *describe_count(const char *format, guint n)
{
    g_autofree char *count = ps_format_count(n);
    g_auto(GStrv) parts = g_strsplit(format, "%", 2);
    return n ? g_strconcat(parts[0], count, parts[1], NULL) : g_strdup("");
}

char *ps_sweep_best_describe(const PsSweepBest *best, guint *failed)
{
    const guint bounded = best->candidates->len, all = bounded + best->unbounded;
    const guint simulated = best->taken - (best->failed - best->unbounded);
    *failed = best->failed;
    g_autofree char *why = describe_reasons(best), *points = ps_format_count(all);
    g_autofree char *done =
        simulated == all
            ? g_strdup(all == 1 ? "it was simulated" : "all were simulated")
            : describe_count(simulated == 1 ? "% was simulated" : "% were simulated", simulated);
    g_autofree char *excluded = describe_count(
        bounded - best->taken == 1 ? ", % was not, since a bound proves that it is worse"
                                   : ", % were not, since a bound proves that they are worse",
        bounded - best->taken);
    g_autofree char *bad = describe_count(", % cannot be", best->failed);
    return g_strdup_printf("the best %u of %s point%s: %s%s%s%s", best->best->len, points,
                           all == 1 ? "" : "s", simulated ? done : "none was simulated", excluded,
                           bad, best->failed ? why : "");
}
