/* SPDX-License-Identifier: BSD-3-Clause */
/* See trial.h. */
#include "answer/trial.h"

#include "cli/system/progress.h"
#include "answer/workers.h"

#include <math.h>

static void add_latency(GPtrArray *list, const char *klass, PsLatency latency)
{
    PsWhatIf *what_if = ps_what_if_new(klass);
    what_if->issue = latency.issue;
    what_if->completion = latency.completion;
    g_ptr_array_add(list, what_if);
}

Trial *trial_new(const Question *question)
{
    Trial *trial = g_new0(Trial, 1);
    trial->question = *question;
    trial->question.watch = NULL;
    trial->question.explain = FALSE;
    trial->latencies = g_ptr_array_new_with_free_func((GDestroyNotify)ps_what_if_free);
    for (guint i = 0; question->latencies && i < question->latencies->len; i++) {
        const PsWhatIf *what_if = question->latencies->pdata[i];
        PsWhatIf *copy = g_memdup2(what_if, sizeof *what_if);
        copy->klass = g_strdup(what_if->klass);
        g_ptr_array_add(trial->latencies, copy);
    }
    trial->question.latencies = trial->latencies;
    trial->seconds = NAN;
    return trial;
}

void trial_free(Trial *trial)
{
    if (!trial)
        return;
    g_ptr_array_unref(trial->latencies);
    g_clear_pointer(&trial->answer, answer_free);
    ps_idg_free(trial->idg);
    g_free(trial->refinements);
    g_free(trial->why);
    g_free(trial->key);
    g_free(trial);
}

/* A what-if is of one scheduler's pipeline where the description is, whether schedulers are in play
 * or not (sim/engine/machine.c). */
PsLatency trial_latency(const PsMachine *machine, guint class_)
{
    const PsMachineClass *bound = &machine->classes[class_];
    const PsPipeline *pipeline = machine->gpu->pipelines->pdata[bound->pipeline];
    PsLatency latency = bound->latency;
    if (pipeline->per_scheduler && !bound->per_scheduler && machine->gpu->schedulers > 1)
        (void)ps_rational_mul(latency.issue, PS_RATIONAL_INT(machine->gpu->schedulers),
                              &latency.issue);
    return latency;
}

/* A what-if is for subclasses, too: those that the graph asks for keep what they have. */
void trial_set_latency(Trial *trial, const Answer *answer, guint class_, PsLatency latency)
{
    const PsMachine *machine = answer->machine;
    const char *asked = machine->classes[class_].asked;
    for (guint i = 0; i < machine->n_classes; i++) {
        const char *other = machine->classes[i].asked;
        if (i != class_ && ps_class_covers(asked, other))
            add_latency(trial->latencies, other, trial_latency(machine, i));
    }
    add_latency(trial->latencies, asked, latency);
}

/* ---- running ------------------------------------------------------------------------------- */

/* The machine of a trial, NULL (and why) where it can have none. */
static Answer *prepare(Trial *trial)
{
    g_autoptr(GError) error = NULL;
    Answer *answer = answer_prepare(&trial->question, &error);
    if (!answer)
        trial->why = g_strdup(error->message);
    return answer;
}

/* Finds out what its time follows from. Its machine is made again when it runs: those of all trials
 * at once may be large. */
static void name_trial(void *data)
{
    Trial *trial = data;
    g_autoptr(Answer) answer = prepare(trial);
    if (!answer)
        return;
    trial->key = memo_key(&trial->question, answer->machine);
    trial->ticks_per_cycle = answer->machine->ticks_per_cycle;
}

/* Simulates, unless its cycles are known. */
static void run_trial(void *data)
{
    Trial *trial = data;
    g_autoptr(Answer) answer = prepare(trial);
    g_autoptr(GError) error = NULL;
    if (!answer)
        return;
    if (!answer_time(answer, &trial->question, trial->has_cycles ? &trial->cycles : NULL, &error)) {
        trial->why = g_strdup(error->message);
        return;
    }
    trial->cycles = answer->result.cycles;
    trial->has_cycles = TRUE;
    trial->seconds = answer->seconds;
    if (trial->keep)
        trial->answer = g_steal_pointer(&answer);
}

/* Does the work for each trial, and says how far it is if progress is not NULL. */
static gboolean work_through(const GPtrArray *trials, guint threads, void (*work)(void *),
                             Progress *progress, GError **error)
{
    g_autoptr(Workers) workers = workers_new(threads, work, error);
    guint given = 0, taken = 0;
    if (!workers)
        return FALSE;
    while (taken < trials->len) {
        while (given < trials->len && workers_has_room(workers))
            workers_give(workers, trials->pdata[given++]);
        while (!workers_wait(workers, PROGRESS_LOOK))
            if (progress)
                progress_say(progress, taken);
        workers_take(workers);
        taken++;
    }
    return TRUE;
}

/* Of trials with a key: those that must be simulated, and those that are known then. */
static void divide(const GPtrArray *trials, const Memo *memo, GPtrArray *new, GPtrArray *same)
{
    g_autoptr(GHashTable) planned = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < trials->len; i++) {
        Trial *trial = trials->pdata[i];
        if (!trial->key)
            continue;
        trial->has_cycles = memo_find(memo, trial->key, trial->ticks_per_cycle, &trial->cycles);
        const gboolean is_new = !trial->has_cycles && g_hash_table_add(planned, trial->key);
        g_ptr_array_add(is_new ? new : same, trial);
    }
}

/* Simulates the new ones; others are like them, or known, or (where memo_find is careful) simulated
 * after all. */
static gboolean simulate(const GPtrArray *trials, guint threads, Memo *memo, guint *runs,
                         GError **error)
{
    g_autoptr(GPtrArray) new = g_ptr_array_new(), same = g_ptr_array_new();
    Progress progress;
    divide(trials, memo, new, same);
    progress_begin(&progress, new->len, 0);
    const gboolean done = work_through(new, threads, run_trial, &progress, error);
    progress_wipe(&progress);
    if (!done)
        return FALSE;
    *runs += new->len;
    for (guint i = 0; i < new->len; i++) {
        const Trial *trial = new->pdata[i];
        if (trial->has_cycles)
            memo_add(memo, trial->key, trial->cycles);
    }
    for (guint i = 0; i < same->len; i++) {
        Trial *trial = same->pdata[i];
        if (!trial->has_cycles)
            trial->has_cycles = memo_find(memo, trial->key, trial->ticks_per_cycle, &trial->cycles);
        *runs += !trial->has_cycles;
    }
    return work_through(same, threads, run_trial, NULL, error);
}

gboolean trials_run(const GPtrArray *trials, guint threads, Memo *memo, guint *runs, GError **error)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new();
    for (guint i = 0; i < trials->len; i++) {
        const Trial *trial = trials->pdata[i];
        if (!trial->known && !trial->why)
            g_ptr_array_add(open, trials->pdata[i]);
    }
    return work_through(open, threads, name_trial, NULL, error) &&
           simulate(open, threads, memo, runs, error);
}
