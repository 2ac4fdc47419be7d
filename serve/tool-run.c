/* SPDX-License-Identifier: BSD-3-Clause */
/* The tools run, advise and explain: one answer, told in three ways. */
#include "advice/ask.h"
#include "answer/figures.h"
#include "serve/pick.h"
#include "serve/short.h"
#include "tell/answer-json.h"
#include "tell/answer-text.h"
#include "tell/answer.h"

#include <string.h>

/* The most items of a short answer. */
#define CHANGES 3
#define WARNINGS 3
#define LINES 4
#define CLASSES 3
#define WAITS 3

/* ---- asking -------------------------------------------------------------------------------- */

/* A kernel with its answer. */
typedef struct {
    PsServedKernel *kernel;
    PsAnswer *answer;
    double measured; /* seconds; 0: not measured */
} Answered;

static void answered_clear(Answered *of)
{
    ps_answer_free(of->answer);
    ps_served_kernel_free(of->kernel);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Answered, answered_clear)

/* wanted: the switch of the question that is set, or NULL. */
static gboolean ask(const PsToolCall *call, const char *wanted, Answered *of, GError **error)
{
    return ps_call_measured(call, &of->measured, error) &&
           (of->kernel = ps_served_kernel_new(call->folders, call->arguments, call->hearer,
                                              error)) != NULL &&
           (!wanted || ps_question_set(of->kernel->question, wanted, "", error)) &&
           (of->answer = ps_question_ask(of->kernel->question, 0, error)) != NULL;
}

/* The answer at length; NULL: it shall be short. */
static char *tell_all(const PsToolCall *call, const Answered *of)
{
    switch (ps_call_detail(call)) {
    case PS_DETAIL_TEXT:
        return ps_answer_text(of->answer, of->measured);
    case PS_DETAIL_JSON:
        return ps_answer_json(of->answer, of->measured);
    case PS_DETAIL_SHORT:
        break;
    }
    return NULL;
}

/* ---- run and advise ------------------------------------------------------------------------ */

static void tell_first(const Answered *of, const PsTold *all, PsTold *facts)
{
    const PsPicks before = PS_PICKS(PS_FACT_RESULT_SECONDS.n, PS_FACT_WORDS_TIME.n,
                                    PS_FACT_PREDICTION_CEILING_SECONDS.n);
    g_autofree char *name = ps_short_name(of->answer->idg->name);
    ps_tell(facts, PS_FACT_SHORT_RUN_KERNEL, name);
    ps_tell(facts, PS_FACT_SHORT_RUN_GPU, of->answer->gpu->name);
    ps_pick(facts, all, before);
    ps_tell(facts, PS_FACT_SHORT_RUN_HEADROOM, ps_answer_headroom(of->answer));
    ps_pick(facts, all, PS_PICKS(PS_FACT_WORDS_LIMITED_BY.n, PS_FACT_WORDS_ASSUMED.n));
}

static void tell_warnings(const PsAnswer *answer, guint n, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_SHORT_RUN_WARNINGS);
    for (guint i = 0; i < n; i++)
        ps_tell_item_text(facts, answer->warnings->pdata[i]);
    ps_tell_close(facts);
}

/* With so many changes and warnings, and how sure it is (g_free). */
static char *tell_run(const Answered *of, const PsTold *all, guint changes, guint warnings,
                      gboolean sure)
{
    const PsPicks change =
        PS_PICKS(PS_FACT_PLACE_LINE.n, PS_FACT_ADVICE_GAIN.n, PS_FACT_ADVICE_SENTENCE.n);
    g_autoptr(PsTold) facts = ps_told_new();
    const guint there = ps_pick_count(all, PS_FACT_ADVICE);
    tell_first(of, all, facts);
    if (there > 0)
        ps_pick_items(facts, PS_FACT_SHORT_RUN_CHANGES, all, PS_FACT_ADVICE, changes, change);
    else
        ps_pick(facts, all, PS_PICKS(PS_FACT_WORDS_WOULD_HELP.n));
    if (sure)
        ps_pick(facts, all, PS_PICKS(PS_FACT_WORDS_HOW_SURE.n));
    tell_warnings(of->answer, warnings, facts);
    ps_tell(facts, PS_FACT_SHORT_RUN_LEFT_OUT,
            (gint64)there - changes + of->answer->warnings->len - warnings);
    return ps_short_json(facts);
}

/* Warnings go first where it would be too long, then how sure it is, where that depends on what was
 * guessed, and then changes. */
static char *tell_fitting(const Answered *of, guint most)
{
    g_autoptr(PsTold) all = ps_answer_told(of->answer, of->measured);
    guint changes = MIN(ps_pick_count(all, PS_FACT_ADVICE), most);
    guint warnings = MIN(of->answer->warnings->len, WARNINGS);
    const gboolean guessed = ps_pick_has(all, PS_FACT_WORDS_ASSUMED.n);
    for (gboolean sure = TRUE;;) {
        g_autofree char *text = tell_run(of, all, changes, warnings, sure);
        const gboolean least = changes + warnings == 0 && !(guessed && sure);
        if (strlen(text) <= PS_SHORT_BYTES || least)
            return g_steal_pointer(&text);
        if (warnings > 0)
            warnings--;
        else if (guessed && sure)
            sure = FALSE;
        else
            changes--;
    }
}

char *ps_serve_run(const PsToolCall *call, GError **error)
{
    g_auto(Answered) of = {0};
    const char *changes = ps_arguments_text(call->arguments, "changes");
    const gboolean tried = g_strcmp0(changes, "false") != 0;
    if (!ask(call, tried ? "advise" : NULL, &of, error))
        return NULL;
    char *text = tell_all(call, &of);
    return text ? text : tell_fitting(&of, CHANGES);
}

/* As many changes as fit. */
char *ps_serve_advise(const PsToolCall *call, GError **error)
{
    g_auto(Answered) of = {0};
    if (!ask(call, "advise", &of, error))
        return NULL;
    char *text = tell_all(call, &of);
    return text ? text : tell_fitting(&of, G_MAXUINT);
}

/* ---- explain ------------------------------------------------------------------------------- */

static void tell_lists(const PsTold *all, PsTold *facts, guint less)
{
    const PsPicks line = PS_PICKS(PS_FACT_CRITICAL_PATH_BY_LINE_LINE.n, PS_FACT_AMOUNT_SHARE.n);
    const PsPicks class =
        PS_PICKS(PS_FACT_SPOKEN_WORDS.n, PS_FACT_PLACE_LINE.n, PS_FACT_AMOUNT_SHARE.n);
    const PsPicks wait = PS_PICKS(PS_FACT_SPOKEN_WORDS.n, PS_FACT_WAITS_SHARE.n);
    ps_pick_items(facts, PS_FACT_SHORT_WHY_BY_LINE, all, PS_FACT_CRITICAL_PATH_BY_LINE,
                  LINES - less, line);
    ps_pick_items(facts, PS_FACT_SHORT_WHY_BY_CLASS, all, PS_FACT_CRITICAL_PATH_BY_CLASS,
                  CLASSES - less, class);
    ps_pick_items(facts, PS_FACT_SHORT_WHY_WAITS, all, PS_FACT_WAITS, WAITS - less, wait);
}

static char *tell_why(const Answered *of, const PsTold *all, guint less)
{
    const PsPicks before =
        PS_PICKS(PS_FACT_RESULT_SECONDS.n, PS_FACT_WORDS_TIME.n, PS_FACT_WORDS_LIMITED_BY.n);
    g_autoptr(PsTold) facts = ps_told_new();
    g_autofree char *name = ps_short_name(of->answer->idg->name);
    ps_tell(facts, PS_FACT_SHORT_WHY_KERNEL, name);
    ps_tell(facts, PS_FACT_SHORT_WHY_GPU, of->answer->gpu->name);
    ps_pick(facts, all, before);
    tell_lists(all, facts, less);
    ps_pick(facts, all, PS_PICKS(PS_FACT_WORDS_HOW_SURE.n));
    return ps_short_json(facts);
}

char *ps_serve_explain(const PsToolCall *call, GError **error)
{
    g_auto(Answered) of = {0};
    if (!ask(call, "explain", &of, error))
        return NULL;
    char *text = tell_all(call, &of);
    if (text)
        return text;
    g_autoptr(PsTold) all = ps_answer_told(of.answer, of.measured);
    for (guint less = 0;; less++) {
        text = tell_why(&of, all, less);
        if (strlen(text) <= PS_SHORT_BYTES || less == MIN(MIN(LINES, CLASSES), WAITS))
            return text;
        g_free(text);
    }
}
