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

/* Items of a short answer, at most. */
#define CHANGES 3
#define WARNINGS 3
#define LINES 4
#define CLASSES 3
#define WAITS 3

/* ---- asking -------------------------------------------------------------------------------- */

/* A kernel and its answer. */
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

/* wanted: the question's switch that is set, or NULL. */
static gboolean ask(const PsToolCall *call, const char *wanted, Answered *of, GError **error)
{
    return ps_call_measured(call, &of->measured, error) &&
           (of->kernel = ps_served_kernel_new(call->folders, call->arguments, call->hearer,
                                              error)) != NULL &&
           (!wanted || ps_question_set(of->kernel->question, wanted, "", error)) &&
           (of->answer = ps_question_ask(of->kernel->question, 0, error)) != NULL;
}

/* The long answer; NULL: a short one is wanted. */
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

/* How much of an answer a short one tells. */
typedef struct {
    guint changes, warnings;
    guint clauses; /* clauses on how sure it is */
} Shown;

/* The number of clauses in a sentence. */
static guint count_clauses(const char *sentence)
{
    guint n = sentence ? 1 : 0;
    for (const char *at = sentence; at && (at = strstr(at, "; ")); at += 2)
        n++;
    return n;
}

/* The bytes of its first clauses. */
static gsize clauses_length(const char *sentence, guint clauses)
{
    const char *end = NULL;
    for (guint i = 0; i < clauses; i++) {
        end = strstr(end ? end + 2 : sentence, "; ");
        if (!end)
            return strlen(sentence);
    }
    return end ? (gsize)(end - sentence) : 0;
}

/* Tells the first clauses on how sure the answer is. */
static void tell_sure(const PsTold *all, guint clauses, PsTold *facts)
{
    const char *sentence = ps_told_text(all, PS_FACT_WORDS_HOW_SURE);
    if (!sentence || clauses == 0)
        return;
    g_autofree char *part = g_strndup(sentence, clauses_length(sentence, clauses));
    ps_tell(facts, PS_FACT_WORDS_HOW_SURE, part);
}

/* The short answer with so much of each part (g_free). */
static char *tell_run(const Answered *of, const PsTold *all, const Shown *most, const Shown *shown)
{
    const PsPicks change =
        PS_PICKS(PS_FACT_PLACE_LINE.n, PS_FACT_ADVICE_GAIN.n, PS_FACT_ADVICE_SENTENCE.n);
    g_autoptr(PsTold) facts = ps_told_new();
    tell_first(of, all, facts);
    if (most->changes > 0)
        ps_pick_items(facts, PS_FACT_SHORT_RUN_CHANGES, all, PS_FACT_ADVICE, shown->changes,
                      change);
    else
        ps_pick(facts, all, PS_PICKS(PS_FACT_WORDS_WOULD_HELP.n));
    tell_sure(all, shown->clauses, facts);
    tell_warnings(of->answer, shown->warnings, facts);
    ps_tell(facts, PS_FACT_SHORT_RUN_LEFT_OUT,
            (gint64)most->changes - shown->changes + most->warnings - shown->warnings +
                most->clauses - shown->clauses);
    return ps_short_json(facts);
}

/* Shortens an answer that is too long; FALSE: it cannot be shorter. The first change is kept longer
 * than all clauses on sureness but the first; that one comes first if it depends on guesses. */
static gboolean show_less(Shown *shown, gboolean guessed)
{
    if (shown->warnings > 0)
        shown->warnings--;
    else if (guessed && shown->clauses > 0)
        shown->clauses = 0;
    else if (shown->changes > (shown->clauses > 1 ? 1 : 0))
        shown->changes--;
    else if (shown->clauses > 1)
        shown->clauses--;
    else
        return FALSE;
    return TRUE;
}

static char *tell_fitting(const Answered *of, guint most_changes)
{
    g_autoptr(PsTold) all = ps_answer_told(of->answer, of->measured);
    const gboolean guessed = ps_pick_has(all, PS_FACT_WORDS_ASSUMED.n);
    const Shown most = {ps_pick_count(all, PS_FACT_ADVICE), of->answer->warnings->len,
                        count_clauses(ps_told_text(all, PS_FACT_WORDS_HOW_SURE))};
    Shown shown = {MIN(most.changes, most_changes), MIN(most.warnings, WARNINGS), most.clauses};
    for (;;) {
        char *text = tell_run(of, all, &most, &shown);
        if (strlen(text) <= PS_SHORT_BYTES || !show_less(&shown, guessed))
            return text;
        g_free(text);
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

/* Tells as many changes as fit. */
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

/* clauses: on how sure it is; less: items that each list leaves out. */
static char *tell_why(const Answered *of, const PsTold *all, guint clauses, guint less)
{
    const PsPicks before =
        PS_PICKS(PS_FACT_RESULT_SECONDS.n, PS_FACT_WORDS_TIME.n, PS_FACT_WORDS_LIMITED_BY.n);
    g_autoptr(PsTold) facts = ps_told_new();
    g_autofree char *name = ps_short_name(of->answer->idg->name);
    ps_tell(facts, PS_FACT_SHORT_WHY_KERNEL, name);
    ps_tell(facts, PS_FACT_SHORT_WHY_GPU, of->answer->gpu->name);
    ps_pick(facts, all, before);
    tell_lists(all, facts, less);
    tell_sure(all, clauses, facts);
    ps_tell(facts, PS_FACT_SHORT_WHY_LEFT_OUT,
            (gint64)count_clauses(ps_told_text(all, PS_FACT_WORDS_HOW_SURE)) - clauses);
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
    /* The first item of each list is kept longer than all clauses on sureness but the first. */
    const guint most = MIN(MIN(LINES, CLASSES), WAITS);
    guint clauses = count_clauses(ps_told_text(all, PS_FACT_WORDS_HOW_SURE)), less = 0;
    for (;;) {
        text = tell_why(&of, all, clauses, less);
        if (strlen(text) <= PS_SHORT_BYTES || less == most)
            return text;
        g_free(text);
        if (less + 1 < most || clauses <= 1)
            less++;
        else
            clauses--;
    }
}
