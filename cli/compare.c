/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb compare: simulates both sides at once, and reports them beside each other. */
#include "cli/compare.h"

#include "cli/compare-options.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/output.h"
#include "cli/points.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/workers.h"

#include <stdlib.h>
#include <string.h>

/* What is read is A's, unless B has another. */
typedef struct {
    PsIdg *idg[2];
    PsGpu *gpu[2];
} Read;

static void read_clear(Read *read)
{
    if (read->idg[1] != read->idg[0])
        ps_idg_free(read->idg[1]);
    if (read->gpu[1] != read->gpu[0])
        ps_gpu_free(read->gpu[1]);
    ps_idg_free(read->idg[0]);
    ps_gpu_free(read->gpu[0]);
}

typedef struct {
    Setup *setup;
    Watch watch;
    Answer *answer;
    GError *error;
} Job;

static void job_clear(Job *job)
{
    watch_clear(&job->watch);
    answer_free(job->answer);
    setup_free(job->setup);
    g_clear_error(&job->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Read, read_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static gboolean read_sides(const CompareSide sides[2], Read *read, GError **error)
{
    const gboolean same_file = strcmp(sides[0].file, sides[1].file) == 0;
    const gboolean same_gpu = strcmp(sides[0].gpu, sides[1].gpu) == 0;
    for (guint i = 0; i < 2; i++) {
        read->idg[i] =
            i && same_file ? read->idg[0] : find_graph(sides[i].file, sides[i].gpu, error);
        if (!read->idg[i])
            return FALSE;
        read->gpu[i] = i && same_gpu ? read->gpu[0] : find_gpu(sides[i].gpu, error);
        if (!read->gpu[i])
            return FALSE;
    }
    return TRUE;
}

/* ---- simulating ---------------------------------------------------------------------------- */

static gboolean job_init(Job *job, const CompareSide *side, const PsIdg *idg, const PsGpu *gpu,
                         GError **error)
{
    job->setup = setup_new(side->options, idg, gpu, NULL, 0, error);
    if (!job->setup)
        return FALSE;
    Question *question = &job->setup->question;
    if (side->what_if)
        question->latencies = job->setup->what_if_latencies;
    question->explain = TRUE;
    question->watch = &job->watch;
    return TRUE;
}

static void do_job(void *data)
{
    Job *job = data;
    job->answer = answer_new(&job->setup->question, NULL, &job->error);
}

/* Which of the two is said where both fail makes no difference; A comes first. */
static gboolean do_both(Job *a, Job *b, GError **error)
{
    g_autoptr(Workers) workers = workers_new(2, do_job, error);
    if (!workers)
        return FALSE;
    Progress progress;
    progress_begin(&progress, 0, 0);
    workers_give(workers, a);
    workers_give(workers, b);
    for (Job *job = a; job; job = job == a ? b : NULL) {
        while (!workers_wait(workers, PROGRESS_LOOK)) {
            gint64 since;
            const double share = watch_share(&job->watch, &since);
            progress_say_share(&progress, share, since);
        }
        workers_take(workers);
    }
    progress_wipe(&progress);
    Job *failed = a->error ? a : b->error ? b : NULL;
    if (failed)
        g_propagate_prefixed_error(error, g_steal_pointer(&failed->error), "%s",
                                   failed == a ? "A: " : "B: ");
    return !failed;
}

/* ---- reporting ----------------------------------------------------------------------------- */

static char *format_versus(const Versus *versus, const Options *options)
{
    GString *out = g_string_new(NULL);
    Json json = {.out = out};
    if (options->format == FORMAT_JSON)
        compare_json(versus, &json);
    else if (options->format == FORMAT_CSV)
        compare_csv(versus, out);
    else
        compare_text(versus, terminal_wants_colour(options->output), out);
    return g_string_free(out, FALSE);
}

/* In CSV they have no place. */
static void warn_of(const Versus *versus)
{
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < versus->answers[side]->warnings->len; i++) {
            g_autofree char *text =
                g_strdup_printf("%s: %s", side ? "B" : "A",
                                (const char *)versus->answers[side]->warnings->pdata[i]);
            warn(text);
        }
}

static gboolean compare_both(const Options *options, const CompareSide sides[2], GError **error)
{
    /* Where and how is said once, and may stand on either side of --versus. */
    const Options *last = options->versus ? options->versus : options;
    g_auto(Read) read = {0};
    g_auto(Job) a = {0}, b = {0};
    watch_init(&a.watch);
    watch_init(&b.watch);
    if (!read_sides(sides, &read, error) ||
        !job_init(&a, &sides[0], read.idg[0], read.gpu[0], error) ||
        !job_init(&b, &sides[1], read.idg[1], read.gpu[1], error) || !do_both(&a, &b, error))
        return FALSE;
    const Answer *const answers[2] = {a.answer, b.answer};
    const char *const latencies[2] = {sides[0].what_if ? sides[0].options->what_if_text : NULL,
                                      sides[1].what_if ? sides[1].options->what_if_text : NULL};
    g_autoptr(Versus) versus = versus_new(answers, latencies);
    g_autofree char *text = format_versus(versus, last);
    if (!output_write(last->output, text, error))
        return FALSE;
    if (last->format == FORMAT_CSV)
        warn_of(versus);
    if (last->format == FORMAT_TEXT)
        terminal_note_narrow(last->output);
    return TRUE;
}

int compare_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    CompareSide sides[2];
    if (!compare_sides(options, sides, &error) || !compare_both(options, sides, &error))
        return fail(error);
    return EXIT_SUCCESS;
}
