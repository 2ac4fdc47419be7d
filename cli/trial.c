/* SPDX-License-Identifier: BSD-3-Clause */
/* See trial.h. */
#include "cli/trial.h"

#include "cli/progress.h"
#include "cli/workers.h"

#include <math.h>

static void add_latency(GPtrArray *list, const char *klass, PsLatency latency)
{
    PsWhatIf *what_if = g_new(PsWhatIf, 1);
    *what_if = (PsWhatIf){g_strdup(klass), latency.issue, latency.completion};
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
        add_latency(trial->latencies, what_if->klass,
                    (PsLatency){what_if->issue, what_if->completion});
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
    g_free(trial);
}

/* A what-if is of one scheduler's pipeline where the description is, whether schedulers are in play
 * or not (sim/machine.c). */
PsLatency trial_latency(const PsMachine *machine, guint class_)
{
    const PsBoundClass *bound = &machine->classes[class_];
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

static void run_trial(void *data)
{
    Trial *trial = data;
    g_autoptr(GError) error = NULL;
    Answer *answer = answer_new(&trial->question, NULL, &error);
    if (!answer) {
        trial->why = g_strdup(error->message);
        return;
    }
    trial->seconds = answer->seconds;
    if (trial->keep)
        trial->answer = answer;
    else
        answer_free(answer);
}

gboolean trials_run(const GPtrArray *trials, guint threads, guint *runs, GError **error)
{
    g_autoptr(Workers) workers = workers_new(threads, run_trial, error);
    if (!workers)
        return FALSE;
    Progress progress;
    guint given = 0, taken = 0;
    progress_begin(&progress, trials->len, 0);
    *runs = 0;
    while (taken < trials->len) {
        while (given < trials->len && workers_has_room(workers)) {
            Trial *trial = trials->pdata[given++];
            if (trial->known || trial->why) {
                taken++;
                continue;
            }
            workers_give(workers, trial);
            ++*runs;
        }
        if (workers_is_empty(workers))
            continue;
        while (!workers_wait(workers, PROGRESS_LOOK))
            progress_say(&progress, taken);
        workers_take(workers);
        taken++;
    }
    progress_wipe(&progress);
    return TRUE;
}
