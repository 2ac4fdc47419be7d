/* SPDX-License-Identifier: BSD-3-Clause */
/* See ask.h. */
#include "advice/ask.h"

#include "advice/advice.h"
#include "advice/notes.h"
#include "advice/unroll.h"
#include "answer/asked.h"
#include "code/built.h"

/* Seconds, some thirty years: a larger budget is no limit. */
#define MOST_BUDGET 1e9

/* Gives each of the next `steps` steps the same part of the remaining time. */
static void begin_step(PsAsked *asked, gint64 end, gint64 steps)
{
    const gint64 now = g_get_monotonic_time(), left = MAX(end - now, 1);
    asked->question.deadline = end ? now + left / steps : 0;
}

/* Finds the code that advice tries in other shapes, without texts that are gone. Values for the
 * graph's parameters hold for its own launch only. */
static void find_code(PsAsked *asked)
{
    g_autoptr(GPtrArray) params = ps_scope_names(asked->params);
    const gboolean wants = asked->advise && asked->code && !params->len;
    asked->question.code = wants ? ps_kernel_code_launch(asked->code, asked->question.gpu,
                                                         asked->question.progress, NULL)
                                 : NULL;
}

static void try_pragmas(PsAsked *asked, PsAnswer *answer)
{
    const PsIdg *idg = asked->question.idg;
    const char *path = asked->code ? ps_kernel_code_path(asked->code) : idg->path;
    const PsBuiltCode *built = asked->question.code ? ps_kernel_code_built(asked->code) : NULL;
    if (path)
        ps_answer_unroll(answer, &asked->question, path, built);
}

/* Finds what would help, as far as the options ask for it. */
static gboolean look_further(PsAsked *asked, PsAnswer *answer, gint64 end, guint threads,
                             GError **error)
{
    if (!asked->sensitivity && !asked->advise)
        return TRUE;
    begin_step(asked, end, 1 + asked->advise);
    if (!ps_answer_find_sensitivities(answer, &asked->question, asked->sensitivity, threads, error))
        return FALSE;
    begin_step(asked, end, 1);
    if (asked->advise && !ps_answer_find_advice(answer, &asked->question, threads, error))
        return FALSE;
    if (asked->advise)
        try_pragmas(asked, answer);
    ps_answer_note_untried(answer, asked->budget > 0);
    return TRUE;
}

/* The parts that the options name; the answer may have more. */
static guint shown_of(const PsAsked *asked)
{
    return (asked->explain ? PS_EXPLAIN_SHOWS_PATH : 0) |
           (asked->sensitivity ? PS_EXPLAIN_SHOWS_SENSITIVITY : 0) |
           (asked->advise ? PS_EXPLAIN_SHOWS_ADVICE : 0);
}

PsAnswer *ps_question_ask(PsQuestion *question, guint threads, GError **error)
{
    PsAsked *asked = (PsAsked *)question;
    const gint64 all = (gint64)(MIN(asked->budget, MOST_BUDGET) * G_USEC_PER_SEC);
    const gint64 end = all ? g_get_monotonic_time() + all : 0;
    if (!ps_asked_complete(asked, error))
        return NULL;
    find_code(asked);
    begin_step(asked, end, 1 + (asked->sensitivity || asked->advise) + asked->advise);
    g_autoptr(PsAnswer) answer = ps_answer_new(question, NULL, error);
    if (answer && question->explain)
        ps_answer_note_changed_source(answer);
    if (!answer ||
        !look_further(asked, answer, end, threads ? threads : g_get_num_processors(), error))
        return NULL;
    answer->shows = shown_of(asked);
    return g_steal_pointer(&answer);
}
